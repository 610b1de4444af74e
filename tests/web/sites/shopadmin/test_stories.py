"""Stories: what they leave out gets usual values, contradictions are errors, past orders add up to the cent."""

import sqlite3
from datetime import datetime
from typing import Any

import pytest

from longtrail.errors import DataError
from longtrail.web.sites.shopadmin.build import fill
from longtrail.web.sites.shopadmin.catalogue import catalogue
from longtrail.web.sites.shopadmin.order_totals import share, split
from longtrail.web.sites.shopadmin.past_orders import LANES, MOVED, expand, moment_of, number_of
from longtrail.web.sites.shopadmin.story import STORY, ShopStory
from tests.tables import tables_of

TABLES = tables_of(__file__)

ANN: dict[str, Any] = {
    "id": 7,
    "name": "Ann Lee",
    "email": "ann.lee@mailbox.example",
    "since": "2023-02-10 19:05",
    "address": {"street": "12 Elm Court", "city": "Salem", "state": "OR", "zip": "97301", "phone": "(503) 555-0118"},
}
ORDER: dict[str, Any] = {"id": 12, "customer": 7, "at": "2025-11-06 10:00", "items": {"LM-FNC-TEE-M": 2}}


def _story(**records: Any) -> ShopStory:
    return STORY.validate_python({"customers": [ANN], **records})


def _world(*shop_stories: ShopStory) -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.row_factory = sqlite3.Row
    fill(db, list(shop_stories))
    return db


def _one(db: sqlite3.Connection, sql: str) -> dict[str, Any]:
    return dict(db.execute(sql).fetchone())


def test_the_usual_course() -> None:
    db = _world(_story(orders=[ORDER], reviews=[]))
    order = _one(db, "SELECT * FROM sales_order")
    assert (order["status"], order["grand_total"], order["total_paid"]) == ("complete", 58.95, 58.95)
    assert _one(db, "SELECT * FROM sales_invoice")["entity_id"] == 12
    shipped = datetime.fromisoformat(_one(db, "SELECT * FROM sales_shipment")["created_at"])
    assert shipped.date().isoformat() == "2025-11-07"
    assert _one(db, "SELECT COUNT(*) AS n FROM sales_order_status_history")["n"] == 1


def test_taxes_discounts_and_prices_add_up() -> None:
    columbus = {**ANN["address"], "city": "Columbus", "state": "OH", "zip": "43214", "phone": "(614) 555-0101"}
    order = {**ORDER, "items": {"LM-FNC-TEE-M": [2, 20.0], "LM-ALD-MUG": 1}, "discount": 5.45, "ship_to": columbus}
    order["total"] = 59.68
    sums = _one(_world(_story(orders=[order], reviews=[])), "SELECT * FROM sales_order")
    assert (sums["subtotal"], sums["discount_amount"], sums["tax_amount"]) == (54.5, 5.45, 3.68)


@pytest.mark.parametrize(("change", "text"), TABLES["orders_that_do_not_fit"])
def test_orders_that_do_not_fit(change: dict[str, Any], text: str) -> None:
    with pytest.raises(DataError, match=text):
        _world(_story(orders=[{**ORDER, **change}]))


def test_numbers_are_given_once() -> None:
    with pytest.raises(DataError, match="another order has this number"):
        _world(_story(orders=[ORDER]), STORY.validate_python({"orders": [ORDER]}))
    with pytest.raises(DataError, match="another customer has this id"):
        _world(_story(), _story())


def test_a_full_refund_closes_the_order() -> None:
    refund = {"at": "2025-11-20 10:00", "comments": [{"text": "Came back unworn."}]}
    db = _world(_story(orders=[{**ORDER, "refunds": [refund]}]))
    assert _one(db, "SELECT * FROM sales_order")["status"] == "closed"
    assert _one(db, "SELECT * FROM sales_creditmemo")["grand_total"] == 58.95
    last = "SELECT * FROM sales_order_status_history ORDER BY entity_id DESC"
    assert _one(db, last)["comment"] == "We refunded $58.95 offline."


@pytest.mark.parametrize(
    ("lane", "orders", "total"), [(5, 1, 60.0), (17, 12, 1204.55), (33, 30, 5000.01), (60, 45, 14028.96)]
)
def test_a_past_adds_up_to_the_cent(lane: int, orders: int, total: float) -> None:
    past = {"lane": lane, "orders": orders, "total": total, "from": "2023-03-01", "to": "2025-10-01"}
    story = STORY.validate_python({"customers": [{**ANN, "past": past}]})
    made = expand(story.customers[0], catalogue())
    assert len(made) == orders
    assert all(order.id % LANES == lane for order in made)
    assert made == sorted(made, key=lambda order: order.at)
    sums = _one(_world(story), "SELECT ROUND(SUM(grand_total), 2) AS total, MAX(created_at) AS last FROM sales_order")
    assert sums["total"] == total
    assert sums["last"] < "2025-10-02"
    assert expand(story.customers[0], catalogue()) == made


@pytest.mark.parametrize(("change", "text"), TABLES["a_past_that_cannot_be"])
def test_a_past_that_cannot_be(change: dict[str, Any], text: str) -> None:
    past = {"lane": 9, "orders": 3, "total": 300.0, "from": "2023-03-01", "to": "2025-10-01", **change}
    story = STORY.validate_python({"customers": [{**ANN, "past": past}]})
    with pytest.raises(DataError, match=text):
        expand(story.customers[0], catalogue())


def test_former_numbers_are_half_hours() -> None:
    assert number_of(datetime(2022, 3, 1, 0, 10)) == 100_001
    assert moment_of(number_of(datetime(2024, 6, 2, 15, 44))) == datetime(2024, 6, 2, 15, 30)
    assert number_of(MOVED) < 165_000


def test_shares_make_the_whole() -> None:
    assert sum(split(1001, [3, 3, 3])) == 1001
    assert [share(1000, done, 1, 3) for done in range(3)] == [333, 334, 333]
