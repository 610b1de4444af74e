"""Order pages: an order's view and its tabs; a tab is a part of the page for the script, otherwise a page."""

import sqlite3
from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from longtrail.web.sites.shopadmin.display import status
from longtrail.web.sites.shopadmin.visit import AdminVisit, redirect, render

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
NOT_HOLDABLE = frozenset({"canceled", "payment_review", "complete", "closed", "holded"})
Order = sqlite3.Row | Mapping[str, Any]


def can_hold(order: Order) -> bool:
    """Open orders can be held; finished, held or reviewed ones can't."""
    return order["state"] not in NOT_HOLDABLE


def can_unhold(order: Order) -> bool:
    """Only orders on hold can be released."""
    return bool(order["state"] == "holded")


def can_cancel(order: Order) -> bool:
    """Before anything was invoiced, and not while held, reviewed or finished."""
    return order["state"] in ("new", "pending_payment", "processing") and order["total_paid"] == 0


def can_refund(order: Order) -> bool:
    """Something was paid and not fully refunded, and the order is neither held, reviewed, canceled nor closed."""
    blocked = order["state"] in ("holded", "payment_review", "canceled", "closed")
    return not blocked and refundable(order) > 0


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


GRID = "/admin/sales/order/"


def load(visit: AdminVisit) -> sqlite3.Row:
    """The order that the address names."""
    order = visit.row("SELECT * FROM sales_order WHERE entity_id = ?", visit.id("order_id"))
    if order is None:
        raise HTTPException(404)
    return order


def abilities(order: sqlite3.Row) -> dict[str, bool]:
    """The page's buttons."""
    return {
        "cancel": can_cancel(order),
        "email": order["state"] != "canceled",
        "refund": can_refund(order),
        "hold": can_hold(order),
        "unhold": can_unhold(order),
    }


def notes(visit: AdminVisit, order_id: int) -> list[sqlite3.Row]:
    """The order's own comments, newest first."""
    return visit.rows(
        "SELECT * FROM sales_order_status_history WHERE parent_id = ? ORDER BY created_at DESC, entity_id DESC",
        order_id,
    )


def block(visit: AdminVisit, order: sqlite3.Row) -> dict[str, Any]:
    """The data of the notes and their form."""
    labels = [(code, status(code)) for code in STATUSES_OF[order["state"]]]
    return {"order": order, "notes": notes(visit, order["entity_id"]), "statuses": labels}


def view(visit: AdminVisit) -> Response:
    """The order with all its sections."""
    order = visit.row("SELECT * FROM sales_order WHERE entity_id = ?", visit.id("order_id"))
    if order is None:
        return redirect(GRID, "This order no longer exists.", "error")
    key = order["entity_id"]
    places = visit.rows("SELECT * FROM sales_order_address WHERE parent_id = ? ORDER BY entity_id", key)
    return _page(
        visit,
        "order_information.html",
        order,
        "Information",
        **{k: v for k, v in block(visit, order).items() if k != "order"},
        billing=places[0],
        delivery=places[1],
        items=visit.rows("SELECT * FROM sales_order_item WHERE order_id = ? ORDER BY item_id", key),
        group=visit.value(
            "SELECT customer_group_code FROM customer_group JOIN customer_entity ON group_id = customer_group_id"
            " WHERE entity_id = ?",
            order["customer_id"],
        ),
        tracks=visit.value(
            "SELECT COUNT(*) FROM sales_shipment_track t JOIN sales_shipment s ON s.entity_id = t.parent_id"
            " WHERE s.order_id = ?",
            key,
        ),
    )


def _page(visit: AdminVisit, template: str, order: sqlite3.Row, tab: str, **context: Any) -> Response:
    """A tab: alone for the script, inside the order's page otherwise."""
    if visit.ajax:
        return render(visit, template, order=order, **context)
    return render(visit, "order.html", panel=template, order=order, tab=tab, can=abilities(order), **context)


def invoices(visit: AdminVisit) -> Response:
    """The order's invoices."""
    order = load(visit)
    rows = visit.rows("SELECT * FROM sales_invoice WHERE order_id = ? ORDER BY entity_id", order["entity_id"])
    return _page(visit, "order_invoices.html", order, "Invoices", rows=rows)


def creditmemos(visit: AdminVisit) -> Response:
    """The order's credit memos."""
    order = load(visit)
    rows = visit.rows("SELECT * FROM sales_creditmemo WHERE order_id = ? ORDER BY entity_id", order["entity_id"])
    return _page(visit, "order_creditmemos.html", order, "Credit Memos", rows=rows)


def shipments(visit: AdminVisit) -> Response:
    """The order's shipments with the carrier's reports."""
    order = load(visit)
    rows = visit.rows("SELECT * FROM sales_shipment WHERE order_id = ? ORDER BY entity_id", order["entity_id"])
    tracks = {
        row["entity_id"]: visit.rows("SELECT * FROM sales_shipment_track WHERE parent_id = ?", row["entity_id"])
        for row in rows
    }
    return _page(visit, "order_shipments.html", order, "Shipments", rows=rows, tracks=tracks)


def history(visit: AdminVisit) -> Response:
    """Everything that happened to the order, oldest first: comments, documents, tracking numbers."""
    order = load(visit)
    key = order["entity_id"]
    events: list[dict[str, Any]] = [
        {"at": row["created_at"], "title": status(row["status"]), "notified": row["is_customer_notified"],
         "comment": row["comment"]}
        for row in reversed(notes(visit, key))
    ]  # fmt: skip
    for kind, table in (
        ("Invoice", "sales_invoice"),
        ("Shipment", "sales_shipment"),
        ("Credit memo", "sales_creditmemo"),
    ):
        events += _documents(visit, key, kind, table)
    events.sort(key=lambda event: event["at"])
    return _page(visit, "order_history.html", order, "Comments History", events=events)


def _documents(visit: AdminVisit, key: int, kind: str, table: str) -> list[dict[str, Any]]:
    links = []
    for row in visit.rows(f"SELECT * FROM {table} WHERE order_id = ? ORDER BY entity_id", key):  # noqa: S608
        title = f"{kind} #{row['increment_id']} created"
        links.append({"at": row["created_at"], "title": title, "notified": 2, "comment": ""})
        if table == "sales_invoice":
            continue
        for note in visit.rows(f"SELECT * FROM {table}_comment WHERE parent_id = ?", row["entity_id"]):  # noqa: S608
            title = f"{kind} #{row['increment_id']} comment added"
            links.append({"at": note["created_at"], "title": title, "notified": note["is_customer_notified"],
                          "comment": note["comment"]})  # fmt: skip
        if table == "sales_shipment":
            for track in visit.rows("SELECT * FROM sales_shipment_track WHERE parent_id = ?", row["entity_id"]):
                title = f"Tracking number {track['track_number']} for {track['title']} assigned"
                links.append({"at": track["created_at"], "title": title, "notified": 2, "comment": ""})
    return links
