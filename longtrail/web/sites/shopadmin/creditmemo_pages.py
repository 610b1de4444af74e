"""Credit memo pages: the form for a new one, recalculation of its totals, and saving it."""

import sqlite3
from dataclasses import dataclass

from starlette.responses import Response

from longtrail.web.sites.shopadmin.ledger import number
from longtrail.web.sites.shopadmin.order_totals import cents, dollars, share
from longtrail.web.sites.shopadmin.orders import (
    Order,
    abilities,
    add_note,
    address,
    after_refund,
    load,
    refundable,
    set_status,
)
from longtrail.web.sites.shopadmin.visit import AdminVisit, redirect, render

SECOND = 200_001
"""First number of further credit memos of an order; the first credit memo has the order's number."""


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
    """A credit memo as entered; amounts in cents."""

    rows: tuple[MemoItem, ...] = ()
    shipping: int = 0
    plus: int = 0
    minus: int = 0

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

    def check(self, order: Order) -> None:
        """Raise MemoRefused with the platform's reason if the order does not allow it."""
        shipping_left = cents(order["shipping_amount"]) - cents(order["shipping_refunded"])
        left = cents(order["total_paid"]) - cents(order["total_refunded"])
        if min(self.shipping, self.plus, self.minus) < 0:
            raise MemoRefused("The refund amounts must not be negative.")
        if self.shipping > shipping_left:
            raise MemoRefused(f"Maximum shipping amount allowed to refund is: ${shipping_left / 100:,.2f}")
        if self.total > left:
            raise MemoRefused(f"The most money available to refund is ${left / 100:,.2f}.")
        if self.total <= 0:
            raise MemoRefused("The credit memo's total must be positive.")


def entered(items: list[sqlite3.Row], fields: dict[str, str]) -> CreditMemo:
    """The credit memo of the form's fields. Raises MemoRefused for a value that is none."""
    rows = []
    for item in items:
        name = f"creditmemo[items][{item['item_id']}]"
        rows.append(_piece(item, _count(fields.get(f"{name}[qty]", "")), f"{name}[back_to_stock]" in fields))
    amounts = ("shipping_amount", "adjustment_positive", "adjustment_negative")
    return CreditMemo(tuple(rows), *(_amount(fields.get(f"creditmemo[{name}]", "")) for name in amounts))


def _piece(item: sqlite3.Row, qty: int, restock: bool) -> MemoItem:
    """A number of pieces of an item. Raises MemoRefused if there are fewer."""
    if not 0 <= qty <= _open_qty(item):
        raise MemoRefused(f'We found an invalid quantity to refund item "{item["name"]}".')
    before, whole = item["qty_refunded"], item["qty_ordered"]
    parts = (share(cents(item[name]), before, qty, whole) for name in ("row_total", "tax_amount", "discount_amount"))
    return MemoItem(item["item_id"], qty, restock, *parts)


def _open_qty(item: sqlite3.Row) -> int:
    """The number of pieces that were paid and not refunded."""
    return int(item["qty_invoiced"] - item["qty_refunded"])


def _amount(text: str) -> int:
    """An entered amount in cents; empty is zero. Raises MemoRefused."""
    try:
        return cents(float(text.replace("$", "").replace(",", "") or "0"))
    except (ValueError, OverflowError):
        raise MemoRefused("Please enter a valid number in the refund totals.") from None


def _count(text: str) -> int:
    """An entered quantity; empty is zero. Raises MemoRefused."""
    if text and not (text.isascii() and text.isdigit() and len(text) < 7):
        raise MemoRefused("Please enter a valid quantity to refund.")
    return int(text or "0")


def start(visit: AdminVisit) -> Response:
    """Redirect the button's address to the form."""
    return redirect(f"/admin/sales/order_creditmemo/new/order_id/{visit.id('order_id')}/")


def new(visit: AdminVisit) -> Response:
    """The form, with all refundable quantities filled in."""
    order = load(visit)
    items = _items(visit, order)
    shipping = dollars(cents(order["shipping_amount"]) - cents(order["shipping_refunded"]))
    fields = {f"creditmemo[items][{item['item_id']}][qty]": str(_open_qty(item)) for item in items}
    fields["creditmemo[shipping_amount]"] = f"{min(shipping, refundable(order)):.2f}"
    return _form(visit, order, items, fields)


def update(visit: AdminVisit) -> Response:
    """The form again, with totals for the entered quantities."""
    order = load(visit)
    return _form(visit, order, _items(visit, order), _fields(visit))


def save(visit: AdminVisit) -> Response:
    """Save the credit memo, or show the form with an error message."""
    order = load(visit)
    items, fields = _items(visit, order), _fields(visit)
    if not abilities(order)["refund"]:
        return _form(visit, order, items, fields)
    try:
        memo = entered(items, fields)
        memo.check(order)
    except MemoRefused as refusal:
        return _form(visit, order, items, fields, str(refusal))
    key = _write(visit, order, memo)
    text = fields.get("creditmemo[comment_text]", "")
    if text:
        notified = "creditmemo[send_email]" in fields and "creditmemo[comment_customer_notify]" in fields
        visit.db.execute(
            "INSERT INTO sales_creditmemo_comment (parent_id, comment, created_at, is_customer_notified)"
            " VALUES (?, ?, ?, ?)",
            (key, text[:10_000], visit.stamp(), int(notified)),
        )
    return redirect(address(order), "You created the credit memo.")


def _items(visit: AdminVisit, order: sqlite3.Row) -> list[sqlite3.Row]:
    return visit.rows("SELECT * FROM sales_order_item WHERE order_id = ? ORDER BY item_id", order["entity_id"])


def _fields(visit: AdminVisit) -> dict[str, str]:
    return {name: visit.field(name) for name in visit.form}


def _form(
    visit: AdminVisit, order: sqlite3.Row, items: list[sqlite3.Row], fields: dict[str, str], problem: str = ""
) -> Response:
    if not abilities(order)["refund"]:
        return render(visit, "error.html", 404, text="We can't create credit memo for the order.")
    try:
        memo = entered(items, fields)
    except MemoRefused as refusal:
        problem, memo = problem or str(refusal), CreditMemo(tuple(_piece(item, 0, False) for item in items))
    rows = {row.item_id: row for row in memo.rows}
    return render(
        visit, "creditmemo_new.html", order=order, items=items, fields=fields, rows=rows, memo=memo, problem=problem
    )


def _write(visit: AdminVisit, order: sqlite3.Row, memo: CreditMemo) -> int:
    """The credit memo's rows, and what they change on the order: its amounts, its status, and the platform's own line
    in its history. Returns the credit memo's number."""
    key = order["entity_id"]
    if visit.value("SELECT COUNT(*) FROM sales_creditmemo WHERE entity_id = ?", key):
        latest = visit.value("SELECT MAX(entity_id) FROM sales_creditmemo WHERE entity_id >= ?", SECOND)
        key = latest + 1 if latest else SECOND
    figures = (memo.subtotal, memo.discount, memo.tax, memo.shipping, memo.plus, memo.minus, memo.total)
    visit.db.execute(
        "INSERT INTO sales_creditmemo VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (key, number(key), order["entity_id"], visit.stamp(), *map(dollars, figures)),
    )
    for row in memo.rows:
        if row.qty:
            visit.db.execute(
                "INSERT INTO sales_creditmemo_item (parent_id, order_item_id, qty, back_to_stock, row_total,"
                " tax_amount, discount_amount) VALUES (?, ?, ?, ?, ?, ?, ?)",
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
    to_ship = sum(
        max(0, item["qty_ordered"] - item["qty_shipped"] - item["qty_refunded"] - item["qty_canceled"])
        for item in _items(visit, order)
    )
    left = dollars(cents(order["total_paid"]) - refunded)
    state, status = after_refund(order["state"], order["status"], left, to_ship)
    set_status(visit, order, state, status)
    add_note(visit, order["entity_id"], status, f"We refunded ${memo.total / 100:,.2f} offline.", 2, False)
    return int(key)
