"""Reckoning: an order's total, payments and refunds, and the resulting status. In cents."""

from dataclasses import dataclass, field
from datetime import datetime

from longtrail.errors import DataError
from longtrail.web.sites.shopadmin import order_defaults
from longtrail.web.sites.shopadmin.catalogue import Product
from longtrail.web.sites.shopadmin.money import cents, dollars, split
from longtrail.web.sites.shopadmin.story import Address, Customer, Order


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
        return order_defaults.invoiced(self.order)

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
    lines = lines_of(order, products, order_defaults.TAX.get(state, 0.0))
    fee = order_defaults.SHIPPING[order.shipping][1]
    total = sum(line.total for line in lines) + fee
    if order.total is not None and cents(order.total) != total:
        raise DataError("story", f"orders.{order.id}.total", f"the total is {dollars(total)}, not {order.total}")
    held = order.flow == "holded" and order.payment != "check"
    paid = total if order.flow in ("complete", "processing") or held else 0
    return Reckoning(order, customer, lines, fee, total, paid)
