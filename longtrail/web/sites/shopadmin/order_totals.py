"""Order totals: an order's total, payments and refunds in whole cents, the resulting status, and what an order has if
its story does not say it. Shares are rounded so that the parts sum up to the whole."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from longtrail.errors import DataError
from longtrail.web.sites.shopadmin.catalogue import Product
from longtrail.web.sites.shopadmin.story import Address, Carrier, Comment, Customer, Order, Shipment

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


def cents(dollars: float) -> int:
    """Dollars as whole cents."""
    return round(dollars * 100)


def dollars(amount: int) -> float:
    """Cents as dollars, for the database."""
    return round(amount / 100, 2)


def split(amount: int, weights: Sequence[int]) -> list[int]:
    """Divide an amount in proportion to the weights; the parts sum up to the amount."""
    total, before, weight_before, parts = sum(weights), 0, 0, []
    for weight in weights:
        weight_before += weight
        upto = round(amount * weight_before / total) if total else 0
        parts.append(upto - before)
        before = upto
    return parts


def share(amount: int, before: int, count: int, whole: int) -> int:
    """The share of `count` of `whole` pieces after `before` pieces were already settled; all shares sum up to the
    amount."""
    return round(amount * (before + count) / whole) - round(amount * before / whole)


@dataclass
class OrderLine:
    """One item of an order; `shipped` and `refunded` count up while documents are written."""

    id: int
    product: Product
    listed: float
    """The article's price on that day, in dollars."""
    qty: int
    price: int
    row: int
    discount: int
    percent: float
    tax: int
    shipped: int = 0
    refunded: int = 0

    @property
    def total(self) -> int:
        """The price that the customer pays for it."""
        return self.row - self.discount + self.tax


def lines_of(order: Order, products: dict[str, Product], percent: float) -> list[OrderLine]:
    """The items in the order given. Raises DataError on an unknown sku."""
    ordered: list[tuple[Product, float, int, int]] = []
    for sku, quantity in order.items.items():
        if sku not in products:
            raise DataError("story", f"orders.{order.id}.items", f"there is no product {sku}")
        product = products[sku]
        listed = order.prices.get(sku, product.price)
        qty, price = quantity if isinstance(quantity, tuple) else (quantity, listed)
        ordered.append((product, listed, qty, cents(price)))
    discounts = split(cents(order.discount), [qty * price for _, _, qty, price in ordered])
    lines = []
    for index, ((product, listed, qty, price), discount) in enumerate(zip(ordered, discounts, strict=True)):
        row = qty * price
        tax = round((row - discount) * percent / 100)
        lines.append(OrderLine(order.id * 20 + index, product, listed, qty, price, row, discount, percent, tax))
    return lines


@dataclass
class Reckoning:
    """An order's figures; writing its documents adds shipments and refunds."""

    order: Order
    customer: Customer
    lines: list[OrderLine]
    fee: int
    """Shipping."""
    total: int
    paid: int
    shipped: datetime | None = None
    """When the last parcel left."""
    refunds: list[tuple[int, datetime]] = field(default_factory=list)
    shipping_refunded: int = 0

    @property
    def taken(self) -> datetime:
        """When the payment was taken."""
        return invoiced(self.order)

    @property
    def refunded(self) -> int:
        return sum(amount for amount, _ in self.refunds)

    @property
    def bill_to(self) -> Address:
        return self.order.bill_to or self.customer.address

    @property
    def ship_to(self) -> Address:
        return self.order.ship_to or self.customer.address

    @property
    def changed(self) -> datetime:
        """The time of its last event."""
        moments = [self.order.at, *(at for _, at in self.refunds), *(c.at for c in self.order.comments if c.at)]
        return max([*moments, *([self.taken] if self.paid else []), *([self.shipped] if self.shipped else [])])

    @property
    def status(self) -> str:
        """The current status."""
        return self.status_at(datetime.max)

    def status_at(self, moment: datetime) -> str:
        """The status at a given time; unfinished flows keep theirs."""
        if self.refunds and self.paid <= sum(amount for amount, at in self.refunds if at <= moment):
            return "closed"
        if self.order.flow != "complete":
            return self.order.flow
        if moment < self.taken:
            return "pending"
        return "processing" if self.shipped is None or moment < self.shipped else "complete"


def reckon(order: Order, customer: Customer, products: dict[str, Product]) -> Reckoning:
    """The order's figures before anything was shipped or refunded. Raises DataError if the stated total is wrong."""
    state = (order.ship_to or customer.address).state
    lines = lines_of(order, products, TAX.get(state, 0.0))
    fee = SHIPPING[order.shipping][1]
    total = sum(line.total for line in lines) + fee
    if order.total is not None and cents(order.total) != total:
        raise DataError("story", f"orders.{order.id}.total", f"the total is {dollars(total)}, not {order.total}")
    held = order.flow == "holded" and order.payment != "check"
    paid = total if order.flow in ("complete", "processing") or held else 0
    return Reckoning(order, customer, lines, fee, total, paid)
