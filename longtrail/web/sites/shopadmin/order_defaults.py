"""Order defaults: what an order has if its story does not say. Derived only from its number, so they never change."""

import random
from datetime import date, datetime, timedelta

from longtrail.web.sites.shopadmin.story import Carrier, Comment, Order, Shipment

SHIPPING = {
    "ground": ("Standard Ground - 3 to 5 business days", 695),
    "expedited": ("Expedited - 2 business days", 1495),
    "overnight": ("Overnight - next business day", 2995),
    "free": ("Free Ground Shipping - orders over $120", 0),
}
"""Shipping method -> the order page's text and the price in cents."""
TAX = {"OH": 7.5, "KY": 6.0, "IN": 7.0, "MI": 6.0}
"""Sales tax in percent by destination state; elsewhere the shop is below the threshold and collects none."""
CARRIERS: dict[Carrier, str] = {
    "ups": "United Parcel Service",
    "fedex": "Federal Express",
    "usps": "United States Postal Service",
}
_SPOTS = (
    "front door", "porch", "mailbox", "parcel locker", "side door", "reception", "garage", "mail room",
    "leasing office", "back porch", "neighbor at the next door", "handed to resident",
)  # fmt: skip
_SCANS = (
    "{carrier} scan: delivered {when}, {spot}.",
    "Delivery event from {carrier}: {when} / {spot}.",
    "Delivered {when} ({spot}), per {carrier} feed.",
    "{carrier} feed: out for delivery in the morning, delivered {when}, {spot}.",
)
_SHORT: dict[Carrier, str] = {"ups": "UPS", "fedex": "FedEx", "usps": "USPS"}


def tracking(carrier: Carrier, seed: int) -> str:
    """A tracking number in the carrier's format, check digit included."""
    rng = random.Random(seed * 7 + 3)  # noqa: S311 (plausible digits, no secret)
    if carrier == "ups":
        body = "8R41W7" + "03" + f"{rng.randrange(10**7):07d}"
        values = [int(c) if c.isdigit() else (ord(c) - 63) % 10 for c in body]
        total = sum(values[0::2]) + 2 * sum(values[1::2])
        return f"1Z{body}{-total % 10}"
    if carrier == "fedex":
        body = f"7{rng.randrange(10**10):010d}"
        total = sum(int(c) * w for c, w in zip(body, (3, 1, 7, 3, 1, 7, 3, 1, 7, 3, 1), strict=True))
        return f"{body}{total % 11 % 10}"
    body = f"94001118{rng.randrange(10**13):013d}"
    total = sum(int(c) * (3 if i % 2 == 0 else 1) for i, c in enumerate(reversed(body)))
    return f"{body}{-total % 10}"


def working_day(day: date) -> date:
    """The day itself, or the Monday after a weekend."""
    return day + timedelta(days={5: 2, 6: 1}.get(day.weekday(), 0))


def invoiced(order: Order) -> datetime:
    """When the payment was received: within minutes, for a check a few days later."""
    check = order.payment == "check"
    wait = timedelta(days=4, minutes=order.seed % 50) if check else timedelta(minutes=order.seed % 4 + 1)
    return order.at + wait


def shipment(order: Order, now: datetime) -> Shipment:
    """The default parcel: packed on the next working day, with the carrier's scan if it was delivered."""
    rng = random.Random(order.seed)  # noqa: S311
    day = working_day(invoiced(order).date() + timedelta(days=1))
    at = datetime(day.year, day.month, day.day, 8 + order.seed % 8, rng.randrange(60))
    at = min(at, max(now - timedelta(hours=2), invoiced(order) + timedelta(minutes=20)))
    carrier: Carrier = rng.choice(("ups", "ups", "fedex", "usps"))
    days = {"overnight": 1, "expedited": 2}.get(order.shipping, rng.choice((2, 3, 3, 4, 5)))
    came = datetime(day.year, day.month, day.day, rng.randrange(10, 19), rng.randrange(60)) + timedelta(days=days)
    scans: tuple[Comment, ...] = ()
    if came < now and rng.random() < 0.6:
        when = f"{came:%b} {came.day}, {came:%H:%M}"
        text = rng.choice(_SCANS).format(carrier=_SHORT[carrier], when=when, spot=rng.choice(_SPOTS))
        scans = (Comment(at=came + timedelta(minutes=4), text=text),)
    return Shipment(at=at, carrier=carrier, comments=scans)


def address_of_machine(customer: int) -> str:
    """The network address that an account usually orders from."""
    block, last = divmod(customer * 7, 254)
    return f"{('198.51.100', '203.0.113', '192.0.2')[block % 3]}.{last + 1}"
