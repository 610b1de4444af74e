"""The shop's cases and the served world, beyond the checks of all cases: figures are those of the shop's data."""

import re
from collections import Counter
from datetime import datetime, timedelta

import pytest

from longtrail.clock import NOW
from longtrail.paths import TASKS
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask
from tests.web.sites.shopadmin.shop import Shop

CASES = {k: v for k, v in load_tasks(TASKS / "shopping_admin").items() if isinstance(v, DecisionTask)}
each_case = pytest.mark.parametrize("name", CASES)


@each_case
def test_the_trigger_names_order_and_amount(name: str, shop: Shop) -> None:
    task = CASES[name]
    number = int(re.search(r"#(\d{9})\b", task.trigger)[1])  # type: ignore[index]
    order = shop.order(number)
    assert f"${order['grand_total']:,.2f}" in task.trigger
    assert task.policy["given"]["amount"] == order["grand_total"]
    assert order["customer_name"] in task.trigger


NAMED = {
    "PW-014": (712, "Patricia Johnson", 95.68, 50, 14788.69),
    "PW-021": (274, "Jane Smith", 158.25, 60, 12094.86),
    "PW-025": (600, "Diana Foster", 152.27, 30, None),
    "PW-055": (635, "Kevin Zhang", 115.73, None, None),
    "PW-067": (697, "Mark Stevens", 113.97, None, None),
    "PW-071": (751, "Barbara Allen", 79.95, None, None),
    "PW-081": (201, "Matt Baker", 176.10, None, None),
}


@pytest.mark.parametrize("name", NAMED)
def test_named_cases_keep_their_figures(name: str, shop: Shop) -> None:
    number, customer, amount, orders, lifetime = NAMED[name]
    order = shop.order(number)
    assert (order["increment_id"], order["customer_name"], order["grand_total"]) == (f"{number:09d}", customer, amount)
    history = shop.rows("SELECT * FROM sales_order WHERE customer_id = ?", order["customer_id"])
    assert orders in (None, len(history))
    assert lifetime in (None, round(sum(row["grand_total"] for row in history), 2))


def test_an_account_that_returns_half_keeps_larger_sizes(shop: Shop) -> None:
    memos = shop.rows(
        "SELECT i.sku, m.grand_total FROM sales_creditmemo m JOIN sales_creditmemo_item c ON c.parent_id = m.entity_id"
        " JOIN sales_order_item i ON i.item_id = c.order_item_id JOIN sales_order o ON o.entity_id = m.order_id"
        " WHERE o.customer_name = 'Diana Foster'"
    )
    kept = {
        row["sku"]
        for row in shop.rows(
            "SELECT i.sku FROM sales_order_item i JOIN sales_order o ON o.entity_id = i.order_id"
            " WHERE o.customer_name = 'Diana Foster' AND qty_refunded = 0"
        )
    }
    larger = {"M": "L", "L": "XL"}
    assert len(memos) == 15
    assert all(f"{sku[: sku.rindex('-')]}-{larger[sku.rsplit('-', 1)[1]]}" in kept for sku in (m["sku"] for m in memos))


@pytest.mark.parametrize(("name", "usual"), [("Mark Stevens", 85.0), ("Barbara Allen", 58.0)])
def test_accounts_that_were_taken_over_ordered_once_a_month(name: str, usual: float, shop: Shop) -> None:
    rows = shop.rows(
        "SELECT created_at, grand_total FROM sales_order WHERE customer_name = ? AND created_at < '2026-03-01'", name
    )
    months = Counter(row["created_at"][:7] for row in rows)
    assert set(months.values()) == {1}
    assert round(sum(row["grand_total"] for row in rows) / len(rows), 2) == usual


def _found(name: str) -> dict[str, dict[str, object]]:
    """What a case's facts establish, by section of the policy."""
    merged: dict[str, dict[str, object]] = {}
    for settled in CASES[name].policy["found"].values():
        for section, fields in settled.items():
            merged.setdefault(section, {}).update(fields)
    return merged


def _working_days(sent: str) -> int:
    """Working days from the one after dispatch up to today."""
    first, today = datetime.fromisoformat(sent).date(), NOW.date()
    return sum((first + timedelta(days=n)).weekday() < 5 for n in range(1, (today - first).days + 1))


@each_case
def test_what_the_facts_settle_is_true_in_the_world(name: str, shop: Shop) -> None:
    number = int(re.search(r"#(\d{9})\b", CASES[name].trigger)[1])  # type: ignore[index]
    order, found = shop.order(number), _found(name)
    past = shop.rows("SELECT * FROM sales_order WHERE customer_id = ? ORDER BY created_at", order["customer_id"])
    memos = shop.rows(
        "SELECT m.* FROM sales_creditmemo m JOIN sales_order o ON o.entity_id = m.order_id WHERE o.customer_id = ?",
        order["customer_id"],
    )
    total = round(sum(row["grand_total"] for row in past), 2)
    if account := found.get("account"):
        [customer] = shop.rows("SELECT * FROM customer_entity WHERE entity_id = ?", order["customer_id"])
        age = (NOW.replace(tzinfo=None) - datetime.fromisoformat(customer["created_at"])).days / 30.44
        assert account["months"] == int(age)
        assert (account["orders"], account["lifetime"], account["refunds"]) == (len(past), total, len(memos))
    if returns := found.get("returns"):
        net = round(total - sum(memo["grand_total"] for memo in memos), 2)
        assert (returns["orders"], returns["returns"]) == (len(past), len(memos))
        assert returns.get("net") in (None, net)
    if takeover := found.get("takeover"):
        last = datetime.fromisoformat(order["created_at"])
        rush = [row for row in past if last - datetime.fromisoformat(row["created_at"]) <= timedelta(hours=48)]
        assert takeover["orders_48h"] == len(rush)
        assert takeover["spend_48h"] == round(sum(row["grand_total"] for row in rush), 2)
        states = {
            row["entity_id"]: shop.rows(
                "SELECT region FROM sales_order_address WHERE parent_id = ? AND address_type = 'shipping'",
                row["entity_id"],
            )[0]["region"]
            for row in past
        }
        before = {state for key, state in states.items() if key not in {row["entity_id"] for row in rush}}
        assert takeover["new_state"] == (states[number] not in before)
    if possession := found.get("possession"):
        assert possession["earlier_refunds"] == len(memos)
    if parcel := found.get("parcel"):
        assert parcel.get("earlier_claims") in (None, len(memos))
        [sent] = shop.rows("SELECT created_at FROM sales_shipment WHERE order_id = ?", number)
        assert parcel.get("days") in (None, _working_days(sent["created_at"]))
    if linked := found.get("linked"):
        where = "SELECT DISTINCT a.parent_id FROM customer_address_entity a JOIN customer_address_entity b"
        where += " ON (a.telephone = b.telephone OR a.street = b.street) AND a.parent_id != b.parent_id"
        others = {row["parent_id"] for row in shop.rows(f"{where} AND b.parent_id = ?", order["customer_id"])}
        sent = "SELECT DISTINCT a.parent_id FROM customer_address_entity a"
        sent += " JOIN sales_order_address s ON a.street = s.street"
        sent += " WHERE s.parent_id = ? AND s.address_type = 'shipping' AND a.parent_id != ?"
        others |= {row["parent_id"] for row in shop.rows(sent, number, order["customer_id"])}
        assert linked["accounts"] == len(others)
        marks = ", ".join("?" * len(others))
        sql = f"SELECT 1 FROM sales_order WHERE total_refunded > 0 AND customer_id IN ({marks})"
        assert linked["refunds"] == len(shop.rows(sql, *others))


IDS = {
    "obvious_fraud": (1, 12, "easy"),
    "legitimate_customer": (13, 24, "easy"),
    "looks_bad_is_good": (25, 39, "medium"),
    "looks_good_is_bad": (40, 54, "hard"),
    "warehouse_operational": (55, 66, "medium"),
    "security_threat": (67, 78, "hard"),
    "no_explicit_note": (79, 90, "very_hard"),
    "edge_case": (91, 100, "expert"),
}
"""Category: first and last number, difficulty."""


@pytest.mark.parametrize("name", CASES)
def test_numbers_and_difficulty_are_the_categories(name: str) -> None:
    task = CASES[name]
    first, last, difficulty = IDS[task.category]
    assert first <= int(name.removeprefix("PW-")) <= last
    assert task.difficulty == difficulty


def test_harder_categories_take_more_hops() -> None:
    """On average, a case of three hard categories needs more hops than one of the easy category `obvious_fraud`."""
    hops = {kind: Counter(t.hops for t in CASES.values() if t.category == kind) for kind in IDS}
    mean = {kind: sum(n * count for n, count in each.items()) / each.total() for kind, each in hops.items()}
    assert min(mean["looks_good_is_bad"], mean["security_threat"], mean["edge_case"]) > mean["obvious_fraud"]
