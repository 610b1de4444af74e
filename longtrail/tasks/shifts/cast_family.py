"""Cast family: a family of tickets with people, orders or posts in one shift, and the facts that its texts tell.

Also who draws the numbers of lots and drivers, and those of messages.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from longtrail.checks.facts import Fact
from longtrail.tasks.shifts.families import Family, FamilyOutcome
from longtrail.tasks.shifts.shift import FamilyPlace, Mail, ShiftTask
from longtrail.text.matcher import Atoms

_PHRASE = re.compile(r"\[([^\[\]]+)\]")


@dataclass
class CastFamily:
    """A family with people, in one shift."""

    number: int
    family: Family
    place: FamilyPlace
    outcome: FamilyOutcome
    roles: dict[str, SimpleNamespace]
    values: dict[str, Any]
    facts: dict[str, Fact] = field(default_factory=dict)
    mails: dict[str, Mail] = field(default_factory=dict)

    def say(self, text: str) -> str:
        """A text with its fields filled in."""
        return text.format(v=SimpleNamespace(**self.values), **self.roles)

    def at(self, part: str) -> int:
        """The place of a part."""
        return self.place.at[list(self.family.parts).index(part)]


class Casting:
    """Casts the families of one shift, one after the other."""

    def __init__(self, seed: int, material: Any, people: Any) -> None:
        """`people`: the domain's cast, which draws a role."""
        self._seed, self._material, self._people = seed, material, people
        self._taken: set[str] = set()

    def cast(self, number: int, place: FamilyPlace, family: Family) -> CastFamily:
        """A family of the shift with its people."""
        rng = random.Random(f"{self._seed}:{number}:{family.id}")  # noqa: S311 (a seeded choice, no secret)
        outcome = family.outcomes[place.outcome]
        outcome = outcome.model_copy(
            update={"records": (*family.records, *outcome.records), "tickets": {**family.rulings, **outcome.tickets}}
        )
        roles: dict[str, SimpleNamespace] = {}
        for name, spec in family.roles.items():
            roles[name] = self._people.draw({**spec, **outcome.roles.get(name, {})}, roles, rng)
        values: dict[str, Any] = {name: self._drawn(words, rng) for name, words in family.draws.items()}
        for name, value in outcome.values.items():
            values[name] = value.format(**roles) if isinstance(value, str) else value
        return CastFamily(number, family, place, outcome, roles, values)

    def _drawn(self, words: str, rng: random.Random) -> str:
        """One of the words of the material, which no other family of the shift has."""
        word = rng.choice([word for word in self._material[words] if word not in self._taken])
        self._taken.add(word)
        return str(word)


def phrase_of(text: str) -> str:
    """The words in square brackets, by which a text tells its fact; without brackets, all of it."""
    match = _PHRASE.search(text)
    return match[1] if match else text


def fact_of(family: CastFamily, name: str, says: str, text: str, pages: tuple[str, ...]) -> Fact:
    """A fact of a family as its pages show it."""
    return Fact(id=f"f{family.number}-{name}", says=says, shown=(Atoms(words=(phrase_of(text),)),), pages=pages)


def without_brackets(text: str) -> str:
    """A text as the site shows it."""
    return _PHRASE.sub(r"\1", text)


FIRST, STEP, BETWEEN = 2000, 30, 5
"""The lowest number, the space for each pair of neighbours, and how far these are apart."""
FIRST_DRIVER = 110
"""The lowest number of a driver."""


class Lots:
    """Draws the numbers of one shift, each once."""

    def __init__(self) -> None:
        self._free = list(range(250))

    def draw(self, neighbour: SimpleNamespace | None, rng: random.Random) -> tuple[int, str, int]:
        """A number; a span around it that has no other number of the shift; and a driver, whose number has three
        figures, so that it is no lot's. The neighbour of a number lies just below it."""
        if neighbour is not None:
            lot = neighbour.lot - BETWEEN
        else:
            lot = FIRST + STEP * self._free.pop(rng.randrange(len(self._free))) + rng.randint(10, 17)
        pair, place = divmod(lot - FIRST, STEP)
        return lot, f"{lot - 3} to {lot + 4}", FIRST_DRIVER + 3 * pair + place % 3


MAILS_PER_TICKET = 0.25
"""Mails that have to do with nothing, for each ticket."""
FILLER = -1
"""Stands for a family's number in mails that have to do with nothing."""


class Messages:
    """All messages of one shift."""

    def __init__(self, task: ShiftTask, families: Sequence[CastFamily], material: Any) -> None:
        self._task, self._families, self._material = task, families, material
        self._filler = self._draw()
        self.numbers = self._numbered()
        """Number of a family and name of its part -> the message's number in addresses."""

    def _draw(self) -> dict[str, int]:
        """Mails that have to do with nothing: index in the material -> place."""
        rng, mails = random.Random(f"{self._task.seed}:mails"), self._material["mails"]  # noqa: S311
        number = min(len(mails), round(MAILS_PER_TICKET * self._task.size))
        return {str(each): rng.randrange(1, self._task.size) for each in rng.sample(range(len(mails)), number)}

    def _numbered(self) -> dict[tuple[int, str], int]:
        """The number of every message in addresses, in the order in which they come in; archived ones come first."""
        parts = [
            (family.at(name), bool(part.about), family.number, name)
            for family in self._families
            for name, part in family.family.parts.items()
        ]
        filler = [(place, False, FILLER, each) for each, place in self._filler.items()]
        start = len(self._material["archive"]) + 1
        return {(number, name): at for at, (_, _, number, name) in enumerate(sorted(parts + filler), start)}

    def filler_mails(self) -> list[Mail]:
        """The mails that have to do with nothing."""
        return [
            _plain_mail(self.numbers[FILLER, each], place, self._material["mails"][int(each)])
            for each, place in self._filler.items()
        ]

    def archive(self) -> list[Mail]:
        """The mails that are in the archive from the start."""
        return [_plain_mail(at, 0, written) for at, written in enumerate(self._material["archive"], 1)]


def _plain_mail(message: int, place: int, written: list[str]) -> Mail:
    sender, subject, text = written
    return Mail(id=f"M{message:02d}", message=message, place=place, sender=sender, subject=subject, text=text)
