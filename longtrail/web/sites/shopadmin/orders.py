"""Orders: what can be done with an order, by the platform's rules, and its comments."""

import sqlite3
from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from longtrail.web.sites.shopadmin.visit import TEMPLATES, AdminVisit, redirect, render

STATUSES_OF = {
    "new": ("pending",),
    "pending_payment": ("pending_payment",),
    "processing": ("processing", "fraud"),
    "complete": ("complete",),
    "closed": ("closed",),
    "canceled": ("canceled",),
    "holded": ("holded",),
    "payment_review": ("payment_review", "fraud"),
}
"""The statuses that a comment may set in each state; the first is the state's own."""
Order = sqlite3.Row | Mapping[str, Any]


def refundable(order: Order) -> float:
    """The amount that was paid and not yet refunded, in dollars."""
    return float(round(order["total_paid"] - order["total_refunded"], 2))


def after_refund(state: str, status: str, left: float, to_ship: int) -> tuple[str, str]:
    """State and status after a credit memo: closed if nothing is left to refund or ship, complete if all is shipped."""
    if left <= 0 and to_ship == 0:
        return "closed", "closed"
    if state == "processing" and to_ship == 0:
        return "complete", "complete"
    return state, status


def load(visit: AdminVisit) -> sqlite3.Row:
    """The order that the address names."""
    order = visit.row("SELECT * FROM sales_order WHERE entity_id = ?", visit.id("order_id"))
    if order is None:
        raise HTTPException(404)
    return order


def abilities(order: Order) -> dict[str, bool]:
    """What can be done with an order now."""
    state = order["state"]
    finished = state in ("canceled", "closed")
    return {
        "cancel": state in ("new", "pending_payment", "processing") and order["total_paid"] == 0,  # nothing invoiced
        "email": state != "canceled",
        "refund": not finished and state not in ("holded", "payment_review") and refundable(order) > 0,
        "hold": not finished and state not in ("holded", "payment_review", "complete"),
        "unhold": state == "holded",
    }


TEMPLATES.globals.update(abilities=abilities, statuses_of=STATUSES_OF)


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


def notes(visit: AdminVisit, order: sqlite3.Row) -> list[sqlite3.Row]:
    """The order's own comments, newest first."""
    return visit.rows(
        "SELECT * FROM sales_order_status_history WHERE parent_id = ? ORDER BY created_at DESC, entity_id DESC",
        order["entity_id"],
    )


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
        return render(visit, "order_notes.html", problem=problem, order=load(visit), notes=notes(visit, order))
    return redirect(address(order), problem or "The comment was added.", "error" if problem else "success")
