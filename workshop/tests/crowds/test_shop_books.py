"""The shop's data are consistent: sums, dates and states. Each rule is a query that finds what breaks it."""

import re
from pathlib import Path

import pytest

from longtrail.web.sites.shopadmin.catalogue import catalogue
from longtrail.web.sites.shopadmin.ledger import STATE
from longtrail.web.sites.shopadmin.order_totals import TAX, tracking
from longtrail.yaml_file import read_yaml
from tests.web.sites.shopadmin.conftest import shop
from tests.web.sites.shopadmin.shop import Shop
from workshop.crowds import shop as shop_crowd

__all__ = ["shop"]
MATERIAL = Path(shop_crowd.__file__).with_name("material.yaml")

SUM = "(SELECT COALESCE(SUM({}), 0) FROM {} x WHERE x.{} = {})"
ITEMS = "(SELECT COALESCE(SUM({}), 0) FROM sales_order_item x WHERE x.order_id = o.entity_id)"
MEMOS = "(SELECT COALESCE(SUM({}), 0) FROM sales_creditmemo x WHERE x.order_id = o.entity_id)"
CENT = 0.004
RULES = {
    "items make the subtotal": (
        f"SELECT * FROM sales_order o WHERE ABS(subtotal - {ITEMS.format('row_total')}) > {CENT}"
    ),
    "items make the discount": (
        f"SELECT * FROM sales_order o WHERE ABS(discount_amount - {ITEMS.format('discount_amount')}) > {CENT}"
    ),
    "items make the tax": f"SELECT * FROM sales_order o WHERE ABS(tax_amount - {ITEMS.format('tax_amount')}) > {CENT}",
    "prices make the rows": f"SELECT * FROM sales_order_item WHERE ABS(row_total - price * qty_ordered) > {CENT}",
    "no comment is older than its credit memo": (
        "SELECT m.entity_id FROM sales_creditmemo m JOIN sales_creditmemo_comment c ON c.parent_id = m.entity_id"
        " WHERE c.created_at < m.created_at"
    ),
    "parts make the grand total": (
        "SELECT * FROM sales_order WHERE"
        f" ABS(subtotal - discount_amount + shipping_amount + tax_amount - grand_total) > {CENT}"
    ),
    "nobody pays more than the total": "SELECT * FROM sales_order WHERE total_paid NOT IN (0, grand_total)",
    "invoices make what was paid": (
        "SELECT * FROM sales_order o WHERE"
        f" ABS(total_paid - {SUM.format('grand_total', 'sales_invoice', 'order_id', 'o.entity_id')}) > {CENT}"
    ),
    "memos make what was refunded": (
        f"SELECT * FROM sales_order o WHERE ABS(total_refunded - {MEMOS.format('grand_total')}) > {CENT}"
    ),
    "memos make the shipping refunded": (
        f"SELECT * FROM sales_order o WHERE ABS(shipping_refunded - {MEMOS.format('shipping_amount')}) > {CENT}"
    ),
    "no more is refunded than was paid": f"SELECT * FROM sales_order WHERE total_refunded > total_paid + {CENT}",
    "a memo adds up": (
        "SELECT * FROM sales_creditmemo WHERE ABS(subtotal + tax_amount - discount_amount + shipping_amount"
        f" + adjustment_positive - adjustment_negative - grand_total) > {CENT} OR grand_total <= 0"
    ),
    "a memo's items make its subtotal": (
        "SELECT * FROM sales_creditmemo m WHERE"
        f" ABS(subtotal - {SUM.format('row_total', 'sales_creditmemo_item', 'parent_id', 'm.entity_id')}) > {CENT}"
    ),
    "memos count the refunded pieces": (
        "SELECT * FROM sales_order_item i WHERE qty_refunded !="
        " (SELECT COALESCE(SUM(qty), 0) FROM sales_creditmemo_item x WHERE x.order_item_id = i.item_id)"
    ),
    "shipments count the shipped pieces": (
        "SELECT * FROM sales_order_item i WHERE qty_shipped !="
        " (SELECT COALESCE(SUM(qty), 0) FROM sales_shipment_item x WHERE x.order_item_id = i.item_id)"
    ),
    "pieces are in order": (
        "SELECT * FROM sales_order_item WHERE qty_refunded > qty_invoiced OR qty_invoiced > qty_ordered"
        " OR qty_shipped > qty_invoiced OR qty_ordered < 1"
    ),
    "a shipment's total quantity": (
        "SELECT * FROM sales_shipment s WHERE total_qty !="
        " (SELECT SUM(qty) FROM sales_shipment_item x WHERE x.parent_id = s.entity_id)"
    ),
    "every shipment can be tracked": (
        "SELECT * FROM sales_shipment s WHERE NOT EXISTS"
        " (SELECT 1 FROM sales_shipment_track t WHERE t.parent_id = s.entity_id AND track_number != '')"
    ),
    "tracking numbers are unique": "SELECT 1 FROM sales_shipment_track GROUP BY track_number HAVING COUNT(*) > 1",
    "complete means all shipped": (
        "SELECT * FROM sales_order o WHERE (status = 'complete') AND EXISTS (SELECT 1 FROM sales_order_item x"
        " WHERE x.order_id = o.entity_id AND qty_shipped != qty_ordered)"
    ),
    "processing means paid and not all shipped": (
        "SELECT * FROM sales_order o WHERE status = 'processing' AND (total_paid = 0 OR NOT EXISTS"
        " (SELECT 1 FROM sales_order_item x WHERE x.order_id = o.entity_id AND qty_shipped < qty_ordered))"
    ),
    "pending means unpaid": "SELECT * FROM sales_order WHERE state IN ('new', 'pending_payment') AND total_paid > 0",
    "closed means all refunded": (
        "SELECT * FROM sales_order WHERE (status = 'closed') != (total_paid > 0 AND total_paid = total_refunded)"
    ),
    "canceled means nothing paid": (
        "SELECT * FROM sales_order WHERE (status = 'canceled') != (total_canceled = grand_total) OR"
        " (status = 'canceled' AND total_paid > 0)"
    ),
    "held orders know where they were": (
        "SELECT * FROM sales_order WHERE (status = 'holded') != (hold_before_state IS NOT NULL)"
    ),
    "invoices follow orders": (
        "SELECT * FROM sales_invoice d JOIN sales_order o ON o.entity_id = d.order_id WHERE d.created_at < o.created_at"
    ),
    "shipments follow invoices": (
        "SELECT * FROM sales_shipment d JOIN sales_invoice o ON o.order_id = d.order_id"
        " WHERE d.created_at < o.created_at"
    ),
    "memos follow invoices": (
        "SELECT * FROM sales_creditmemo d JOIN sales_invoice o ON o.order_id = d.order_id"
        " WHERE d.created_at < o.created_at"
    ),
    "comments follow orders": (
        "SELECT * FROM sales_order_status_history d JOIN sales_order o ON o.entity_id = d.parent_id"
        " WHERE d.created_at < o.created_at"
    ),
    "the carrier reports after the shipment": (
        "SELECT * FROM sales_shipment_comment d JOIN sales_shipment o ON o.entity_id = d.parent_id"
        " WHERE d.created_at < o.created_at"
    ),
    "orders follow accounts": (
        "SELECT * FROM sales_order o JOIN customer_entity c ON c.entity_id = o.customer_id"
        " WHERE o.created_at < c.created_at"
    ),
    "logins follow accounts": "SELECT * FROM customer_entity WHERE last_login_at < created_at",
    "addresses follow accounts": (
        "SELECT * FROM customer_address_entity a JOIN customer_entity c ON c.entity_id = a.parent_id"
        " WHERE a.created_at < c.created_at"
    ),
    "products are older than their orders": (
        "SELECT * FROM sales_order_item i JOIN sales_order o ON o.entity_id = i.order_id"
        " JOIN catalog_product_entity p ON p.entity_id = i.product_id WHERE o.created_at < p.created_at"
    ),
    "who reviews has bought": (
        "SELECT * FROM review r WHERE NOT EXISTS (SELECT 1 FROM sales_order o JOIN sales_order_item i"
        " ON i.order_id = o.entity_id WHERE o.customer_id = r.customer_id AND i.product_id = r.product_id"
        " AND o.created_at < r.created_at)"
    ),
    "two addresses an order": (
        "SELECT * FROM sales_order o WHERE 2 !="
        " (SELECT COUNT(*) FROM sales_order_address a WHERE a.parent_id = o.entity_id)"
    ),
    "last status stands in the history": (
        "SELECT o.* FROM sales_order o WHERE o.status != (SELECT h.status FROM sales_order_status_history h"
        " WHERE h.parent_id = o.entity_id AND h.created_at > COALESCE((SELECT MAX(created_at) FROM sales_shipment s"
        " WHERE s.order_id = o.entity_id), o.created_at) ORDER BY h.created_at DESC, h.entity_id DESC LIMIT 1)"
    ),
    "free shipping begins at $120": (
        "SELECT * FROM sales_order WHERE shipping_description LIKE 'Free%' AND subtotal < 120"
        " OR shipping_description LIKE 'Standard%' AND subtotal >= 120"
    ),
    "telephone numbers are nobody's": (
        "SELECT telephone FROM customer_address_entity WHERE telephone NOT LIKE '(___) 555-01__'"
    ),
    "mail addresses are nobody's": "SELECT email FROM customer_entity WHERE email NOT LIKE '%_.example'",
}


@pytest.mark.parametrize("rule", RULES)
def test_the_books_hold(rule: str, shop: Shop) -> None:
    assert shop.rows(RULES[rule])[:3] == []


@pytest.mark.parametrize(
    "query",
    [
        "SELECT created_at FROM sales_order WHERE entity_id < 1000 ORDER BY entity_id",
        "SELECT created_at FROM sales_order WHERE entity_id > 100000 ORDER BY entity_id",
        "SELECT created_at FROM review ORDER BY review_id",
        "SELECT SUBSTR(created_at, 1, 7) AS created_at FROM customer_entity ORDER BY entity_id",
    ],
)
def test_numbers_rise_with_time(query: str, shop: Shop) -> None:
    moments = [row["created_at"] for row in shop.rows(query)]
    assert moments == sorted(moments)


def test_present_and_former_system_meet(shop: Shop) -> None:
    assert shop.rows("SELECT 1 FROM sales_order WHERE (entity_id < 1000) != (created_at >= '2025-11-03')") == []


def test_statuses_belong_to_their_states(shop: Shop) -> None:
    for row in shop.rows("SELECT DISTINCT state, status FROM sales_order"):
        assert STATE[row["status"]] == row["state"]


def test_all_statuses_occur(shop: Shop) -> None:
    found = {row["status"] for row in shop.rows("SELECT DISTINCT status FROM sales_order")}
    assert found >= {"pending", "processing", "complete", "closed", "canceled", "holded", "payment_review", "fraud"}


def test_taxes_are_those_of_the_state(shop: Shop) -> None:
    rows = shop.rows(
        "SELECT i.*, a.region FROM sales_order_item i JOIN sales_order_address a"
        " ON a.parent_id = i.order_id AND a.address_type = 'shipping'"
    )
    for row in rows:
        assert row["tax_percent"] == TAX.get(row["region"], 0.0)
        due = (row["row_total"] - row["discount_amount"]) * row["tax_percent"] / 100
        assert abs(row["tax_amount"] - due) <= 0.0051


def test_towns_have_their_states_and_codes(shop: Shop) -> None:
    places = {(city, state, code) for city, state, code, _ in read_yaml(MATERIAL)["places"]}
    for table in ("customer_address_entity", "sales_order_address"):
        for row in shop.rows(f"SELECT DISTINCT city, region, postcode FROM {table}"):
            assert tuple(row.values()) in places


def test_area_codes_belong_to_the_towns(shop: Shop) -> None:
    codes = {city + state: code for city, state, _, code in read_yaml(MATERIAL)["places"]}
    for row in shop.rows("SELECT city || region AS place, telephone FROM customer_address_entity"):
        assert row["telephone"].startswith(f"({codes[row['place']]}) ")


def test_it_is_a_crowd(shop: Shop) -> None:
    count = {
        t: shop.rows(f"SELECT COUNT(*) AS n FROM {t}")[0]["n"] for t in ("sales_order", "customer_entity", "review")
    }
    assert count["sales_order"] >= 350
    assert count["customer_entity"] >= 140
    assert count["review"] >= 60
    assert len({product.name for product in catalogue().values()}) >= 60


@pytest.mark.parametrize("seed", [1, 635, 164_000])
def test_tracking_numbers_have_their_carriers_form(seed: int) -> None:
    assert re.fullmatch(r"1Z[0-9A-Z]{16}", tracking("ups", seed))
    assert re.fullmatch(r"\d{12}", tracking("fedex", seed))
    usps = tracking("usps", seed)
    assert re.fullmatch(r"94\d{20}", usps)
    assert sum(int(c) * (1 if i % 2 else 3) for i, c in enumerate(usps[-2::-1])) % 10 == -int(usps[-1]) % 10
