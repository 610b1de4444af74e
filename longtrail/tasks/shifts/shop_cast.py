"""Shop cast: draws the people of a shift in the back office, each with an order."""

import random
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

from longtrail.clock import NOW
from longtrail.tasks.shifts.cast_family import Lots

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
