"""Dashboard: the shop's figures of the last seven days and the latest orders."""

import sqlite3
from datetime import datetime, timedelta

from starlette.responses import Response

from longtrail.web.sites.shopadmin.visit import AdminVisit, render

_WEEK = 7


def view(visit: AdminVisit) -> Response:
    """The start page."""
    first = visit.now - timedelta(days=_WEEK - 1)
    since = f"{first:%Y-%m-%d}"
    totals = visit.row(
        "SELECT COALESCE(ROUND(SUM(grand_total), 2), 0) AS lifetime, COALESCE(ROUND(AVG(grand_total), 2), 0) AS average"
        " FROM sales_order WHERE state != 'canceled'"
    )
    week = visit.row(
        "SELECT COUNT(*) AS orders, COALESCE(ROUND(SUM(grand_total), 2), 0) AS revenue,"
        " COALESCE(ROUND(SUM(tax_amount), 2), 0) AS tax, COALESCE(ROUND(SUM(shipping_amount), 2), 0) AS shipping"
        " FROM sales_order WHERE created_at >= ? AND state != 'canceled'",
        since,
    )
    latest = visit.rows(
        "SELECT o.*, (SELECT SUM(qty_ordered) FROM sales_order_item i WHERE i.order_id = o.entity_id) AS items"
        " FROM sales_order o ORDER BY created_at DESC LIMIT 5"
    )
    bars = _bars(visit, first)
    peak = max([1, *(orders for _, orders in bars)])
    return render(
        visit, "dashboard.html", totals=totals, week=week, bars=bars, peak=peak, latest=latest, sellers=_sellers(visit)
    )


def _bars(visit: AdminVisit, first: datetime) -> list[tuple[str, int]]:
    """Orders by day."""
    found = visit.rows(
        "SELECT SUBSTR(created_at, 1, 10) AS day, COUNT(*) AS orders FROM sales_order WHERE created_at >= ? GROUP BY 1",
        f"{first:%Y-%m-%d}",
    )
    counts = {row["day"]: row["orders"] for row in found}
    days = [first + timedelta(days=i) for i in range(_WEEK)]
    return [(f"{day:%a} {day:%b} {day.day}", counts.get(f"{day:%Y-%m-%d}", 0)) for day in days]


def _sellers(visit: AdminVisit) -> list[sqlite3.Row]:
    """The best-selling products of the last thirty days."""
    return visit.rows(
        "SELECT i.product_id AS id, i.name, i.price, SUM(i.qty_ordered) AS qty FROM sales_order_item i"
        " JOIN sales_order o ON o.entity_id = i.order_id WHERE o.created_at >= ? GROUP BY i.name"
        " ORDER BY qty DESC, i.name LIMIT 5",
        f"{visit.now - timedelta(days=30):%Y-%m-%d}",
    )
