"""Ledger: turns a story into rows of all tables. All derived figures are computed here, in cents."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, datetime, timedelta

from longtrail.clock import NOW
from longtrail.errors import DataError
from longtrail.web.sites.shopadmin.catalogue import Product
from longtrail.web.sites.shopadmin.order_totals import (
    CARRIERS,
    SHIPPING,
    OrderLine,
    Reckoning,
    address_of_machine,
    cents,
    dollars,
    reckon,
    share,
    shipment,
    tracking,
)
from longtrail.web.sites.shopadmin.story import Address, Comment, Customer, Order, Refund, Review, Shipment

GROUPS = {"NOT LOGGED IN": 0, "General": 1, "Wholesale": 2, "Retailer": 3}
STATE = {
    "pending": "new",
    "pending_payment": "pending_payment",
    "processing": "processing",
    "complete": "complete",
    "closed": "closed",
    "canceled": "canceled",
    "holded": "holded",
    "fraud": "payment_review",
    "payment_review": "payment_review",
}
"""Status -> the state that the platform's rules use."""
PAYMENT = {"card": "Credit Card", "paypal": "PayPal", "check": "Check / Money order"}
Row = tuple[object, ...]


def stamp(moment: datetime, seed: int) -> str:
    """A time in the database's format; missing seconds are derived from the seed."""
    return f"{moment:%Y-%m-%d %H:%M}:{moment.second or seed * 37 % 60:02d}"


def number(entity_id: int) -> str:
    """An entity's number in its displayed form."""
    return f"{entity_id:09d}"


class StoryLedger:
    """Collects the rows of all tables. `rows[table]` is ready for one `executemany` each."""

    def __init__(self, products: dict[str, Product]) -> None:
        self.rows: dict[str, list[Row]] = defaultdict(list)
        self.products = products
        self.customers: dict[int, Customer] = {}
        self.now = NOW.replace(tzinfo=None)

    def add_customer(self, customer: Customer) -> None:
        """Add an account with its address book. Raises DataError if the id is already used."""
        if customer.id in self.customers:
            raise DataError("story", f"customers.{customer.id}", "another customer has this id")
        self.customers[customer.id] = customer
        first, last = customer.name.rsplit(" ", 1)
        key = customer.id * 10
        login = stamp(customer.last_login, key) if customer.last_login else None
        born = f"{customer.dob:%Y-%m-%d}" if isinstance(customer.dob, date) else None
        self.rows["customer_entity"].append(
            (customer.id, first, last, customer.email, GROUPS[customer.group], stamp(customer.since, customer.id),
             "Default Store View", login, True, born, key, key)
        )  # fmt: skip
        for index, address in enumerate((customer.address, *customer.more)):
            since = stamp(address.since or customer.since, customer.id)
            address_row = self._address_row(address, customer.name)
            self.rows["customer_address_entity"].append((key + index, customer.id, *address_row, since))

    def add_review(self, review: Review) -> None:
        """Add a product review; ids must increase. Raises DataError if it does not fit."""
        where = f"reviews.{review.id}"
        if review.customer not in self.customers:
            raise DataError("story", where, f"there is no customer {review.customer}")
        if review.sku not in self.products:
            raise DataError("story", where, f"there is no product {review.sku}")
        if any(row[0] == review.id for row in self.rows["review"][-1:]):
            raise DataError("story", where, "another review has this id")
        nickname = review.nickname or self.customers[review.customer].name.split(" ")[0]
        self.rows["review"].append(
            (review.id, stamp(review.at, review.id), review.status, self.products[review.sku].id, review.customer,
             nickname, review.title, review.text, review.rating)
        )  # fmt: skip

    def add_order(self, order: Order) -> None:
        """Add an order with its documents and history. Raises DataError if its figures don't add up."""
        customer = self.customers.get(order.customer)
        if customer is None:
            raise DataError("story", f"orders.{order.id}", f"there is no customer {order.customer}")
        sums = reckon(order, customer, self.products)
        if sums.paid:
            row = (order.id, number(order.id), order.id, stamp(sums.taken, order.id + 1), dollars(sums.paid))
            self.rows["sales_invoice"].append(row)
        self._parcels(sums)
        self._refunds(sums)
        self._history(sums)
        self._order(sums)
        for index, (kind, address) in enumerate((("billing", sums.bill_to), ("shipping", sums.ship_to))):
            address_row = self._address_row(address, customer.name)
            self.rows["sales_order_address"].append((order.id * 2 + index, order.id, kind, *address_row))
        canceled = order.flow == "canceled"
        for line in sums.lines:
            self.rows["sales_order_item"].append(
                (line.id, order.id, line.product.id, line.product.sku, line.product.name, line.product.size,
                 line.listed, dollars(line.price), line.qty, line.qty if sums.paid else 0, line.shipped,
                 line.refunded, line.qty if canceled else 0, dollars(line.row), line.percent, dollars(line.tax),
                 dollars(line.discount))
            )  # fmt: skip

    def _order(self, sums: Reckoning) -> None:
        order, customer = sums.order, sums.customer
        held = ("processing", "processing") if sums.paid else ("new", "pending")
        before = held if order.flow == "holded" else (None, None)
        card = " ending in ".join(customer.card.rsplit(" ", 1))
        detail = {"card": card, "paypal": customer.email, "check": ""}[order.payment]
        subtotal, discount, tax = (sum(getattr(x, name) for x in sums.lines) for name in ("row", "discount", "tax"))
        canceled = sums.total if order.flow == "canceled" else 0
        figures = (
            subtotal,
            discount,
            sums.fee,
            tax,
            sums.total,
            sums.paid,
            sums.refunded,
            sums.shipping_refunded,
            canceled,
        )
        self.rows["sales_order"].append(
            (order.id, number(order.id), STATE[sums.status], sums.status, *before, stamp(order.at, order.id),
             stamp(sums.changed, order.id), customer.id, customer.name, customer.email,
             sums.bill_to.name or customer.name, sums.ship_to.name or customer.name,
             order.ip or address_of_machine(customer.seed), order.coupon, SHIPPING[order.shipping][0],
             PAYMENT[order.payment], detail, *map(dollars, figures), True)
        )  # fmt: skip

    def _parcels(self, sums: Reckoning) -> None:
        order = sums.order
        for parcel in order.shipments or ((shipment(order, self.now),) if order.flow == "complete" else ()):
            self._parcel(order, parcel, sums.lines)
            sums.shipped = max(sums.shipped or parcel.at, parcel.at)
        if order.flow == "complete" and any(line.shipped != line.qty for line in sums.lines):
            raise DataError(
                "story", f"orders.{order.id}.shipments", "the order is complete, but not all of it was shipped"
            )

    def _parcel(self, order: Order, parcel: Shipment, lines: list[OrderLine]) -> None:
        key = parcel.id or order.id
        counts = parcel.items or {line.product.sku: line.qty - line.shipped for line in lines}
        made = stamp(parcel.at, key + 2)
        self.rows["sales_shipment"].append((key, number(key), order.id, made, sum(counts.values())))
        for sku, qty in counts.items():
            line = _line(lines, sku, order)
            line.shipped += qty
            self.rows["sales_shipment_item"].append((None, key, line.id, qty))
        track_number = parcel.tracking or tracking(parcel.carrier, key)
        self.rows["sales_shipment_track"].append((None, key, CARRIERS[parcel.carrier], track_number, made))
        self._notes("sales_shipment_comment", key, parcel.comments, made)

    def _refunds(self, sums: Reckoning) -> None:
        for refund in sums.order.refunds:
            shipping = sums.fee - sums.shipping_refunded if refund.items is None else 0
            sums.refunds.append((self._memo(sums.order, refund, sums.lines, shipping), refund.at))
            sums.shipping_refunded += shipping
        if sums.refunded > sums.paid or sums.shipping_refunded > sums.fee:
            raise DataError("story", f"orders.{sums.order.id}.refunds", "more is refunded than was paid")

    def _memo(self, order: Order, refund: Refund, lines: list[OrderLine], shipping: int) -> int:
        key = refund.id or order.id
        counts = {x.product.sku: x.qty - x.refunded for x in lines} if refund.items is None else refund.items
        row = tax = discount = 0
        for sku, qty in counts.items():
            line = _line(lines, sku, order)
            part = [share(amount, line.refunded, qty, line.qty) for amount in (line.row, line.tax, line.discount)]
            line.refunded += qty
            row, tax, discount = row + part[0], tax + part[1], discount + part[2]
            self.rows["sales_creditmemo_item"].append((None, key, line.id, qty, refund.restock, *map(dollars, part)))
        plus, minus = cents(refund.adjust), cents(refund.fee)
        total = row + tax - discount + shipping + plus - minus
        figures = (row, discount, tax, shipping, plus, minus, total)
        made = stamp(refund.at, key + 3)
        self.rows["sales_creditmemo"].append((key, number(key), order.id, made, *map(dollars, figures)))
        self._notes("sales_creditmemo_comment", key, refund.comments, made)
        return total

    def _history(self, sums: Reckoning) -> None:
        """The order's own history: the platform's and people's comments, each with its status."""
        table, order = self.rows["sales_order_status_history"], sums.order
        if sums.paid and order.payment != "check":
            text = f"Captured amount of ${sums.paid / 100:,.2f} online."
            table.append((None, order.id, "processing", text, stamp(sums.taken, order.id + 1), 2, 0))
        for amount, moment in sums.refunds:
            text = f"We refunded ${amount / 100:,.2f} offline."
            table.append((None, order.id, sums.status_at(moment), text, stamp(moment, order.id + 3), 2, 0))
        for index, comment in enumerate(order.comments):
            moment = comment.at or order.at + timedelta(minutes=2)
            label = comment.status or sums.status_at(moment)
            at = stamp(moment, order.id + 11 * index)
            table.append((None, order.id, label, comment.text, at, 0, False))

    def _notes(self, table: str, key: int, comments: Iterable[Comment], made: str) -> None:
        """Comments on a document. A comment without a time gets the document's time."""
        for index, comment in enumerate(comments):
            moment = stamp(comment.at or datetime.fromisoformat(made[:16]), key + 5 + index)
            moment = moment if comment.at else max(made, moment)
            self.rows[table].append((None, key, comment.text, moment, 0))

    def _address_row(self, address: Address, name: str) -> Row:
        return (
            address.name or name,
            address.company,
            address.street,
            address.city,
            address.state,
            address.zip,
            address.phone,
        )


def _line(lines: list[OrderLine], sku: str, order: Order) -> OrderLine:
    for line in lines:
        if line.product.sku == sku:
            return line
    raise DataError("story", f"orders.{order.id}", f"{sku} is not among its items")
