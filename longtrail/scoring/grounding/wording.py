"""Wording: where a quotation or a paraphrase stands, and whether what stands there says the same and not the opposite.

Fuzzy search only finds the spot. What is found counts if all values are equal, the denials agree, and the words that
carry meaning stand in the same order.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz

from longtrail.scoring.grounding.ledger import Entry, lines_of
from longtrail.scoring.grounding.page import Line
from longtrail.scoring.grounding.words import content, content_of, vocabulary
from longtrail.text.atoms import tokenize
from longtrail.text.folding import fold
from longtrail.text.lexicon import MONTHS, NUMBERS, TENS
from longtrail.text.negation import negators
from longtrail.text.token import Token

LOCATED = 80.0
"""A spot at least this alike is looked at."""
_MARKED = re.compile(r"[\"“”„«]([^\"“”„«»]{8,}?)[\"“”»]|(?<!\w)[‘']((?:[^‘’']|(?<=\w)[’'](?=\w)){12,}?)[’'](?!\w)")
_GAP = re.compile(r"\s*(?:\.\.\.|…|\[[^\]]*\])\s*")
_UN = re.compile(
    r"\bun(?:answered|verified|confirmed|paid|used|resolved|reachable|approved|authori[sz]ed|related|identified)\b"
)
_OUTCOME = re.compile(r"\bNO [A-Z]{4,}\b")
"""What a rule decides denies nothing: `NO ACTION`."""
_FEWER = re.compile(r"\bnot (?:so|as|that|very|too) (?:many|much)\b", re.IGNORECASE)
"""Another way to say few or less, which denies nothing."""
GRANTED = re.compile(r"\b(?:nothing|no objections?) (?:against|to)\b", re.IGNORECASE)
"""Who has nothing against it allows it."""
_TO = re.compile(r"\bto\b|>|→|⇒", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|never)\b|n't\b")
EXCEPTED = re.compile(r"\b(?:only|except|save for|apart from|other than|none but)\b.*(?:\b(?:not|never|no)\b|n't\b)")
"""A denial for one of several: `only the novel does not`."""
SENTENCE = re.compile(r"(?<=[.!?])\s+|\s\|\s|;\s")


@dataclass(frozen=True, slots=True)
class Quote:
    """A quotation in a text."""

    text: str
    start: int
    end: int


def quotes(text: str) -> tuple[Quote, ...]:
    """Quotations of at least three words."""
    found = []
    for match in _MARKED.finditer(text):
        said = match[1] or match[2]
        if len(said.split()) >= 3:
            found.append(Quote(said, match.start(), match.end()))
    return tuple(found)


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Folded words and figures with single spaces and a space at either end; the sign of nothing else is kept."""
    said = _CONTRACTED.sub(" not", fold(text).replace("can't", "can not").replace("cannot", "can not"))
    return f" {' '.join(re.findall(r'[a-z0-9]+', said))} "


def verbatim(quote: str, entry: Entry) -> bool:
    """Whether a quotation stands on a page word for word; what it leaves out with dots may be anything."""
    page, at = plain(entry.page.text), 0
    parts = [part for part in _GAP.split(quote.strip(" .\"'")) if plain(part).strip()]
    for part in parts:
        spot = page.find(plain(part), at)
        if spot < 0:
            return False
        at = spot + len(plain(part)) - 1
    return bool(parts)


def quoted(quote: str, entry: Entry) -> bool:
    """Whether a quotation stands on a page, perhaps with small words or endings changed."""
    if verbatim(quote, entry):
        return True
    wanted, values = content_of(quote), _values(quote)
    if len(wanted) + len(values) < 3:
        return False
    words = vocabulary(quote)
    if len(words & entry.page.words) < 0.8 * len(words):
        return False
    for line in entry.page.lines:
        if len(words & line.words) < 0.8 * len(words):
            continue
        spot = fuzz.partial_ratio_alignment(fold(quote), line.folded, score_cutoff=LOCATED)
        if spot is None:
            continue
        passage = _widened(line.text, spot.dest_start, spot.dest_end)
        if values <= _values(passage) and in_order(wanted, content_of(passage)) and parity(quote) == parity(passage):
            return True
    return False


_CONTRACTED = re.compile(r"n't\b")
_CURRENCY = frozenset({"usd", "dollar", "dollars"})
_FIGURE = re.compile(r"\d+")


def altered(text: str, entries: Sequence[Entry]) -> str:
    """The passage that has a text word for word, but for a figure in it; empty if there is none, or the figures agree.

    Numbers in words are figures, too: "five nights on it" is "three nights on it" with another one.
    """
    pattern = _figureless(text)
    figures = pattern.count("#")
    if figures == 0 or len(pattern.split()) < min(4, 2 + figures) or not 3 <= len(pattern.split()) <= 40:
        return ""
    like = [line.text for line in lines_of(entries) if pattern in _figureless(line.text)]
    return "" if any(figured(text) in figured(line) for line in like) else next(iter(like), "")


@lru_cache(maxsize=16_384)
def figured(text: str) -> str:
    """The same with numbers in figures and months in three letters: `three parcels of March` is `3 parcels of mar`."""
    said: list[str] = []
    tens = 0
    for word in plain(text).split():
        if word in TENS:
            tens = TENS[word]
            said.append(str(tens))
        elif word in NUMBERS or word in MONTHS:
            unit = NUMBERS.get(word, 0)
            joined = 0 < unit < 10 and tens > 0
            said[-1:] = [str(tens + unit)] if joined else [*said[-1:], str(unit) if word in NUMBERS else word[:3]]
            tens = 0
        elif word not in _CURRENCY:
            said.append(word)
            tens = 0
    return f" {' '.join(said)} "


@lru_cache(maxsize=16_384)
def _figureless(text: str) -> str:
    said = " ".join("#" if word in NUMBERS or word in TENS else word for word in plain(text).split())
    return f" {re.sub(r'#(?: #)+', '#', _FIGURE.sub('#', said))} "


def _widened(text: str, start: int, end: int) -> str:
    """The span with the words that it cuts through."""
    left = text.rfind(" ", 0, max(0, start - 1)) + 1
    right = text.find(" ", min(len(text), end + 1))
    return text[left : right if right >= 0 else len(text)]


def _values(text: str) -> frozenset[tuple[str, str]]:
    kinds = ("money", "number", "percent", "date", "time", "ref")
    return frozenset((token.kind, str(token.value)) for token in tokenize(text) if token.kind in kinds)


def in_order(wanted: Sequence[str], held: Sequence[str]) -> bool:
    """Whether all words stand in a passage in this order, whatever is between them."""
    rest = iter(held)
    return all(any(same(word, other) for other in rest) for word in wanted)


def same(one: str, other: str) -> bool:
    """Whether two words are the same, a slip of the pen apart."""
    if one == other:
        return True
    return len(one) > 5 and one[:3] == other[:3] and fuzz.ratio(one, other) >= 88


def parity(text: str) -> int:
    """1 if a text denies what it speaks of, 0 if it says it or denies it twice."""
    return denials(text) % 2


def denials(text: str) -> int:
    """How many times a text denies something."""
    text = GRANTED.sub(" ", _FEWER.sub("fewer", _OUTCOME.sub(" ", text)))
    found = sum(1 for n in negators(text) if not _only_zero(tokenize(text)[n.first]))
    return found + len(_UN.findall(fold(text)))


def _only_zero(token: Token) -> bool:
    return token.kind == "number"


def coverage(wanted: frozenset[str], entries: Sequence[Entry]) -> tuple[float, str]:
    """The largest share of words that one line (or two that follow each other) holds, and that line."""
    best, where = 0.0, ""
    for entry in entries:
        if not wanted or len(wanted & entry.page.words) <= best * len(wanted):
            continue
        lines = entry.page.lines
        for at in entry.page.sharing(wanted):
            line = lines[at]
            share = _share(wanted, line.words)
            if 0 < share < 1 and at + 1 < len(lines):
                share = max(share, 0.95 * _share(wanted, line.words | lines[at + 1].words))
            if share > best:
                best, where = share, line.text
    return best, where


def _share(wanted: frozenset[str], held: frozenset[str]) -> float:
    return len(wanted & held) / len(wanted)


def opposite(text: str, line: str) -> bool:
    """Whether a passage that shares most of a text's words denies it (or the text denies the passage)."""
    return any(_opposite(clause, line) for clause in SENTENCE.split(text) if not EXCEPTED.search(fold(clause)))


def denied(text: str, entries: Sequence[Entry]) -> str:
    """The sentence of a record that has all words of a part of a text, where one of the two denies it."""
    for clause in re.split(r"[,;]", text) if _NOT.search(fold(text)) else ():
        wanted = vocabulary(clause)
        if not 3 <= len(wanted) <= 8 or not _NOT.search(fold(clause)):
            continue
        for entry in entries:
            for line in entry.page.lines if not entry.policy and entry.url else ():
                if wanted <= line.words and any(_says(part, wanted) for part in SENTENCE.split(line.text)):
                    return line.text
    return ""


def _says(part: str, wanted: frozenset[str]) -> bool:
    return wanted <= vocabulary(part) and denials(part) == 0


def _opposite(text: str, line: str) -> bool:
    wanted = vocabulary(text)
    if len(wanted) < 2 or len(wanted) > 14:
        return False
    best = max(SENTENCE.split(line), key=lambda part: len(wanted & vocabulary(part)))
    held = vocabulary(best)
    shared = len(wanted & held)
    if shared < 0.75 * len(wanted) or shared < 2 or denials(text) == denials(best) > 0:
        return False
    mine, theirs = _shared_part(text, held), _shared_part(best, wanted)
    return max(denials(mine), denials(theirs)) < 2 and parity(mine) != parity(theirs)


def _shared_part(sentence: str, wanted: frozenset[str]) -> str:
    """From just before the first word that a sentence shares to the last one."""
    tokens = tokenize(sentence)
    shared = [at for at, token in enumerate(tokens) if set(content((token,))) & wanted]
    first, last = max(0, shared[0] - 3), min(len(tokens) - 1, shared[-1] + 2)
    return sentence[tokens[first].start : tokens[last].end]


def turned(text: str, lines: Sequence[Line]) -> bool:
    """Whether a text says `from A to B` of what the pages call `B to A`, and nowhere `A to B`."""
    ways = [*_ways(tokenize(text))]
    going = [line for line in lines if _TO.search(line.text)] if ways else []
    return any(
        any(_goes(line, end, start) for line in going) and not any(_goes(line, start, end) for line in going)
        for start, end in ways
    )


def _ways(tokens: Sequence[Token]) -> Iterator[tuple[Token, Token]]:
    """What stands before and behind each `to`, where both can be an end of a way."""
    for start, to, end in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if to.value == "to" and to.kind == "word" and _endpoint(start) and _endpoint(end) and start.value != end.value:
            yield start, end


def _endpoint(token: Token) -> bool:
    return token.kind in ("number", "money", "percent", "date") or (token.kind == "word" and len(str(token.value)) > 1)


def _goes(line: Line, source: Token, target: Token) -> bool:
    if str(source.value) not in line.folded and source.kind == "word" and not str(source.value).startswith("size:"):
        return False
    tokens = tokenize(line.text)
    return any(
        tokens[at].value == "to" and _alike(tokens[at - 1], source) and _alike(tokens[at + 1], target)
        for at in range(1, len(tokens) - 1)
    )


def _alike(one: Token, other: Token) -> bool:
    return one.kind == other.kind and one.value == other.value
