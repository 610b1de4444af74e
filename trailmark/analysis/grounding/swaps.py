"""Swaps: a passage given with a word of it exchanged for another one, or for its opposite."""

from collections.abc import Sequence
from functools import cache

from trailmark.analysis.grounding.ledger import Entry
from trailmark.analysis.grounding.wording import plain, same
from trailmark.analysis.grounding.words import EMPTY, listed, stem, vocabulary

MOST_WORDS = 24
"""Longer texts are no quotation of one passage."""


def swapped(text: str, entries: Sequence[Entry]) -> str:
    """The line that has a text word for word but for one word with another meaning; empty if there is none."""
    said = plain(text).split()
    if not 4 <= len(said) <= MOST_WORDS:
        return ""
    for entry in entries:
        for line in entry.page.lines:
            if len(vocabulary(text) & line.words) >= 2 and _one_apart(said, plain(line.text).split()):
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
    if _opposed(one, other):
        return True
    if one.isdigit() or other.isdigit() or stem(one) == stem(other) or same(one, other):
        return False
    around = [word for word in rest if word not in EMPTY]
    return one not in EMPTY and len(around) >= 3


def reversed_in(text: str, entries: Sequence[Entry]) -> str:
    """The line that says most of a text's words, but the opposite of one of them, and not that one."""
    said = set(plain(text).split())
    for sides in _rows():
        for side in sides:
            wanted = frozenset(stem(word) for word in said - side if word not in EMPTY and len(word) > 1)
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


def _parts(text: str) -> list[str]:
    return [part for sentence in text.split(". ") for part in sentence.split(" | ")]


def _opposed(one: str, other: str) -> bool:
    return any(
        one in a and other in b for sides in _rows() for a in sides for b in sides if a is not b and one not in b
    )


@cache
def _rows() -> tuple[tuple[frozenset[str], ...], ...]:
    return tuple(tuple(frozenset(side.split()) for side in row.split(" / ")) for row in sorted(listed("opposed")))
