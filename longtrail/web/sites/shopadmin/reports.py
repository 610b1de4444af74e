"""Reports: uses of coupons and returned articles in a period. They count what happened up to their last refresh."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from starlette.responses import Response

from longtrail.web.sites.shopadmin.grid import iso_date
from longtrail.web.sites.shopadmin.visit import AdminVisit, redirect, render

_WEEK = 7


def dashboard(visit: AdminVisit) -> Response:
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


@dataclass(frozen=True)
class ReportForm:
    """A report: its columns with their formats, the filter beside the period, and the statement that counts."""

    title: str
    columns: tuple[tuple[str, str], ...]
    wanted: str
    """The label of the filter; it narrows by the beginning of a code."""
    sql: str
    """Named values: first, last, until, code."""


REPORTS: Mapping[str, ReportForm] = {
    "coupons": ReportForm(
        "Coupons Report",
        (("Interval", ""), ("Coupon Code", ""), ("Uses", ""), ("Sales Subtotal", "money"), ("Discount", "money")),
        "Coupon Code",
        "SELECT SUBSTR(created_at, 1, 7), coupon_code, COUNT(*), SUM(subtotal), SUM(discount_amount) FROM sales_order"
        " WHERE coupon_code != '' AND state != 'canceled' AND created_at BETWEEN :first AND :last"
        " AND created_at <= :until AND coupon_code LIKE :code || '%' GROUP BY 1, 2 ORDER BY 1, 2",
    ),
    "returned": ReportForm(
        "Returned Products Report",
        (("SKU", ""), ("Product", ""), ("Ordered", ""), ("Returned", ""), ("Share Returned", "percent")),
        "SKU",
        "SELECT SUBSTR(sku, 1, 10), i.name, SUM(qty_ordered), SUM(qty_refunded),"
        " 100.0 * SUM(qty_refunded) / SUM(qty_ordered) FROM sales_order_item i JOIN sales_order o"
        " ON o.entity_id = i.order_id WHERE created_at BETWEEN :first AND :last AND created_at <= :until"
        " AND updated_at <= :until AND sku LIKE :code || '%' GROUP BY 1, 2 ORDER BY 1",
    ),
}
"""Name in the address -> the report."""


def coupons(visit: AdminVisit) -> Response:
    """How often coupons were used."""
    return _show(visit, "coupons")


def returned(visit: AdminVisit) -> Response:
    """How many pieces of each article came back."""
    return _show(visit, "returned")


def _show(visit: AdminVisit, name: str) -> Response:
    """The form, and the rows once a period is given."""
    form = REPORTS[name]
    first, last = (iso_date(visit.query.get(end, "").strip()) for end in ("from", "to"))
    until = visit.value("SELECT updated_at FROM report_statistics WHERE report = ?", name)
    code = visit.query.get("code", "").strip()
    values = {"first": first, "last": f"{last} 23:59:59", "until": until or "", "code": code}
    rows = visit.db.execute(form.sql, values).fetchall() if first and last else None
    formats = [kind for _, kind in form.columns]
    cells = None if rows is None else [list(zip(formats, row, strict=True)) for row in rows]
    return render(
        visit, "report.html", form=form, report=name, first=first, last=last, code=code, until=until, rows=cells
    )


def refresh(visit: AdminVisit) -> Response:
    """Count up to now, for all reports."""
    visit.db.execute("UPDATE report_statistics SET updated_at = ?", (visit.stamp(),))
    name = visit.params.get("report", "")
    kind = "report_product" if name == "returned" else "report_sales"
    return redirect(f"/admin/reports/{kind}/{name}/", "Recent statistics have been updated.")
