"""Reports: uses of coupons and returned articles in a period. They count what happened up to their last refresh."""

from collections.abc import Mapping
from dataclasses import dataclass

from starlette.responses import Response

from longtrail.web.sites.shopadmin.grid import iso_date
from longtrail.web.sites.shopadmin.visit import AdminVisit, redirect, render


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
    until = visit.one("SELECT updated_at FROM report_statistics WHERE report = ?", name)
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
