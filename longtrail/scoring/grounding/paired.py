"""Paired: two things that a page has side by side, each with another partner: a label, a figure, a count, a box."""

import re
from collections.abc import Sequence

from longtrail.scoring.grounding.ledger import Entry, lines_of
from longtrail.scoring.grounding.page import Line
from longtrail.scoring.grounding.words import vocabulary
from longtrail.text.folding import fold, stands_in

_LABELLED = re.compile(r"(?<![\w\"])([a-z]\w+): (\w+ \w+ \w+)")
_AT = re.compile(r"(?<![\d.,:])(\d+)(?: [a-z]+)? at (\d+)(?![\d.,:]*\d)")
_SINGLE = re.compile(r"(?:\b(?:number|no\.?)|#) ?(\d+)\b[^,.;]*\b(?:a single|only one|just one) (\w+)")
_STOCKED = re.compile(
    r"\b(not |never |n't )?(?:\w+ )?(?:returned|put back|gone back|went back|taken back) (?:in)?to stock\b"
)


def mispaired(text: str, inside: Sequence[Entry], lines: Sequence[Line]) -> str:
    """Why two things of a text don't belong together; empty if that can't be told."""
    said = fold(text)
    return (
        _under_another_label(said, lines_of(entry for entry in inside if not entry.policy))
        or _at_another(said, lines)
        or _more_than_one(said, lines)
        or _stocked(text, inside)
    )


def _under_another_label(said: str, lines: Sequence[Line]) -> str:
    """`Cap: pine needles in ...`, where they stand behind `Overshirt:`."""
    for match in _LABELLED.finditer(said):
        held = [line.folded for line in lines]
        behind = (m for line in held if match[2] in line for m in _LABELLED.finditer(line))
        labels = {m[1] for m in behind if m[2] == match[2]}
        if labels and match[1] not in labels and any(stands_in(match[1], line) for line in held):
            return f"that stands behind {min(labels)!r}"
    return ""


def _at_another(said: str, lines: Sequence[Line]) -> str:
    """`47 minutes at 38`, where 47 is at 34."""
    told = [match.groups() for match in _AT.finditer(said)]
    pairs = {match.groups() for line in lines for match in _AT.finditer(line.folded)} if told else set()
    for one, other in told:
        others = {b for a, b in pairs if a == one}
        if others and other not in others:
            return f"{one} is at {min(others)}"
    return ""


def _more_than_one(said: str, lines: Sequence[Line]) -> str:
    """`Number 44 has a single solution` of what has two."""
    for match in _SINGLE.finditer(said):
        held = [line.folded for line in lines]
        noun = re.escape(match[2].removesuffix("s"))
        near = [line for line in held if re.search(rf"(?<!\d){match[1]}(?!\d)", line)]
        if any(re.search(rf"\b(?:one|single|1) {noun}\b", line) for line in held):
            continue
        if any(re.search(rf"\b(?:two|three|four|five|several|[2-9]) {noun}s\b", line) for line in near):
            return f"there are more than one {match[2]}"
    return ""


def _stocked(text: str, inside: Sequence[Entry]) -> str:
    """Said to be back in stock, or not, where the box of its row on a credit memo says otherwise."""
    match = _STOCKED.search(fold(text))
    if match is None:
        return ""
    wanted = vocabulary(text)
    for entry in inside:
        if "| return to stock" not in entry.page.folded:
            continue
        rows = [row for row in entry.page.rows if row.text.rstrip().endswith(("| Yes", "| No"))]
        best = max((len(row.words & wanted) for row in rows), default=0)
        meant = [row for row in rows if len(row.words & wanted) == best and best]
        if len(meant) == 1 and meant[0].text.rstrip().endswith("| Yes") == bool(match[1]):
            return "the row's box says otherwise"
    return ""
