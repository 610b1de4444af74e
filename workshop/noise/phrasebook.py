"""Phrasebook: the narrator's phrasings by slot, and decks that choose each of them at most once."""

import random
import re
import string
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Self

from pydantic import model_validator

from longtrail.records.record import Record
from longtrail.yaml_file import read
from workshop.noise.ledger import OFTEN, Ledger

NARRATION = Path(__file__).parent / "narration.yaml"
FIELDS = frozenset(
    re.findall(
        r"\w+",
        "site host title heading count first second third last lead links other price total fact fact2 complaint query "
        "target thing text option aim plan was filter order visited several facts quote quote2 quote3 typed",
    )
)
"""The fields that a phrasing may use."""
REPEATABLE = frozenset({"target", "thing", "text", "option", "host", "site"})
"""The fields that one text may use twice."""

Phrasings = tuple[str, ...]
_CHOICE = re.compile(r"\[([^\[\]]*)\]")
"""Alternatives within a phrasing: `[begins|starts] with`."""
_TRIES = 4
"""Wordings of a phrasing that are tried."""
FRESH = 2
"""A form used less often than this is taken at once; one used more often only if there is no other."""


class Slips(Record):
    """Phrasings about a step that does not help: why it is made, and what follows."""

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
    guess: Phrasings
    """Why it enters an address that it has not seen."""
    nowhere: Phrasings
    """That the address was wrong."""
    words: Phrasings
    """Why it asks a search for its whole aim."""
    too_wide: Phrasings
    """That such a search did not help."""
    typo: Phrasings
    """Why it searches; it does not know yet that it mistyped."""
    mistyped: Phrasings
    """That it mistyped."""
    further: Phrasings
    """Why it looks at the rest of the page."""
    no_more: Phrasings
    """That the rest did not help."""


class Phrasebook(Record):
    """All phrasings by slot; some slots are further divided by the page's kind or the step's
    intent."""

    orient: dict[str, Phrasings]
    """Where the agent is, by kind of page."""
    aside: Phrasings
    """What it ignores."""
    purpose: Phrasings
    """What the task asks for at this stage."""
    recap: Phrasings
    """Where it has been."""
    declare: dict[str, Phrasings]
    """What it is about to do, by intent."""
    happened: dict[str, Phrasings]
    """What the step did, by intent."""
    seen: dict[str, Phrasings]
    """What the new page shows, by kind of page."""
    quotes: Phrasings
    """Other details of a page of any kind."""
    judge: dict[str, Phrasings]
    """The assessment: progress, surprise, empty, complaint, detour."""
    next: Phrasings
    """What remains to be done."""
    ready: Phrasings
    """That only the answer remains."""
    closing: Phrasings
    """The end."""
    slips: Slips
    interchangeable: tuple[Phrasings, ...]
    """Sets of words that mean the same wherever they occur in a phrasing."""

    @cached_property
    def same(self) -> dict[str, Phrasings]:
        """Words -> the set of words that mean the same."""
        return {words: group for group in self.interchangeable for words in group}

    @cached_property
    def exchange(self) -> re.Pattern[str]:
        """Finds words that can be exchanged, and fields, which must not be touched (nor `I should have taken`)."""
        words = "|".join(re.escape(word) for word in sorted(self.same, key=len, reverse=True))
        return re.compile(rf"\{{\w+\}}|(?<![\w'])(?:{words})(?![\w'])(?! have \w+(?:ed|en|ad)\b)")

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
        texts: list[str] = []
        slots = {name: getattr(self, name) for name in type(self).model_fields}
        for name, value in (*slots.items(), ("slips", dict(self.slips))):
            if isinstance(value, Slips) or name == "interchangeable":
                continue
            for phrasings in value.values() if isinstance(value, Mapping) else (value,):
                texts.extend(phrasings)
        return texts


@cache
def phrasebook(path: Path = NARRATION) -> Phrasebook:
    """The phrasings that ship. Raises DataError."""
    return read(Phrasebook, path)


@cache
def fields(phrasing: str) -> frozenset[str]:
    """The fields of a phrasing."""
    return frozenset(name for _, name, _, _ in string.Formatter().parse(phrasing) if name)


class Deck:
    """Returns phrasings in a seeded random order, each once, in a wording that the pool has used least so far."""

    def __init__(self, seed: str, ledger: Ledger | None = None, book: Phrasebook | None = None) -> None:
        self.random = random.Random(seed)  # noqa: S311 (seeded variety, no secret)
        self._ledger, self._book = ledger or Ledger(), book
        self._used: set[str] = set()

    def deal(self, phrasings: Phrasings, known: Mapping[str, str], spoken: set[str]) -> str:
        """Choose a phrasing whose fields are all known and not yet used in this text, fill it in,
        and mark its fields as used. Empty if there is none, or if each of them was used too often."""
        fitting = [
            phrasing
            for phrasing in phrasings
            if phrasing not in self._used
            and not (fields(phrasing) - REPEATABLE) & spoken
            and all(known.get(name) for name in fields(phrasing))
        ]
        self.random.shuffle(fitting)
        for limit in (FRESH, OFTEN - 1):
            for phrasing in fitting:
                for text in self._wordings(phrasing, known):
                    if self._ledger.uses(text) < limit:
                        self._used.add(phrasing)
                        spoken |= fields(phrasing)
                        self._ledger.add(text)
                        return text
        return ""

    def _wordings(self, phrasing: str, known: Mapping[str, str]) -> Iterator[str]:
        """Some wordings of a phrasing, filled in."""
        for _ in range(_TRIES):
            yield self.worded(phrasing).format_map(known)

    def worded(self, phrasing: str) -> str:
        """A phrasing with one of each of its alternatives: `[I'm|I am] here`."""
        text = _CHOICE.sub(lambda match: self.random.choice(match[1].split("|")), phrasing)
        if self._book is None:
            return text
        same = self._book.same
        return self._book.exchange.sub(
            lambda match: self.random.choice(same[match[0]]) if match[0] in same else match[0], text
        )
