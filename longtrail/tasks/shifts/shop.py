"""Shop: people, orders and records of a shift in the back office, and how a decision is carried out there."""

from dataclasses import replace
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

from longtrail.tasks.shifts.cast_family import FREE_SHIPPING, ShopCast
from longtrail.tasks.shifts.ledger import Matter
from longtrail.tasks.shifts.shift import Text

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
