"""Subjects: what the pages tell of one article or member is told of another one of the case."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from longtrail.scoring.grounding.ledger import Entry, Ledger
from longtrail.scoring.grounding.passages import Passage, sharing
from longtrail.scoring.grounding.words import vocabulary

_CUTS = re.compile(r"[;,:]|\b(?:and|but|while|whereas|not)\b")
SEVERAL = 2
"""So many words of what is said of one subject make up what a passage tells of another one."""
FEW = 2
"""A word that no more passages have tells of what they tell of, even alone."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a text that names one subject, and what it says of it."""

    text: str
    subject: str
    said: frozenset[str]
    elsewhere: tuple[tuple[frozenset[str], Passage], ...]
    """Passages that share something of it, but tell of others, and of whom."""


def of_another_subject(text: str, inside: Sequence[Entry], ledger: Ledger) -> str:
    """Why what a text says of a subject is told of another one that it names, too; empty if that can't be told."""
    parts = [part for piece in _CUTS.split(text) for part in _parts(piece, inside, ledger)]
    for part in parts:
        others = {other.subject for other in parts} - {part.subject}
        for subjects, passage in part.elsewhere if others else ():
            shared = part.said & passage.words
            whole = {word for word in passage.words if word not in ledger.subjects} <= part.said
            if subjects & others and (len(shared) >= SEVERAL or whole):
                return f"that is told of another one: {passage.text[:80]}"
    return _exchanged(parts, inside) if ledger.suite == "reddit" else ""


def _parts(piece: str, inside: Sequence[Entry], ledger: Ledger) -> list[_Part]:
    """The part, if it names one subject, and no passage that names it shares anything else with it."""
    words = vocabulary(piece)
    named = {ledger.subjects[word] for word in words if word in ledger.subjects}
    said = frozenset(word for word in words if word not in ledger.subjects)
    if len(named) != 1 or not said:
        return []
    subject, elsewhere = named.pop(), []
    for _, passage in sharing(said, inside, 1):
        told = _told_of(passage, ledger)
        if subject in told:
            return []
        if told:
            elsewhere.append((told, passage))
    return [_Part(piece, subject, said, tuple(elsewhere))]


def _told_of(passage: Passage, ledger: Ledger) -> frozenset[str]:
    """The subjects that a passage names, and the member who wrote it."""
    named = {ledger.subjects[word] for word in passage.words if word in ledger.subjects}
    return frozenset(named | ({passage.line.speaker} if passage.line.speaker else set()))


def _exchanged(parts: Sequence[_Part], inside: Sequence[Entry]) -> str:
    """Two members each of whom the pages tell what a text says of the other one, if only by a rare word."""
    for one, other in permutations(parts, 2):
        if one.subject >= other.subject:
            continue
        first, second = (
            [passage.text for told, passage in mine.elsewhere if its.subject in told and _rare(mine, passage, inside)]
            for mine, its in ((one, other), (other, one))
        )
        if first and second:
            return f"{one.subject} and {other.subject} changed places: {first[0][:60]}"
    return ""


def _rare(part: _Part, passage: Passage, inside: Sequence[Entry]) -> bool:
    for word in sorted(part.said & passage.words):
        if len({one.text for _, one in sharing(frozenset({word}), inside, 1)}) <= FEW:
            return True
    return False
