"""Routes: from where to where something goes, told the other way round than the pages have it."""

import re
from collections.abc import Sequence

from longtrail.scoring.grounding.ledger import Entry
from longtrail.scoring.grounding.wording import SENTENCE

_GAP = r"(?: the| a)?(?: (?!to\b|there\b|from\b)[a-z]+){0,3}? "
_FROM = re.compile(
    r"\b(?:from|out of|left|leaving|departed|(?:facility|depot|hub|centre|center|warehouse) (?:of|in|at))"
    rf"{_GAP}(?P<place>[A-Z][a-z]+)\b"
)
_TO = re.compile(
    r"\b(?:to|towards?|bound for|headed for|heading for|next stop|reached|arrived (?:in|at))"
    rf"{_GAP}(?P<place>[A-Z][a-z]+)\b"
    r"|\b(?P<named>[A-Z][a-z]+) (?:as (?:its|the)|(?:is|was|being) (?:its|the)) (?:next stop|destination)\b"
)


def other_way(text: str, inside: Sequence[Entry]) -> str:
    """Why a way leads from B to A where a text has it from A to B; empty if that can't be told."""
    ways = _ways(text)
    ways = {(start, end) for start, end in ways if (end, start) not in ways}
    if not ways:
        return ""
    near = [e.page for e in inside if not e.policy and any(a in e.page.text and b in e.page.text for a, b in ways)]
    lines = [
        line.text for page in near for line in page.lines if any(a in line.text and b in line.text for a, b in ways)
    ]
    held = set().union(*(_ways(part) for line in lines for part in SENTENCE.split(line)))
    wrong = sorted((start, end) for start, end in ways if (end, start) in held and (start, end) not in held)
    return f"it went from {wrong[0][1]} to {wrong[0][0]}" if wrong else ""


def _ways(text: str) -> set[tuple[str, str]]:
    """(from, to) of the places in a text."""
    starts = {match["place"] for match in _FROM.finditer(text)}
    ends = {match["place"] or match["named"] for match in _TO.finditer(text)}
    return {(start, end) for start in starts for end in ends if start != end}
