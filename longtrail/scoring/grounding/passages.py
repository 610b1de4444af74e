"""Passages: the sentences and clauses of pages, to find the ones that a claim tells in words of its own."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from longtrail.scoring.grounding.ledger import PROMPT, Entry
from longtrail.scoring.grounding.page import HEADER, Line
from longtrail.scoring.grounding.wording import SENTENCE
from longtrail.scoring.grounding.words import vocabulary

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


def clauses(text: str) -> list[str]:
    """The clauses of a text."""
    return [part.strip() for part in _CLAUSES.split(text) if part.strip()]


@lru_cache(maxsize=65_536)
def _parts(line: str, *, fine: bool) -> tuple[tuple[str, frozenset[str]], ...]:
    """The sentences or the clauses of a line that tell something, with their words."""
    told = [part.strip() for part in SENTENCE.split(line) if not _DECIDES.search(part)]
    parts = [clause for one in told for clause in clauses(one)] if fine else told
    held = ((part, vocabulary(part)) for part in parts if not HEADER.search(part))
    return tuple((part, words) for part, words in held if len(words) > 1)


def sharing(
    wanted: frozenset[str], entries: Sequence[Entry], least: int, *, fine: bool = False, cited: tuple[str, ...] = ()
) -> Iterator[tuple[int, Passage]]:
    """(words shared, passage) of every passage of records with so many of the words, and of the paragraphs cited.

    What the instruction says, and what rules say that nobody cites, is no record. `fine`: clauses, not sentences.
    """
    for entry in entries:
        if PROMPT in entry.keys or entry.page.open_grid or (entry.policy and not cited):
            continue
        seen: set[str] = set()
        for line in (entry.page.lines[at] for at in entry.page.sharing(wanted, least)):
            if line.heads or line.text.startswith(_FRAMES) or (entry.policy and not line.text.startswith(cited)):
                continue
            for part, words in _parts(line.text, fine=fine):
                shared = len(words & wanted)
                if shared >= least and part not in seen:
                    seen.add(part)
                    yield shared, Passage(part, words, line)
