"""Document pages: an invoice, a shipment or a credit memo on its own page, with its items, comments and order."""

import sqlite3
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from longtrail.web.sites.shopadmin.visit import AdminVisit, render


def _document(visit: AdminVisit, table: str, key: int) -> tuple[sqlite3.Row, sqlite3.Row]:
    row = visit.row(f"SELECT * FROM {table} WHERE entity_id = ?", key)  # noqa: S608 (constant table names)
    if row is None:
        raise HTTPException(404)
    order = visit.row("SELECT * FROM sales_order WHERE entity_id = ?", row["order_id"])
    if order is None:
        raise HTTPException(404)
    return row, order


def _page(
    visit: AdminVisit, kind: str, grid: str, document: sqlite3.Row, order: sqlite3.Row, **context: Any
) -> Response:
    places = visit.rows("SELECT * FROM sales_order_address WHERE parent_id = ? ORDER BY entity_id", order["entity_id"])
    return render(
        visit, "document.html", kind=kind, grid=grid, document=document, order=order, billing=places[0],
        delivery=places[1], **context,
    )  # fmt: skip


def invoice(visit: AdminVisit) -> Response:
    """An invoice; here it is always for the whole order."""
    document, order = _document(visit, "sales_invoice", visit.id("invoice_id"))
    items = visit.rows(
        "SELECT *, qty_invoiced AS qty FROM sales_order_item WHERE order_id = ? ORDER BY item_id", order["entity_id"]
    )
    totals = [
        ("Subtotal", order["subtotal"]),
        ("Discount", -order["discount_amount"]),
        ("Shipping & Handling", order["shipping_amount"]),
        ("Tax", order["tax_amount"]),
        ("Grand Total", document["grand_total"]),
    ]
    return _page(visit, "Invoice", "/admin/sales/invoice/", document, order, items=items, totals=totals)


def shipment(visit: AdminVisit) -> Response:
    """A shipment with its tracking numbers and the carrier's reports."""
    document, order = _document(visit, "sales_shipment", visit.id("shipment_id"))
    key = document["entity_id"]
    return _page(
        visit,
        "Shipment",
        "/admin/sales/shipment/",
        document,
        order,
        items=visit.rows(
            "SELECT i.*, s.qty AS qty FROM sales_shipment_item s JOIN sales_order_item i ON i.item_id = s.order_item_id"
            " WHERE s.parent_id = ? ORDER BY i.item_id",
            key,
        ),
        tracks=visit.rows("SELECT * FROM sales_shipment_track WHERE parent_id = ?", key),
        comments=_comments(visit, "sales_shipment_comment", key),
    )


def creditmemo(visit: AdminVisit) -> Response:
    """A credit memo with its items, totals and comments."""
    document, order = _document(visit, "sales_creditmemo", visit.id("creditmemo_id"))
    key = document["entity_id"]
    totals = [
        ("Subtotal", document["subtotal"]),
        ("Discount", -document["discount_amount"]),
        ("Shipping & Handling", document["shipping_amount"]),
        ("Adjustment Refund", document["adjustment_positive"]),
        ("Adjustment Fee", document["adjustment_negative"]),
        ("Tax", document["tax_amount"]),
        ("Grand Total", document["grand_total"]),
    ]
    return _page(
        visit,
        "Credit Memo",
        "/admin/sales/creditmemo/",
        document,
        order,
        items=visit.rows(
            "SELECT i.sku, i.name, i.size, i.price, c.qty AS qty, c.row_total, c.tax_amount, c.discount_amount,"
            " c.back_to_stock FROM sales_creditmemo_item c JOIN sales_order_item i ON i.item_id = c.order_item_id"
            " WHERE c.parent_id = ? ORDER BY i.item_id",
            key,
        ),
        totals=totals,
        comments=_comments(visit, "sales_creditmemo_comment", key),
    )


def _comments(visit: AdminVisit, table: str, key: int) -> list[sqlite3.Row]:
    return visit.rows(
        f"SELECT * FROM {table} WHERE parent_id = ? ORDER BY created_at DESC, entity_id DESC",  # noqa: S608
        key,
    )
