"""Refund: a credit memo's amounts, and why the platform would refuse it. Pure calculations, in cents."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from longtrail.web.sites.shopadmin.money import cents, share

Item = sqlite3.Row | Mapping[str, Any]


class MemoRefused(Exception):
    """The platform refuses the credit memo; the text is the page's message."""


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
    """A valid credit memo."""

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
        """The amount refunded to the customer."""
        return self.subtotal + self.tax - self.discount + self.shipping + self.plus - self.minus


def open_qty(item: Item) -> int:
    """The number of pieces that were paid and not refunded."""
    return int(item["qty_invoiced"]) - int(item["qty_refunded"])


def piece(item: Item, qty: int, restock: bool) -> MemoItem:
    """A number of pieces of an item. Raises MemoRefused if there are fewer."""
    if not 0 <= qty <= open_qty(item):
        raise MemoRefused(f'We found an invalid quantity to refund item "{item["name"]}".')
    before, whole = int(item["qty_refunded"]), int(item["qty_ordered"])
    parts = (share(cents(item[name]), before, qty, whole) for name in ("row_total", "tax_amount", "discount_amount"))
    return MemoItem(int(item["item_id"]), qty, restock, *parts)


def plan(order: Item, rows: Sequence[MemoItem], shipping: int, plus: int, minus: int) -> Memo:
    """The credit memo. Raises MemoRefused with the platform's reason."""
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
    """An entered amount in cents; empty is zero. Raises MemoRefused."""
    try:
        return cents(float(text.replace("$", "").replace(",", "") or "0"))
    except (ValueError, OverflowError):
        raise MemoRefused("Please enter a valid number in the refund totals.") from None


def count(text: str) -> int:
    """An entered quantity; empty is zero. Raises MemoRefused."""
    if text and not (text.isascii() and text.isdigit() and len(text) < 7):
        raise MemoRefused("Please enter a valid quantity to refund.")
    return int(text or "0")
