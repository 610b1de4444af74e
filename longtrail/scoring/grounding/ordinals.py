"""Ordinals: `the fourth report`: which one of several something is said to be, as pages number it."""

import re
from collections.abc import Callable, Iterator, Sequence

from longtrail.scoring.grounding.ledger import Entry
from longtrail.scoring.grounding.page import Line
from longtrail.scoring.grounding.words import stem
from longtrail.text.folding import fold

ORDINALS = ("third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth")
_ORDINAL = re.compile(
    rf"\b(?P<which>{'|'.join(ORDINALS)})\b(?! of\b| (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))"
)


def numbered(text: str, words: frozenset[str]) -> Iterator[tuple[str, Callable[[Sequence[Entry]], str | None]]]:
    """(what is said, where it stands) of each ordinal from the third on; first and second are met everywhere."""
    for match in _ORDINAL.finditer(fold(text)):
        which = match["which"]
        yield f"ordinal {which}", _finder(which, words - {stem(which)})


def _finder(which: str, words: frozenset[str]) -> Callable[[Sequence[Entry]], str | None]:
    """It stands in a line with it and a word of the claim; nowhere if a line has most of the claim with another."""

    def find(entries: Sequence[Entry]) -> str | None:
        lines = [(entry, line) for entry in entries for line in entry.page.lines if line.words & words]
        if there := next((entry for entry, line in lines if which in _of(line)), None):
            return f"stands on {there.name}"
        other = any(_of(line) and len(line.words & words) >= max(2, 0.6 * len(words)) for _, line in lines)
        return "" if other else None

    return find


def _of(line: Line) -> set[str]:
    return {match["which"] for match in _ORDINAL.finditer(line.folded)}
