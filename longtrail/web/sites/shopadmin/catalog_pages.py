"""Catalog pages: a product, a review with its status, and a page of content such as the Handbook."""

import json

from starlette.exceptions import HTTPException
from starlette.responses import Response

from longtrail.web.sites.shopadmin.visit import AdminVisit, redirect, render

REVIEW_STATUSES = ("Approved", "Pending", "Not Approved")


def product(visit: AdminVisit) -> Response:
    """A product with its stock and sold quantity."""
    row = visit.row("SELECT * FROM catalog_product_entity WHERE entity_id = ?", visit.id("id"))
    if row is None:
        return redirect("/admin/catalog/product/", "This product doesn't exist.", "error")
    sold = visit.row(
        "SELECT COUNT(DISTINCT order_id) AS orders, COALESCE(SUM(qty_invoiced), 0) AS sold,"
        " COALESCE(SUM(qty_refunded), 0) AS refunded FROM sales_order_item WHERE product_id = ?",
        row["entity_id"],
    )
    reviews = visit.rows(
        "SELECT * FROM review WHERE product_id BETWEEN ? AND ? ORDER BY created_at DESC",
        row["entity_id"] // 10 * 10,
        row["entity_id"] // 10 * 10 + 9,
    )
    return render(visit, "product.html", product=row, sold=sold, reviews=reviews)


def review(visit: AdminVisit) -> Response:
    """A review, for reading and moderating."""
    row = visit.row(
        "SELECT r.*, p.name AS product, p.sku AS sku, firstname || ' ' || lastname AS author FROM review r"
        " JOIN catalog_product_entity p ON p.entity_id = product_id JOIN customer_entity c ON c.entity_id = customer_id"
        " WHERE review_id = ?",
        visit.id("id"),
    )
    if row is None:
        return redirect("/admin/review/product/", "The review was removed by another user or does not exist.", "error")
    return render(visit, "review.html", review=row, statuses=REVIEW_STATUSES)


def save_review(visit: AdminVisit) -> Response:
    """Change a review's status or text."""
    key = visit.id("id")
    if visit.row("SELECT 1 FROM review WHERE review_id = ?", key) is None:
        raise HTTPException(404)
    status = visit.field("status_id")
    values = [visit.field(name) for name in ("nickname", "title", "detail")]
    if status not in REVIEW_STATUSES or not all(values):
        return redirect(f"/admin/review/product/edit/id/{key}/", "This is a required field.", "error")
    visit.db.execute(
        "UPDATE review SET status = ?, nickname = ?, title = ?, detail = ? WHERE review_id = ?", (status, *values, key)
    )
    return redirect("/admin/review/product/", "You saved the review.")


def log_entry(visit: AdminVisit) -> Response:
    """An entry of the action log."""
    row = visit.row("SELECT * FROM magento_logging_event WHERE log_id = ?", visit.id("event_id"))
    if row is None:
        return redirect("/admin/logging/event/", "This entry no longer exists.", "error")
    return render(visit, "log_entry.html", entry=row)


def cms(visit: AdminVisit) -> Response:
    """A content page, paragraph by paragraph."""
    row = visit.row("SELECT * FROM cms_page WHERE page_id = ?", visit.id("page_id"))
    if row is None:
        return redirect("/admin/cms/page/", "This page no longer exists.", "error")
    return render(visit, "cms.html", content_page=row, sections=json.loads(row["content"]))
