"""Story: the compact form of people and orders, used for the crowd and for a task's `story:`. A task's entry looks
like this. Missing fields get defaults (paid at once, shipped on the next working day, delivered a few days later), and
the build computes every derived figure (rows, taxes, totals, statuses, documents):

    story:
      customers:
      - {id: 57, name: Ann Lee, email: ann.lee@mailbox.example, since: 2024-02-10 19:05, card: Visa 4417,
         address: {street: 12 Elm Court, city: Salem, state: OR, zip: "97301", phone: 503-555-0118},
         past: {lane: 17, orders: 12, total: 1204.55, from: 2024-02-11, to: 2025-10-20, likes: [KST, HRN]}}
      orders:
      - id: 712
        customer: 57
        at: 2026-03-10 20:14
        items: {LM-KST-TRL-L: 1, LM-ALD-MUG: [2, 14.50]}   # sku: quantity, or [quantity, price charged]
        total: 95.68                                       # only checked
        comments: [{at: 2026-03-14 09:10, text: Customer wrote that nothing came.}]
        refunds: [{at: 2026-03-15 11:02, items: {LM-ALD-MUG: 1}, comments: [{text: One mug chipped.}]}]
      reviews:
      - {id: 31, customer: 57, sku: LM-ALD-MUG, at: 2026-02-02 08:30, rating: 4, title: Solid, text: Keeps tea hot.}

Orders placed from 3 November 2025 on have numbers below 1000, older ones come from the former shop system and number
100001 to 164464, one per half hour (`past_orders.number_of`). Numbers of orders and of customers rise with time:
`python -m workshop.crowds.shop 712` prints when order 712 was placed, and `joined` in that module gives the day of a
customer's number. A number that is used twice is an error on build. Documents have their order's number; a second
document of the same order has its own `id`.
"""

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from longtrail.records.record import Record

Flow = Literal["complete", "processing", "pending", "pending_payment", "payment_review", "fraud", "holded", "canceled"]
"""How far an order has come. `closed` is never given: it results from refunds."""
Carrier = Literal["ups", "fedex", "usps"]
Items = dict[str, int | tuple[int, float]]
"""Sku to quantity, or to quantity and the price that was charged."""


class Address(Record):
    """A postal address; an empty name means the customer's own."""

    name: str = ""
    company: str = ""
    street: str
    city: str
    state: Annotated[str, Field(pattern=r"^[A-Z]{2}$")]
    zip: Annotated[str, Field(pattern=r"^[0-9]{5}$")]
    phone: str
    since: datetime | None = None
    """When it was added to the account; None: when the account was opened."""


class PastOrders(Record):
    """Orders of the former shop system, generated on build so that their sum is exact."""

    lane: Annotated[int, Field(ge=5, le=60)]
    """Prevents equal order numbers of different customers: no two stories use the same lane."""
    orders: Annotated[int, Field(ge=1, le=80)]
    total: float
    """Sum of the orders' grand totals, in dollars."""
    first: Annotated[date, Field(alias="from")]
    last: Annotated[date, Field(alias="to")]
    monthly: bool = False
    """One order in each of the months up to the last day, as many months back as there are orders."""
    likes: tuple[str, ...] = ()
    """Parts of the skus this person buys (`HRN`, `-L`); empty: anything."""
    shift: int = 0
    """What is added to the orders' numbers, in a variant."""


class Customer(Record):
    """An account."""

    id: Annotated[int, Field(ge=1, le=9999)]
    origin: int | None = None
    """In a variant: the number before renumbering, from which what nobody wrote is drawn. None: the number itself."""
    name: Annotated[str, Field(pattern=r"^\S+( \S+)+$")]
    email: Annotated[str, Field(pattern=r"^[a-z0-9._-]+@[a-z0-9.-]+$")]
    since: datetime
    group: Literal["General", "Wholesale", "Retailer"] = "General"
    address: Address
    more: tuple[Address, ...] = ()
    """Further entries of the address book."""
    last_login: datetime | None = None
    dob: date | None = None
    card: str = "Visa 4024"
    """Brand and last digits of the card on file."""
    past: PastOrders | None = None

    @property
    def seed(self) -> int:
        """The number that defaults are drawn from."""
        return self.origin or self.id


class Comment(Record):
    """A line of an order's, shipment's or credit memo's history. Without `at`, the time of that document."""

    at: datetime | None = None
    text: str
    status: str = ""
    """The order's status at that time; empty: the current one."""


class Shipment(Record):
    """A parcel."""

    id: int | None = None
    at: datetime
    carrier: Carrier = "ups"
    tracking: str = ""
    """Empty: a number in the carrier's format."""
    items: dict[str, int] = {}
    """Empty: everything ordered."""
    comments: tuple[Comment, ...] = ()


class Refund(Record):
    """A credit memo."""

    id: int | None = None
    at: datetime
    items: dict[str, int] | None = None
    """None: everything ordered, shipping included; `{}`: no item, an adjustment alone."""
    adjust: float = 0.0
    fee: float = 0.0
    restock: bool = True
    comments: tuple[Comment, ...] = ()


class Order(Record):
    """An order with all its documents and comments."""

    id: Annotated[int, Field(ge=1)]
    origin: int | None = None
    """In a variant: the number before renumbering, from which what nobody wrote is drawn. None: the number itself."""
    customer: int
    at: datetime
    items: Annotated[Items, Field(min_length=1)]
    prices: dict[str, float] = {}
    """In a variant: list prices on that day, by sku, where they were not today's."""
    shipping: Literal["ground", "expedited", "overnight", "free"] = "ground"
    discount: float = 0.0
    coupon: str = ""
    total: float | None = None
    payment: Literal["card", "paypal", "check"] = "card"
    ip: str = ""
    flow: Flow = "complete"
    ship_to: Address | None = None
    bill_to: Address | None = None
    shipments: tuple[Shipment, ...] = ()
    """Empty: one parcel on the next working day, if the flow is complete."""
    comments: tuple[Comment, ...] = ()
    refunds: tuple[Refund, ...] = ()

    @property
    def seed(self) -> int:
        """The number that defaults are drawn from."""
        return self.origin or self.id


class Review(Record):
    """A customer's product review."""

    id: Annotated[int, Field(ge=1)]
    customer: int
    sku: str
    at: datetime
    rating: Annotated[int, Field(ge=1, le=5)]
    title: str
    text: str
    nickname: str = ""
    status: Literal["Approved", "Pending", "Not Approved"] = "Approved"


class LogEntry(Record):
    """An entry of the action log: what a user of the back office did, or a customer's account in the shop."""

    at: datetime
    user: str
    group: str
    """`Sales Orders`, `Sales Shipments`, `Customers`, `Admin Sign In` ..."""
    action: str
    details: str
    ip: str = "10.4.0.20"


class CodeUses(Record):
    """Small orders of people of the crowd with the same code; customers and goods follow from the order's number."""

    code: Annotated[str, Field(pattern=r"^[A-Z0-9]{4,16}$")]
    orders: Annotated[dict[int, datetime], Field(min_length=1)]


class ShopStory(Record):
    """People, orders and reviews: one task's, or the whole crowd's."""

    customers: tuple[Customer, ...] = ()
    orders: tuple[Order, ...] = ()
    reviews: tuple[Review, ...] = ()
    codes: tuple[CodeUses, ...] = ()
    """Hard tier: uses of the case's code by other people."""
    log: tuple[LogEntry, ...] = ()
    """Hard tier: entries of the action log, which otherwise has only everyday entries."""
    reports: tuple[str, ...] = ()
    """Hard tier: addresses of the reports that the case needs, with their filters; `longtrail validate` opens them."""


STORY: TypeAdapter[ShopStory] = TypeAdapter(ShopStory)
