"""Cast family: a family of tickets with people, orders or posts in one shift, and the facts that its texts tell."""

import random
import re
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from longtrail.checks.facts import Fact
from longtrail.tasks.shifts.families import Family, FamilyOutcome
from longtrail.tasks.shifts.shift import FamilyPlace, Mail
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
            update={
                "records": (*family.records, *outcome.records),
                "tickets": {**family.rulings, **outcome.tickets},
            }
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
