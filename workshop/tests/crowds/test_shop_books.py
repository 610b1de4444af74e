"""The shop's data are consistent: sums, dates and states. Each rule is a query that finds what breaks it."""

import re
from pathlib import Path

import pytest

from longtrail.web.sites.shopadmin.catalogue import catalogue
from longtrail.web.sites.shopadmin.ledger import STATE
from longtrail.web.sites.shopadmin.order_totals import TAX, tracking
from longtrail.yaml_file import read_yaml
from tests.tables import tables_of
from tests.web.sites.shopadmin.conftest import shop
from tests.web.sites.shopadmin.shop import Shop
from workshop.crowds import shop as shop_crowd

TABLES = tables_of(__file__)

__all__ = ["shop"]
MATERIAL = Path(shop_crowd.__file__).with_name("material.yaml")


def test_the_books_hold(shop: Shop) -> None:
    broken = {rule: shop.rows(query)[:3] for rule, query in TABLES["rules"].items()}
    assert {rule: rows for rule, rows in broken.items() if rows} == {}


@pytest.mark.parametrize("query", TABLES["numbers_rise_with_time"])
def test_numbers_rise_with_time(query: str, shop: Shop) -> None:
    moments = [row["created_at"] for row in shop.rows(query)]
    assert moments == sorted(moments)


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
