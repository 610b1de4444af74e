"""Customer pages: five tabs, each with its own content and address."""

import sqlite3
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from longtrail.web.sites.shopadmin.grid import grids
from longtrail.web.sites.shopadmin.visit import AdminVisit, redirect, render


def _load(visit: AdminVisit) -> sqlite3.Row | None:
    return visit.row(
        "SELECT c.*, firstname || ' ' || lastname AS name, customer_group_code AS group_code FROM customer_entity c"
        " JOIN customer_group ON customer_group_id = group_id WHERE entity_id = ?",
        visit.id("id"),
    )


def _page(visit: AdminVisit, template: str, customer: sqlite3.Row, tab: str, **context: Any) -> Response:
    name = template if visit.ajax else "customer.html"
    return render(visit, name, panel=template, customer=customer, tab=tab, **context)


def _known(visit: AdminVisit) -> sqlite3.Row:
    customer = _load(visit)
    if customer is None:
        raise HTTPException(404)
    return customer


def view(visit: AdminVisit) -> Response:
    """Customer View: personal data and purchase totals."""
    customer = _load(visit)
    if customer is None:
        return redirect("/admin/customer/index/", "Something went wrong while editing the customer.", "error")
    sales = visit.row(
        "SELECT COUNT(*) AS orders, COALESCE(ROUND(SUM(grand_total), 2), 0) AS lifetime,"
        " COALESCE(ROUND(AVG(grand_total), 2), 0) AS average, COALESCE(ROUND(SUM(total_refunded), 2), 0) AS refunded"
        " FROM sales_order WHERE customer_id = ? AND state != 'canceled'",
        customer["entity_id"],
    )
    address = visit.row("SELECT * FROM customer_address_entity WHERE entity_id = ?", customer["default_billing"])
    return _page(visit, "customer_view.html", customer, "Customer View", sales=sales, home=address)


def account(visit: AdminVisit) -> Response:
    """Account Information."""
    return _page(visit, "customer_account.html", _known(visit), "Account Information")


def addresses(visit: AdminVisit) -> Response:
    """The address book."""
    customer = _known(visit)
    rows = visit.rows(
        "SELECT * FROM customer_address_entity WHERE parent_id = ? ORDER BY entity_id", customer["entity_id"]
    )
    return _page(visit, "customer_addresses.html", customer, "Addresses", rows=rows)


def orders(visit: AdminVisit) -> Response:
    """The customer's orders, newest first."""
    customer, grid = _known(visit), grids()["customer_orders"]
    listing = grid.listing(visit, "customer_id = ?", customer["entity_id"])
    path = grid.path.format(customer["entity_id"])
    return _page(visit, "customer_orders.html", customer, "Orders", grid_path=path, **listing)


def reviews(visit: AdminVisit) -> Response:
    """The customer's reviews."""
    customer = _known(visit)
    rows = visit.rows(
        "SELECT r.*, p.name AS product, p.sku AS sku FROM review r JOIN catalog_product_entity p"
        " ON p.entity_id = r.product_id WHERE customer_id = ? ORDER BY r.created_at DESC",
        customer["entity_id"],
    )
    return _page(visit, "customer_reviews.html", customer, "Product Reviews", rows=rows)
