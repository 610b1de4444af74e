"""Order actions: hold, unhold, cancel, e-mail and comment, with the platform's rules and error messages."""

import sqlite3

from starlette.responses import Response

from longtrail.web.sites.shopadmin.order_pages import STATUSES_OF, block, can_cancel, can_hold, can_unhold, load
from longtrail.web.sites.shopadmin.visit import AdminVisit, redirect, render


def address(order: sqlite3.Row) -> str:
    """The order's page."""
    return f"/admin/sales/order/view/order_id/{order['entity_id']}/"


def set_status(visit: AdminVisit, order: sqlite3.Row, state: str, status: str) -> None:
    """Move the order to a state and status."""
    visit.db.execute(
        "UPDATE sales_order SET state = ?, status = ?, updated_at = ? WHERE entity_id = ?",
        (state, status, visit.stamp(), order["entity_id"]),
    )


def add_note(visit: AdminVisit, order_id: int, status: str, text: str, notified: int, visible: bool) -> None:
    """Add a line to the order's history."""
    visit.db.execute(
        "INSERT INTO sales_order_status_history (parent_id, status, comment, created_at, is_customer_notified,"
        " is_visible_on_front) VALUES (?, ?, ?, ?, ?, ?)",
        (order_id, status, text, visit.stamp(), notified, visible),
    )


def hold(visit: AdminVisit) -> Response:
    """Put an open order on hold; its previous state is stored."""
    order = load(visit)
    if not can_hold(order):
        return redirect(address(order), "A hold action is not available.", "error")
    visit.db.execute(
        "UPDATE sales_order SET hold_before_state = state, hold_before_status = status WHERE entity_id = ?",
        (order["entity_id"],),
    )
    set_status(visit, order, "holded", "holded")
    return redirect(address(order), "You put the order on hold.")


def unhold(visit: AdminVisit) -> Response:
    """Release a held order to its previous state."""
    order = load(visit)
    if not can_unhold(order):
        return redirect(address(order), "You cannot remove the hold.", "error")
    set_status(visit, order, order["hold_before_state"], order["hold_before_status"])
    visit.db.execute(
        "UPDATE sales_order SET hold_before_state = NULL, hold_before_status = NULL WHERE entity_id = ?",
        (order["entity_id"],),
    )
    return redirect(address(order), "You released the order from holding status.")


def cancel(visit: AdminVisit) -> Response:
    """Cancel an order without an invoice."""
    order = load(visit)
    if not can_cancel(order):
        return redirect(address(order), "You have not canceled the item.", "error")
    set_status(visit, order, "canceled", "canceled")
    visit.db.execute("UPDATE sales_order SET total_canceled = grand_total WHERE entity_id = ?", (order["entity_id"],))
    visit.db.execute("UPDATE sales_order_item SET qty_canceled = qty_ordered WHERE order_id = ?", (order["entity_id"],))
    return redirect(address(order), "You canceled the order.")


def email(visit: AdminVisit) -> Response:
    """Send the confirmation again."""
    order = load(visit)
    visit.db.execute("UPDATE sales_order SET email_sent = 1 WHERE entity_id = ?", (order["entity_id"],))
    return redirect(address(order), "You sent the order email.")


def add_comment(visit: AdminVisit) -> Response:
    """Add a comment, set a status of the same state, or both. A script gets the notes as answer, a plain form the
    page."""
    order = load(visit)
    text = visit.field("history[comment]")[:10_000]
    status = visit.field("history[status]") or order["status"]
    problem = ""
    if status not in STATUSES_OF[order["state"]]:
        problem = "The order status is not available in this state."
    elif not text and status == order["status"]:
        problem = (
            "Please provide a comment text or update the order status to be able to submit a comment for this order."
        )
    else:
        if status != order["status"]:
            set_status(visit, order, order["state"], status)
        notified = bool(visit.field("history[is_customer_notified]"))
        visible = bool(visit.field("history[is_visible_on_front]"))
        add_note(visit, order["entity_id"], status, text, int(notified), visible)
        visit.request.scope["world"].answer_messages()  # the customer's answer is filed at once (Handbook 12.5)
    if visit.ajax:
        return render(visit, "order_notes.html", problem=problem, **block(visit, load(visit)))
    return redirect(address(order), problem or "The comment was added.", "error" if problem else "success")
