"""Phrasebook: the written phrasings of the narrator, by slot, and decks that deal them without repeating themselves."""

import random
import re
import string
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Self

from pydantic import TypeAdapter, model_validator

from longtrail.paths import NOISE
from longtrail.records.record import Record
from longtrail.yaml_file import read

NARRATION = NOISE / "narration.yaml"
FIELDS = frozenset(
    re.findall(
        r"\w+",
        "site host title heading count first second third last lead links other price total fact fact2 complaint query "
        "target thing text option aim plan was filter order visited several facts quote",
    )
)
"""What a phrasing may speak of."""
REPEATABLE = frozenset({"target", "thing", "text", "option", "host", "site"})
"""What may be named twice in one text."""

Phrasings = tuple[str, ...]
_CHOICE = re.compile(r"\[([^\[\]]*)\]")
"""Alternatives within a phrasing: `[begins|starts] with`."""


class Slips(Record):
    """What leads to a step that does not help, and what is made of it."""

    wrong: Phrasings
    """Why the agent tries another link first."""
    in_vain: Phrasings
    """That the page behind it is not what is needed."""
    back: Phrasings
    """Why it returns."""
    returned: Phrasings
    """What it does now, on the page that it had left."""
    again: Phrasings
    """Why it loads the same page once more."""
    same: Phrasings
    """That nothing has changed."""


class Phrasebook(Record):
    """Every phrasing, by slot; where a slot depends on the page's kind or the step's intent, by that."""

    orient: dict[str, Phrasings]
    """Where the agent is, by the kind of the page."""
    aside: Phrasings
    """What it leaves alone."""
    purpose: Phrasings
    """What the task asks for at this stage."""
    recap: Phrasings
    """Where it has been."""
    declare: dict[str, Phrasings]
    """What it is about to do, by intent."""
    happened: dict[str, Phrasings]
    """What the step did, by intent."""
    seen: dict[str, Phrasings]
    """What the new page shows, by its kind."""
    quotes: Phrasings
    """What a page says in passing, whatever its kind."""
    judge: dict[str, Phrasings]
    """What that is worth: progress, surprise, empty, complaint, detour."""
    next: Phrasings
    """What is still to do."""
    ready: Phrasings
    """That nothing is, where only the answer is left."""
    closing: Phrasings
    """The end."""
    slips: Slips

    @model_validator(mode="after")
    def _known_fields(self) -> Self:
        for phrasing in self.every():
            if unknown := fields(phrasing) - FIELDS:
                raise ValueError(f"{phrasing!r}: unknown field {', '.join(sorted(unknown))}")
            if any("{" in choice for choice in _CHOICE.findall(phrasing)):
                raise ValueError(f"{phrasing!r}: a field can't be one of the alternatives")
        return self

    def every(self) -> list[str]:
        """All phrasings."""
        found: list[str] = []
        for value in (*dict(self).values(), dict(self.slips)):
            if isinstance(value, Slips):
                continue
            for phrasings in value.values() if isinstance(value, Mapping) else (value,):
                found.extend(phrasings)
        return found


@cache
def phrasebook(path: Path = NARRATION) -> Phrasebook:
    """The phrasings that ship. Raises DataError."""
    return read(TypeAdapter(Phrasebook), path)


@cache
def fields(phrasing: str) -> frozenset[str]:
    """What a phrasing speaks of."""
    return frozenset(name for _, name, _, _ in string.Formatter().parse(phrasing) if name)


class Deck:
    """Deals phrasings in an order drawn by the seed, each of them once."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)  # noqa: S311 (seeded variety, no secret)
        self._used: set[str] = set()

    def deal(self, phrasings: Phrasings, known: Mapping[str, str], spoken: set[str]) -> str:
        """A phrasing all of whose fields are known and none spoken of before in this text, filled in; its fields are
        spoken of from then on. Empty if there is none."""
        fitting = [
            phrasing
            for phrasing in phrasings
            if phrasing not in self._used
            and not (fields(phrasing) - REPEATABLE) & spoken
            and all(known.get(name) for name in fields(phrasing))
        ]
        if not fitting:
            return ""
        chosen = self.random.choice(fitting)
        self._used.add(chosen)
        spoken |= fields(chosen)
        return self.worded(chosen).format_map(known)

    def worded(self, phrasing: str) -> str:
        """A phrasing with one of each of its alternatives: `[I'm|I am] here`."""
        return _CHOICE.sub(lambda match: self.random.choice(match[1].split("|")), phrasing)
