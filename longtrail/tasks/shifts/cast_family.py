"""Cast family: a family of tickets with people, orders or posts in one shift, and the facts that its texts tell.

Also who draws them: people of the shop with their orders, the numbers of lots and drivers, and those of messages.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

from longtrail.checks.facts import Fact
from longtrail.clock import NOW
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


TODAY = NOW.replace(tzinfo=None)
FREE_SHIPPING, SHIPPING = 120, 6.95
"""From this price on, parcels are free; below it, they cost so much (both in dollars)."""
HOUSES = ("Columbus", "Reno", "Savannah")
"""The warehouses."""


class ShopCast:
    """Draws people with one order each. Every name, account and order number is used once in a shift."""

    def __init__(self, material: Any) -> None:
        self._material = material
        self._names: set[str] = set()
        self._accounts = list(material["accounts"])
        self._lots = Lots()
        self._numbers = {
            int(number): datetime.fromisoformat(f"2026-{at}") for number, at in material["numbers"].items()
        }

    def draw(self, spec: dict[str, Any], others: dict[str, SimpleNamespace], rng: random.Random) -> SimpleNamespace:
        """A person and an order, as a role asks for them."""
        role = SimpleNamespace(spec=spec)
        self._person(role, others, rng)
        self._article(role, others, rng)
        delivered = rng.randint(*spec["days"]) if "days" in spec else None
        role.delivered = TODAY - timedelta(days=delivered) if delivered is not None else None
        role.days = delivered or 0
        shipped = spec.get("shipped", delivered + 3 if delivered is not None else 0)
        role.shipped = TODAY - timedelta(days=shipped)
        wanted = TODAY - timedelta(days=spec.get("placed", shipped + 1))
        fitting = [number for number, at in self._numbers.items() if at.date() <= wanted.date()]
        role.order = max(fitting)
        role.placed = self._numbers.pop(role.order)
        role.number = f"{role.order:09d}"
        role.house = self._house(spec, others, rng)
        role.lot, role.span, role.driver = self._lots.draw(others.get(str(spec.get("neighbour"))), rng)
        role.placed_on, role.shipped_on = (f"{at:%B} {at.day}" for at in (role.placed, role.shipped))
        return role

    def _house(self, spec: dict[str, Any], others: dict[str, SimpleNamespace], rng: random.Random) -> str:
        """The warehouse: that of another role, another one than that, or any."""
        if "house_of" in spec:
            return str(others[spec["house_of"]].house)
        barred = others[spec["house_not"]].house if "house_not" in spec else ""
        return rng.choice([house for house in HOUSES if house != barred])

    def _person(self, role: SimpleNamespace, others: dict[str, SimpleNamespace], rng: random.Random) -> None:
        material, like = self._material, others.get(str(role.spec.get("like")))
        if same := others.get(str(role.spec.get("same"))):
            for name in ("first", "last", "name", "town", "street", "number_of_house", "account"):
                setattr(role, name, getattr(same, name))
            return
        while True:
            first, last = rng.choice(material["first"]), rng.choice(material["last"])
            if like is not None:
                first, last = material["like"][like.first], like.last
            if f"{first} {last}" not in self._names:
                break
        role.first, role.last, role.name = first, last, f"{first} {last}"
        self._names.add(role.name)
        role.town, role.street = rng.choice(material["towns"]), rng.choice(material["streets"])
        role.number_of_house = rng.randint(3, 940)
        if neighbor := others.get(str(role.spec.get("home_of", role.spec.get("next_door_to")))):
            role.town, role.street = neighbor.town, neighbor.street
            role.number_of_house = neighbor.number_of_house + (2 if "next_door_to" in role.spec else 0)
        role.account = self._accounts.pop(rng.randrange(len(self._accounts)))

    def _article(self, role: SimpleNamespace, others: dict[str, SimpleNamespace], rng: random.Random) -> None:
        spec = role.spec
        if "item_of" in spec:
            model = others[spec["item_of"]]
            role.sku, role.item, role.amount = model.sku, model.item, model.amount
            return
        goods = self._material["goods"][spec["goods"]]
        barred = others[spec["item_not"]].sku if "item_not" in spec else ""
        role.sku = rng.choice([sku for sku in sorted(goods) if sku != barred])
        role.item, price = goods[role.sku]
        role.amount = round(price + (0 if price >= FREE_SHIPPING else SHIPPING), 2)
