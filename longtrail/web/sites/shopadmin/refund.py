"""Refund: what a credit memo comes to, and why the platform would refuse it. Pure figures, in cents."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from longtrail.web.sites.shopadmin.money import cents, share

Item = sqlite3.Row | Mapping[str, Any]


class MemoRefused(Exception):
    """The platform does not take the credit memo; the text is what the page says."""


@dataclass(frozen=True)
class MemoItem:
    """One item of a credit memo."""

    item_id: int
    qty: int
    restock: bool
    subtotal: int
    tax: int
    discount: int


@dataclass(frozen=True)
class Memo:
    """A credit memo that adds up."""

    rows: tuple[MemoItem, ...]
    shipping: int
    plus: int
    minus: int

    @property
    def subtotal(self) -> int:
        return sum(row.subtotal for row in self.rows)

    @property
    def tax(self) -> int:
        return sum(row.tax for row in self.rows)

    @property
    def discount(self) -> int:
        return sum(row.discount for row in self.rows)

    @property
    def total(self) -> int:
        """What goes back to the customer."""
        return self.subtotal + self.tax - self.discount + self.shipping + self.plus - self.minus


def open_qty(item: Item) -> int:
    """How many pieces were paid and not refunded."""
    return int(item["qty_invoiced"]) - int(item["qty_refunded"])


def piece(item: Item, qty: int, restock: bool) -> MemoItem:
    """A number of pieces of an item. Raises Refused where there are not so many."""
    if not 0 <= qty <= open_qty(item):
        raise MemoRefused(f'We found an invalid quantity to refund item "{item["name"]}".')
    before, whole = int(item["qty_refunded"]), int(item["qty_ordered"])
    parts = (share(cents(item[name]), before, qty, whole) for name in ("row_total", "tax_amount", "discount_amount"))
    return MemoItem(int(item["item_id"]), qty, restock, *parts)


def plan(order: Item, rows: Sequence[MemoItem], shipping: int, plus: int, minus: int) -> Memo:
    """The credit memo. Raises Refused with the platform's reason."""
    shipping_left = cents(order["shipping_amount"]) - cents(order["shipping_refunded"])
    if min(shipping, plus, minus) < 0:
        raise MemoRefused("The refund amounts must not be negative.")
    if shipping > shipping_left:
        raise MemoRefused(f"Maximum shipping amount allowed to refund is: ${shipping_left / 100:,.2f}")
    memo = Memo(tuple(rows), shipping, plus, minus)
    left = cents(order["total_paid"]) - cents(order["total_refunded"])
    if memo.total > left:
        raise MemoRefused(f"The most money available to refund is ${left / 100:,.2f}.")
    if memo.total <= 0:
        raise MemoRefused("The credit memo's total must be positive.")
    return memo


def amount(text: str) -> int:
    """A typed amount in cents; nothing typed is zero. Raises Refused."""
    try:
        return cents(float(text.replace("$", "").replace(",", "") or "0"))
    except (ValueError, OverflowError):
        raise MemoRefused("Please enter a valid number in the refund totals.") from None


def count(text: str) -> int:
    """A typed quantity; nothing typed is zero. Raises Refused."""
    if text and not (text.isascii() and text.isdigit() and len(text) < 7):
        raise MemoRefused("Please enter a valid quantity to refund.")
    return int(text or "0")
