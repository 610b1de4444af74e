"""Credit memo pages: the form for a new one, recalculation of its totals, and saving it."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from longtrail.web.sites.shopadmin.ledger import number
from longtrail.web.sites.shopadmin.order_actions import add_note, address, set_status
from longtrail.web.sites.shopadmin.order_pages import after_refund, can_refund, load, refundable
from longtrail.web.sites.shopadmin.order_totals import cents, dollars, share
from longtrail.web.sites.shopadmin.visit import AdminVisit, redirect, render

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
class CreditMemo:
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


def plan(order: Item, rows: Sequence[MemoItem], shipping: int, plus: int, minus: int) -> CreditMemo:
    """The credit memo. Raises MemoRefused with the platform's reason."""
    shipping_left = cents(order["shipping_amount"]) - cents(order["shipping_refunded"])
    if min(shipping, plus, minus) < 0:
        raise MemoRefused("The refund amounts must not be negative.")
    if shipping > shipping_left:
        raise MemoRefused(f"Maximum shipping amount allowed to refund is: ${shipping_left / 100:,.2f}")
    memo = CreditMemo(tuple(rows), shipping, plus, minus)
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


SECOND = 200_001
"""First number of further credit memos of an order; the first credit memo has the order's number."""


def start(visit: AdminVisit) -> Response:
    """Redirect the button's address to the form."""
    return redirect(f"/admin/sales/order_creditmemo/new/order_id/{visit.id('order_id')}/")


def _refusal(visit: AdminVisit) -> Response:
    return render(visit, "error.html", 404, text="We can't create credit memo for the order.")


def new(visit: AdminVisit) -> Response:
    """The form, with all refundable quantities filled in."""
    order = load(visit)
    if not can_refund(order):
        return _refusal(visit)
    items = _items(visit, order)
    fields = {f"creditmemo[items][{item['item_id']}][qty]": str(open_qty(item)) for item in items}
    shipping = dollars(cents(order["shipping_amount"]) - cents(order["shipping_refunded"]))
    left = f"{min(shipping, refundable(order)):.2f}"
    return _form(visit, order, items, {**fields, "creditmemo[shipping_amount]": left}, ())


def update(visit: AdminVisit) -> Response:
    """The form again, with totals for the entered quantities."""
    order = load(visit)
    if not can_refund(order):
        return _refusal(visit)
    return _form(visit, order, _items(visit, order), _fields(visit), ())


def save(visit: AdminVisit) -> Response:
    """Save the credit memo, or show the form with an error message."""
    order = load(visit)
    if not can_refund(order):
        return _refusal(visit)
    items, fields = _items(visit, order), _fields(visit)
    try:
        memo = _memo(order, items, fields)
    except MemoRefused as refusal:
        return _form(visit, order, items, fields, (("error", str(refusal)),))
    key = _write(visit, order, memo)
    notify = "creditmemo[send_email]" in fields
    text = fields.get("creditmemo[comment_text]", "")
    if text:
        visit.db.execute(
            "INSERT INTO sales_creditmemo_comment (parent_id, comment, created_at, is_customer_notified)"
            " VALUES (?, ?, ?, ?)",
            (key, text[:10_000], visit.stamp(), int(notify and "creditmemo[comment_customer_notify]" in fields)),
        )
    return redirect(address(order), "You created the credit memo.")


def _items(visit: AdminVisit, order: sqlite3.Row) -> list[sqlite3.Row]:
    return visit.rows("SELECT * FROM sales_order_item WHERE order_id = ? ORDER BY item_id", order["entity_id"])


def _fields(visit: AdminVisit) -> dict[str, str]:
    return {name: visit.field(name) for name in visit.form}


def _memo(order: sqlite3.Row, items: list[sqlite3.Row], fields: dict[str, str]) -> CreditMemo:
    rows = _rows(items, fields)
    money = (amount(fields.get(f"creditmemo[{name}]", "")) for name in _AMOUNTS)
    return plan(order, [row for row in rows if row.qty], *money)


_AMOUNTS = ("shipping_amount", "adjustment_positive", "adjustment_negative")


def _rows(items: list[sqlite3.Row], fields: dict[str, str]) -> list[MemoItem]:
    names = [f"creditmemo[items][{item['item_id']}]" for item in items]
    return [
        piece(item, count(fields.get(f"{name}[qty]", "")), f"{name}[back_to_stock]" in fields)
        for item, name in zip(items, names, strict=True)
    ]


def _form(
    visit: AdminVisit,
    order: sqlite3.Row,
    items: list[sqlite3.Row],
    fields: dict[str, str],
    problems: tuple[tuple[str, str], ...],
) -> Response:
    try:
        rows = {row.item_id: row for row in _rows(items, fields)}
        memo = CreditMemo(tuple(rows.values()), *(amount(fields.get(f"creditmemo[{name}]", "")) for name in _AMOUNTS))
    except MemoRefused as refusal:
        problems = problems or (("error", str(refusal)),)
        rows, memo = {item["item_id"]: piece(item, 0, False) for item in items}, CreditMemo((), 0, 0, 0)
    return render(
        visit, "creditmemo_new.html", order=order, items=items, fields=fields, rows=rows, memo=memo, problems=problems
    )


def _write(visit: AdminVisit, order: sqlite3.Row, memo: CreditMemo) -> int:
    """The credit memo's rows, and what they change on the order."""
    key = order["entity_id"]
    if visit.value("SELECT COUNT(*) FROM sales_creditmemo WHERE entity_id = ?", key):
        key = max(
            SECOND, visit.value("SELECT MAX(entity_id) + 1 FROM sales_creditmemo WHERE entity_id >= ?", SECOND) or 0
        )
    figures = (memo.subtotal, memo.discount, memo.tax, memo.shipping, memo.plus, memo.minus, memo.total)
    visit.db.execute(
        "INSERT INTO sales_creditmemo VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (key, number(key), order["entity_id"], visit.stamp(), *map(dollars, figures)),
    )
    for row in memo.rows:
        visit.db.execute(
            "INSERT INTO sales_creditmemo_item (parent_id, order_item_id, qty, back_to_stock, row_total, tax_amount,"
            " discount_amount) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (key, row.item_id, row.qty, row.restock, *map(dollars, (row.subtotal, row.tax, row.discount))),
        )
        visit.db.execute(
            "UPDATE sales_order_item SET qty_refunded = qty_refunded + ? WHERE item_id = ?", (row.qty, row.item_id)
        )
    refunded = cents(order["total_refunded"]) + memo.total
    visit.db.execute(
        "UPDATE sales_order SET total_refunded = ?, shipping_refunded = ? WHERE entity_id = ?",
        (dollars(refunded), dollars(cents(order["shipping_refunded"]) + memo.shipping), order["entity_id"]),
    )
    _move_on(visit, order, dollars(cents(order["total_paid"]) - refunded), memo.total)
    return int(key)


def _move_on(visit: AdminVisit, order: sqlite3.Row, left: float, total: int) -> None:
    """The order's status after the refund, and the platform's own line in its history."""
    to_ship = sum(
        max(0, item["qty_ordered"] - item["qty_shipped"] - item["qty_refunded"] - item["qty_canceled"])
        for item in _items(visit, order)
    )
    state, status = after_refund(order["state"], order["status"], left, to_ship)
    set_status(visit, order, state, status)
    add_note(visit, order["entity_id"], status, f"We refunded ${total / 100:,.2f} offline.", 2, False)
