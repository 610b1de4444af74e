"""Shop: people, orders and records of a shift in the back office, and how a decision is carried out there."""

import random
from dataclasses import replace
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

from longtrail.clock import NOW
from longtrail.tasks.shifts.cast_family import Lots
from longtrail.tasks.shifts.ledger import Matter
from longtrail.tasks.shifts.shift import Text

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


CARDS = ("Visa", "Mastercard", "Visa", "Discover")


cast = ShopCast


PACKED = "Packed"
"""How the notes of the packing hall begin: they are written before the parcel leaves."""
LONG_WAIT = 99
"""Working days after which every parcel counts as lost."""


def person(claim: str, role: SimpleNamespace) -> str:  # noqa: ARG001 (as in the forum)
    """Whoever gets what such a ticket grants only once a shift; empty: it can be had again."""
    return str(role.account)


def home(claim: str, role: SimpleNamespace) -> str:
    """The address to which a parcel is missing; empty for other requests."""
    return f"{role.number_of_house} {role.street}, {role.town[0]}" if claim == "not_received" else ""


def otherwise(matter: Matter) -> list[Matter]:
    """The same ticket with other findings: such that it would be granted by itself, or refused."""
    return [replace(matter, truth=truth, days=days) for truth, days in (("APPROVE", LONG_WAIT), ("DENY", 0))]


def given(claim: str, role: SimpleNamespace) -> dict[str, Any]:
    """What the request itself says, for the executable rules."""
    return {"claim": claim, "amount": role.amount}


def start(claim: str, role: SimpleNamespace, shown: dict[str, Any]) -> dict[str, Any]:
    """What the order's own pages show, for the executable rules."""
    if claim in ("not_received", "wrong_item"):
        return shown
    return {**shown, "goods": {**shown.get("goods", {}), "days": role.days}}


def story(roles: list[tuple[SimpleNamespace, list[Text]]]) -> dict[str, Any]:
    """The shop's records: each role with its texts."""
    accounts = {role.account: role for role, _ in roles}
    return {
        "customers": [_customer(role) for role in accounts.values()],
        "orders": [_order(role, texts) for role, texts in roles],
    }


def _customer(role: SimpleNamespace) -> dict[str, Any]:
    town, state, code = role.town
    phone = f"({200 + role.account}) 555-{role.number_of_house % 100 + 100:04d}"
    return {
        "id": role.account,
        "name": role.name,
        "email": f"{role.first}.{role.last}@mailbox.example".lower(),
        "since": datetime(2022, 3, 1, 10, 12) + timedelta(days=min(role.account * 3.69, 1400)),
        "address": {
            "street": f"{role.number_of_house} {role.street}",
            "city": town,
            "state": state,
            "zip": code,
            "phone": phone,
        },
        "card": f"{CARDS[role.account % len(CARDS)]} {1000 + role.account * 4271 % 9000}",
    }


def _order(role: SimpleNamespace, texts: list[Text]) -> dict[str, Any]:
    scans = []
    if role.delivered is not None:
        at = role.delivered.replace(hour=15, minute=role.order % 60)
        scans.append({"at": at, "text": f"UPS: delivered {at:%b} {at.day}, {at:%H:%M}, porch."})
    elif role.spec.get("scan") == "delivered":
        at = (role.shipped + timedelta(days=4)).replace(hour=15, minute=role.order % 60)
        scans.append({"at": at, "text": f"UPS: delivered {at:%b} {at.day}, {at:%H:%M}, front door."})
    shipped = max(role.shipped.replace(hour=8, minute=role.order % 60), role.placed + timedelta(minutes=30))
    packed = shipped - timedelta(minutes=20)
    notes = [text for text in texts if text.place == "parcel"]
    scans += [{"at": packed if note.text.startswith(PACKED) else note.at, "text": note.text} for note in notes]
    if not any(", lot " in note.text and note.text.startswith(PACKED) for note in notes):
        scans.append({"at": packed, "text": f"{PACKED} in {role.house}, lot {role.lot}."})
    return {
        "id": role.order,
        "customer": role.account,
        "at": role.placed,
        "items": {role.sku: 1},
        "shipping": "ground" if role.amount < FREE_SHIPPING else "free",
        "total": role.amount,
        "shipments": [{"at": shipped, "carrier": "ups", "comments": sorted(scans, key=lambda scan: scan["at"])}],
        "comments": [{"at": text.at, "text": text.text} for text in texts if text.place == "order"],
    }
