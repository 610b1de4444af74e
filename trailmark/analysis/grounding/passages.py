"""Passages: the sentences and clauses of pages, to find the ones that a claim tells in words of its own."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from trailmark.analysis.grounding.ledger import PROMPT, Entry
from trailmark.analysis.grounding.page import HEADER, Line, Page
from trailmark.analysis.grounding.wording import SENTENCE
from trailmark.analysis.grounding.words import vocabulary

_CLAUSES = re.compile(
    r"(?<=[.!?])\s+|\s\|\s|[;:,()]|\b(?:and|but|because|while|whereas|so|since|though|which|if|hence)\b"
)
_FRAMES = ("row:", "columns:", "heading", "Reply to")
"""Lines that begin so are tables and titles, and tell nothing in sentences."""
_DECIDES = re.compile(r": (?:[A-Z]{3,} ?)+")
"""What stands ahead of an outcome is a condition, and denies nothing."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence or a clause of a page."""

    text: str
    words: frozenset[str]
    line: Line


@dataclass(frozen=True, slots=True)
class _Cut:
    """The passages of a page, and which of them have a word."""

    passages: tuple[Passage, ...]
    having: dict[str, list[int]]


def clauses(text: str) -> list[str]:
    """The clauses of a text."""
    return [part.strip() for part in _CLAUSES.split(text) if part.strip()]


@lru_cache(maxsize=1024)
def _cut(page: Page, *, fine: bool) -> _Cut:
    found: dict[str, Passage] = {}
    for line in page.lines:
        if line.heads or line.text.startswith(_FRAMES):
            continue
        told = [part.strip() for part in SENTENCE.split(line.text) if not _DECIDES.search(part)]
        for part in (clause for one in told for clause in clauses(one)) if fine else told:
            words = vocabulary(part)
            if len(words) > 1 and not HEADER.search(part):
                found.setdefault(part, Passage(part, words, line))
    passages = tuple(found.values())
    having: dict[str, list[int]] = {}
    for at, passage in enumerate(passages):
        for word in passage.words:
            having.setdefault(word, []).append(at)
    return _Cut(passages, having)


def sharing(
    wanted: frozenset[str], entries: Sequence[Entry], least: int, *, fine: bool = False, cited: tuple[str, ...] = ()
) -> Iterator[tuple[int, Passage]]:
    """(words shared, passage) of every passage of records with so many of the words, and of the paragraphs cited.

    What the instruction says, and what rules say that nobody cites, is no record. `fine`: clauses, not sentences.
    """
    for entry in entries:
        if PROMPT in entry.keys or entry.page.open_grid or (entry.policy and not cited):
            continue
        if len(wanted & entry.page.words) < least:
            continue
        cut = _cut(entry.page, fine=fine)
        counts = Counter(at for word in wanted for at in cut.having.get(word, ()))
        for at in sorted(at for at, count in counts.items() if count >= least):
            if not entry.policy or cut.passages[at].line.text.startswith(cited):
                yield counts[at], cut.passages[at]
