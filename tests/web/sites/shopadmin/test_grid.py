"""Listings: search, filters, order and pages, all in the address and nowhere else."""

import re

import pytest

from tests.tables import tables_of
from tests.web.sites.shopadmin.shop import Shop, read

TABLES = tables_of(__file__)

ORDERS = "/admin/sales/order/"


def _rows(shop: Shop, address: str) -> list[list[str]]:
    text = read(shop.get(address).text)[0]
    return [line.strip("| ").split(" | ") for line in text.split("\n") if re.match(r"\| (\d{9}|\d+) \|", line)]


def _count(shop: Shop, address: str) -> int:
    return int(re.search(r"^(\d+) records found", read(shop.get(address).text)[0], re.MULTILINE)[1])  # type: ignore[index]


def test_newest_orders_come_first_twenty_a_page(shop: Shop) -> None:
    rows = _rows(shop, ORDERS)
    assert len(rows) == 20
    assert [row[0] for row in rows] == sorted((row[0] for row in rows), reverse=True)
    assert _count(shop, ORDERS) == shop.rows("SELECT COUNT(*) AS n FROM sales_order")[0]["n"]


def test_pages_follow_each_other_without_gaps(shop: Shop) -> None:
    address: str | None = f"{ORDERS}?search=Johnson"
    seen: list[str] = []
    while address:
        seen += [row[0] for row in _rows(shop, address)]
        following = re.search(r'<a rel="next" href="([^"]+)"', shop.get(address).text)
        address = following[1].replace("&amp;", "&") if following else None
    assert len(seen) == len(set(seen)) == 50


@pytest.mark.parametrize("word", ["000000635", "635", "Kevin Zhang", "zhang kevin", "k.zhang@fernmail.example"])
def test_keywords_find_an_order(word: str, shop: Shop) -> None:
    assert any(row[0] == "000000635" for row in _rows(shop, f"{ORDERS}?search={word}&paging[pageSize]=200"))


@pytest.mark.parametrize("word", ["%", "__", "' OR 1=1 --", "nobody at all"])
def test_keywords_are_taken_literally(word: str, shop: Shop) -> None:
    answer = shop.request("GET", ORDERS, params={"search": word})
    assert "We couldn't find any records." in read(answer.text)[0]


@pytest.mark.parametrize(("query", "condition"), TABLES["filters"])
def test_filters(query: str, condition: str, shop: Shop) -> None:
    wanted = shop.rows(f"SELECT COUNT(*) AS n FROM sales_order WHERE {condition}")[0]["n"]
    assert _count(shop, f"{ORDERS}?{query}") == wanted > 0


def test_what_is_filtered_is_said_and_can_be_cleared(shop: Shop) -> None:
    page = shop.get(f"{ORDERS}?search=zhang&filters[status]=complete").text
    text = read(page)[0]
    assert "Active filters: Keyword: zhang Status: Complete Clear all" in text
    assert "records found for zhang, Complete" in text
    assert f'<a href="{ORDERS}">Clear all</a>' in page


def test_a_listing_remembers_nothing(shop: Shop) -> None:
    plain = shop.get(ORDERS).text
    shop.get(f"{ORDERS}?search=zhang&filters[status]=complete&paging[pageSize]=50")
    assert shop.get(ORDERS).text == plain
    assert not shop.world.changes()


@pytest.mark.parametrize(("direction", "first"), [("asc", min), ("desc", max)])
def test_sorting(direction: str, first: "type[min]", shop: Shop) -> None:
    rows = _rows(shop, f"{ORDERS}?sorting[field]=grand_total&sorting[direction]={direction}")
    amounts = [float(row[6].strip("$").replace(",", "")) for row in rows]
    best = shop.rows(f"SELECT {first.__name__}(grand_total) AS n FROM sales_order")[0]["n"]
    assert amounts[0] == best
    assert amounts == sorted(amounts, reverse=direction == "desc")


@pytest.mark.parametrize(("grid", "query", "text"), TABLES["other_listings"])
def test_other_listings(grid: str, query: str, text: str, shop: Shop) -> None:
    assert text in read(shop.get(f"/admin/{grid}/?{query}").text)[0]


def test_a_thousand_orders_do_not_slow_the_listing_down(shop: Shop) -> None:
    before, count = shop.effort(f"{ORDERS}?search=johnson"), _count(shop, ORDERS)
    db = shop.world.db("shopadmin")
    columns = [row["name"] for row in db.execute("PRAGMA table_info(sales_order)")]
    rest = ", ".join(columns[2:])
    for shift in (300_000, 600_000):
        db.execute(
            f"INSERT INTO sales_order (entity_id, increment_id, {rest}) SELECT entity_id + ?,"
            f" printf('%09d', entity_id + ?), {rest} FROM sales_order WHERE entity_id < 200000",
            (shift, shift),
        )
    growth = _count(shop, ORDERS) / count
    after = shop.effort(f"{ORDERS}?search=johnson")
    assert _count(shop, ORDERS) > 1000
    assert after.statements == before.statements
    assert after.instructions < 1.5 * growth * before.instructions, "rows are read more than once"
