"""Swaps: a passage given with a word of it exchanged for another one, or for its opposite."""

import re
from collections.abc import Sequence
from difflib import Match, SequenceMatcher
from functools import cache
from itertools import pairwise

from longtrail.scoring.grounding.frames import told
from longtrail.scoring.grounding.ledger import Entry, lines_of
from longtrail.scoring.grounding.page import Line
from longtrail.scoring.grounding.wording import figured, in_order, plain, quotes, same, verbatim
from longtrail.scoring.grounding.words import EMPTY, content_of, listed, stem, vocabulary
from longtrail.text.folding import fold
from longtrail.text.lexicon import MONTHS

_TURNING = frozenset({"unless", "without", "except", "until", "never", "before", "after"})
"""Small words that turn what they stand in."""
_QUANTIFIERS = frozenset({"any", "every", "no", "some", "both", "neither", "either"})
_SMALL = tuple(
    frozenset(pair) for pair in (("on", "off"), ("up", "down"), ("with", "without"), ("only", "not"), ("only", "no"))
)
"""Pairs of small words that are opposites only where all around them is the same."""
_CONTRAST = re.compile(r"\b(?:not|instead of|rather than|kept|but)\b")
_CAPITALS = re.compile(r"\b[A-Z]{3,}\b")
_FIGURES = re.compile(r"\d+(?:[.,]\d+)*")
_DATED = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day,? (?=[A-Z]\w+ \d|\d)", re.IGNORECASE)
"""A day of the week ahead of its date, which pages seldom give."""
MOST_WORDS = 24
"""Longer texts are no quotation of one passage."""


def swapped(text: str, entries: Sequence[Entry]) -> str:
    """The line that has a text word for word but for one word with another meaning; empty if there is none."""
    said = figured(text).split()
    if not 4 <= len(said) <= 2 * MOST_WORDS:
        return ""
    for entry in entries:
        for line in entry.page.lines:
            if len(vocabulary(text) & line.words) >= 2 and _one_apart(said, figured(line.text).split()):
                return line.text
    return ""


def _one_apart(said: Sequence[str], held: Sequence[str]) -> bool:
    size = len(said)
    for at in range(len(held) - size + 1):
        passage = held[at : at + size]
        apart = [(a, b) for a, b in zip(said, passage, strict=True) if a != b]
        if len(apart) == 1 and _another(*apart[0], [word for word in said if word != apart[0][0]]):
            return True
    return False


def _another(one: str, other: str, rest: Sequence[str]) -> bool:
    """Whether two words differ in what they say: opposites do, others if enough stands around them."""
    if _opposed(one, other) or (one in _QUANTIFIERS and other in _QUANTIFIERS) or {one, other} in _SMALL:
        return True
    if one[:3] == other[:3] and {one, other} <= MONTHS.keys():
        return False
    if one.isdigit() or other.isdigit() or stem(one) == stem(other) or same(one, other):
        return False
    around = [word for word in rest if word not in EMPTY]
    return one not in EMPTY and len(around) >= 3


def exchanged(text: str, entries: Sequence[Entry]) -> str:
    """The line that has most of a text word for word, and other words in the middle or at the end of it."""
    said = figured(_DATED.sub("", told(text))).split()
    if not 6 <= len(said) <= 2 * MOST_WORDS:
        return ""
    wanted = vocabulary(text)
    lines = [line for line in lines_of(entries) if len(wanted & line.words) >= 0.5 * len(wanted)]
    for line in lines:
        held = figured(line.text).split()
        blocks = SequenceMatcher(None, said, held, autojunk=False).get_matching_blocks()
        alike = sum(block.size for block in blocks if block.size > 1) >= max(5, 0.6 * len(said))
        if alike and any(_replaced(said, held, a, b, line) for a, b in pairwise(blocks)):
            return line.text
    return ""


def _replaced(said: Sequence[str], held: Sequence[str], before: Match, after: Match, line: Line) -> bool:
    """Whether between two blocks that agree the words are others: of another meaning, or turning a condition round."""
    mine = said[before.a + before.size : after.a]
    rest = held[before.b + before.size : after.b]
    if before.size < 2 or not 1 <= len(mine) <= 4:
        return False
    theirs = rest[: len(mine) + 1]
    if after.size and len(rest) > 4:
        return False
    if (set(mine) & _TURNING) != (set(theirs) & _TURNING) and set(theirs) & _TURNING:
        return after.size > 1
    new = [stem(word) for word in mine if word not in EMPTY and len(word) > 2 and not word.isdigit()]
    outcomes = {fold(word) for word in _CAPITALS.findall(line.text)}  # "we put the flair on" tells "APPLY FLAIR"
    old = [w for w in theirs if w not in EMPTY and len(w) > 2 and not w.isdigit() and w not in outcomes]
    return len(new) >= (1 if after.size > 1 else 2) and bool(old) and not any(word in line.words for word in new)


def reordered(text: str, entries: Sequence[Entry]) -> str:
    """The line that has all words of a text in one go, and no others, but in another order."""
    said = figured(text).split()
    if not 6 <= len(said) <= MOST_WORDS:
        return ""
    for line in (line for line in lines_of(entries) if vocabulary(text) <= line.words):
        held, bag = figured(line.text).split(), sorted(said)
        windows = [held[at : at + len(said)] for at in range(len(held) - len(said) + 1)]
        if said not in windows and any(sorted(window) == bag for window in windows):
            return line.text
    return ""


def transposed(text: str, entries: Sequence[Entry]) -> str:
    """The line with all words of a text in their order, but its figures, or what it contrasts, the other way."""
    wanted, figures = content_of(text), _FIGURES.findall(fold(text))
    contrast = _CONTRAST.search(fold(text)) is not None
    if len(wanted) < 3 or (len(set(figures)) < 2 and not contrast):
        return ""
    for entry in entries:
        for line in entry.page.lines:
            if not set(wanted) <= line.words:
                continue
            for part in _parts(line.text):
                held = _FIGURES.findall(fold(part))
                if not set(wanted) <= vocabulary(part) or not set(figures) <= set(held):
                    continue
                aligned = in_order(wanted, content_of(part))
                if aligned and len(set(figures)) > 1 and not in_order(figures, held):
                    return part
                if contrast and not aligned and _CONTRAST.search(fold(part)):
                    return part
    return ""


def reversed_in(text: str, entries: Sequence[Entry]) -> str:
    """The line that says most of a text's words, but the opposite of one of them, and not that one."""
    said = set(plain(text).split())
    for sides in opposed_rows():
        for side in sides:
            wanted = vocabulary(text) - {stem(word) for word in side}
            if len(said & side) != 1 or any(said & other for other in sides if other is not side):
                continue
            others = frozenset().union(*(other for other in sides if other is not side))
            if line := _reversing(wanted, side, others, entries):
                return line
    return ""


def _reversing(wanted: frozenset[str], side: frozenset[str], others: frozenset[str], entries: Sequence[Entry]) -> str:
    if len(wanted) < 2:
        return ""
    for entry in entries:
        for line in entry.page.lines:
            if len(wanted & line.words) < 0.7 * len(wanted):
                continue
            for part in _parts(line.text):
                held = set(plain(part).split())
                near = len(wanted & vocabulary(part)) >= max(2, 0.7 * len(wanted))
                if near and held & others and not held & side:
                    return part
    return ""


def other_words(text: str, entries: Sequence[Entry]) -> str:
    """The line that a text has with something in it exchanged, turned or put the other way round; empty if none."""
    for part in unquoted(text, entries).split(";"):  # a piece of evidence may string several passages together
        line = swapped(part, entries) or exchanged(part, entries) or transposed(part, entries)
        line = line or next((held for piece in part.split(". ") if (held := reordered(piece, entries))), "")
        if line := line or reversed_in(part, entries):
            return line
    return ""


def unquoted(text: str, entries: Sequence[Entry]) -> str:
    """A text without the quotations in it that stand there word for word."""
    for quote in quotes(text):
        if any(verbatim(quote.text, entry) for entry in entries):
            text = text.replace(quote.text, " ")
    return text


def _parts(text: str) -> list[str]:
    return [part for sentence in text.split(". ") for part in sentence.split(" | ")]


def _opposed(one: str, other: str) -> bool:
    return any(
        one in a and other in b for sides in opposed_rows() for a in sides for b in sides if a is not b and one not in b
    )


@cache
def opposed_rows() -> tuple[tuple[frozenset[str], ...], ...]:
    """Words of one side of a row say the opposite of those of another side."""
    return tuple(tuple(frozenset(side.split()) for side in row.split(" / ")) for row in sorted(listed("opposed")))
