"""Lengths: parses context lengths and the placements of decision tasks."""

import re
from typing import get_args

from longtrail.errors import UsageError
from longtrail.records.run_kinds import Placement
from longtrail.tasks.cases import RELOCATED

UNITS = {"": 1, "k": 1_000, "m": 1_000_000}


def read_lengths(text: str) -> tuple[tuple[int, ...], bool]:
    """Lengths in tokens, in order, and whether the `relocated` control is included. Raises UsageError."""
    lengths: list[int] = []
    relocated = False
    for word in filter(None, (part.strip().lower() for part in text.split(","))):
        if word == RELOCATED:
            relocated = True
            continue
        if not (parts := re.fullmatch(r"([0-9]{1,8})([km]?)", word)):
            raise UsageError(f"--lengths: expected numbers such as 0, 25k, 1m, 150000 or {RELOCATED}, got {word!r}")
        lengths.append(int(parts[1]) * UNITS[parts[2]])
    if not lengths and not relocated:
        raise UsageError("--lengths: expected at least one length")
    return tuple(sorted(set(lengths))), relocated


def read_placements(text: str, *, crossed: bool) -> tuple[Placement, ...]:
    """Placements in a fixed order: all if none is named, none if decision tasks have no long histories. Raises
    UsageError."""
    known: tuple[Placement, ...] = get_args(Placement)
    words = {part.strip() for part in text.split(",")} - {""}
    if strange := words - set(known):
        raise UsageError(f"--placement: expected any of {', '.join(known)}, got {', '.join(sorted(strange))}")
    if words and not crossed:
        raise UsageError("--placement: needs --lengths with a length above 0")
    return tuple(name for name in known if name in (words or known)) if crossed else ()
