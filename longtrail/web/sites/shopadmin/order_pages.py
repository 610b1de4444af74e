"""Order pages: an order's view and its tabs; a tab is a part of the page for the script, otherwise a page."""

import sqlite3
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from longtrail.web.sites.shopadmin import states
from longtrail.web.sites.shopadmin.display import day, status
from longtrail.web.sites.shopadmin.visit import AdminVisit, redirect, render

GRID = "/admin/sales/order/"


class OrderMissing(HTTPException):
    """The requested order does not exist."""

    def __init__(self) -> None:
        super().__init__(404)


def load(visit: AdminVisit) -> sqlite3.Row:
    """The order that the address names."""
    order = visit.row("SELECT * FROM sales_order WHERE entity_id = ?", visit.id("order_id"))
    if order is None:
        raise OrderMissing
    return order


def abilities(order: sqlite3.Row) -> dict[str, bool]:
    """The page's buttons."""
    return {
        "cancel": states.can_cancel(order),
        "email": order["state"] != "canceled",
        "refund": states.can_refund(order),
        "hold": states.can_hold(order),
        "unhold": states.can_unhold(order),
    }


def notes(visit: AdminVisit, order_id: int) -> list[sqlite3.Row]:
    """The order's own comments, newest first."""
    return visit.rows(
        "SELECT * FROM sales_order_status_history WHERE parent_id = ? ORDER BY created_at DESC, entity_id DESC",
        order_id,
    )


def block(visit: AdminVisit, order: sqlite3.Row) -> dict[str, Any]:
    """The data of the notes and their form."""
    labels = [(code, status(code)) for code in states.STATUSES_OF[order["state"]]]
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
        group=visit.one(
            "SELECT customer_group_code FROM customer_group JOIN customer_entity ON group_id = customer_group_id"
            " WHERE entity_id = ?",
            order["customer_id"],
        ),
        tracks=visit.one(
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


def heading(order: sqlite3.Row) -> str:
    """The order's title, such as `Order # 000000635 of Mar 4, 2026`, for its documents."""
    return f"Order # {order['increment_id']} of {day(order['created_at'])}"
