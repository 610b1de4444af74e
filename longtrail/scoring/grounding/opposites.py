"""Opposites: does a claim tell a passage with the opposite of one of its words?"""

import re
from collections.abc import Sequence
from functools import cache

from longtrail.scoring.grounding.ledger import PROMPT, Entry
from longtrail.scoring.grounding.passages import clauses, sharing
from longtrail.scoring.grounding.rules import cited_paragraphs
from longtrail.scoring.grounding.swaps import opposed_rows
from longtrail.scoring.grounding.wording import denials, plain
from longtrail.scoring.grounding.words import EMPTY, stem, vocabulary
from longtrail.text.folding import fold

_OF_MANY_MEANINGS = frozenset({"over", "under", "left", "right", "open", "before", "after", "more", "less"})
"""In other words than those of the page these need not be the opposites that they are in its own."""
_OURS = re.compile(r"\b(?:our(?: own)? ([a-z]{4,})|([a-z]{4,}) of ours)\b")
_THEIRS = re.compile(r"\b(?:his|her|their) own ([a-z]{4,})|([a-z]{4,}) of (?:his|hers|theirs) own\b")
MOSTLY, HALF, SOME = 0.6, 0.5, 0.4


def opposite_word(text: str, source: str, inside: Sequence[Entry]) -> str:
    """The passage that has the opposite of a word of a text, and the rest alike; empty if there is none.

    A clause must be like a clause of a page; in a whole sentence the two words must stand beside the same word.
    """
    cited = cited_paragraphs(f"{source} {text}")
    for part in clauses(text):
        for side, others in _sides(part):
            if line := _told_with(part, side, others, inside, cited):
                return line
    for side, others in _sides(text):
        if line := _beside_the_same(text, side, others, inside, cited):
            return line
    return ""


def anothers_own(text: str, inside: Sequence[Entry]) -> str:
    """The line that has `his own label`, and none `our label`, for `a label of ours`, or the reverse; else empty."""
    wanted, said = vocabulary(text), fold(text)
    for whose, others in ((_OURS, _THEIRS), (_THEIRS, _OURS)):
        things = {match[1] or match[2] for match in whose.finditer(said)}
        if not things:
            continue
        pages = [entry.page for entry in inside if not entry.policy and PROMPT not in entry.keys]
        lines = [line for page in pages for line in page.lines if line.words & wanted]
        held = {match[1] or match[2] for line in lines for match in whose.finditer(line.folded)}
        wrong = (
            line.text
            for line in lines
            for match in others.finditer(line.folded)
            if {match[1], match[2]} & (things - held)
        )
        if line := next(wrong, ""):
            return line
    return ""


def _sides(text: str) -> list[tuple[frozenset[str], frozenset[str]]]:
    """The rows of which a text has a word of one side only: (that side, the other ones)."""
    said, found = set(plain(text).split()) - _OF_MANY_MEANINGS, []
    for sides in opposed_rows() if said & _every_word() else ():
        has = [side for side in sides if said & side]
        if len(has) == 1:
            found.append((has[0], frozenset().union(*(side for side in sides if side is not has[0]))))
    return found


@cache
def _every_word() -> frozenset[str]:
    return frozenset().union(*(side for sides in opposed_rows() for side in sides))


def _told_with(
    part: str, side: frozenset[str], others: frozenset[str], inside: Sequence[Entry], cited: tuple[str, ...]
) -> str:
    wanted = vocabulary(part) - _stems(side)
    found = ""
    for shared, passage in sharing(wanted, inside, 2, fine=True, cited=cited) if not denials(part) else ():
        held = len(passage.words - _stems(side | others))
        if shared < MOSTLY * len(wanted) or shared < MOSTLY * held:
            continue
        words = set(plain(passage.text).split())
        if words & side:
            return ""
        if words & others and not denials(passage.text):
            found = found or passage.text
    return found


def _beside_the_same(
    text: str, side: frozenset[str], others: frozenset[str], inside: Sequence[Entry], cited: tuple[str, ...]
) -> str:
    wanted, beside, found = vocabulary(text) - _stems(side), _beside(text, side), ""
    for shared, passage in sharing(wanted, inside, 1, cited=cited) if not denials(text) else ():
        words = set(plain(passage.text).split())
        if words & side:
            if beside & _beside(passage.text, side):
                return ""
            continue
        held = len(passage.words - _stems(side | others))
        like = shared >= 2 and (shared >= SOME * len(wanted) or shared >= HALF * held)
        if like and words & others and beside & _beside(passage.text, others) and not denials(passage.text):
            found = found or passage.text
    return found


def _beside(text: str, words: frozenset[str]) -> frozenset[str]:
    """The stems of the next words with a meaning on either side of some words."""
    said = [word for word in plain(text).split() if word in words or word not in EMPTY]
    spots = [at for at, word in enumerate(said) if word in words]
    near = (word for at in spots for word in said[max(0, at - 1) : at + 2])
    return frozenset(stem(word) for word in near if word not in words)


def _stems(words: frozenset[str]) -> frozenset[str]:
    return frozenset(map(stem, words))
