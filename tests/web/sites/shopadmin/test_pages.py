"""The pages: addresses, labels and parts as in the real platform, and little work for the database."""

import re

import pytest

from longtrail.web.page_templates import ABOUT_PATH
from tests.checks.test_page_names import TABLES
from tests.web.sites.shopadmin.shop import Shop, read

ORDER = "/admin/sales/order/view/order_id/635/"
LABELLED = """
/admin/sales/order/view/order_id/635/ /admin/sales/order/ /admin/sales/order/commentsHistory/order_id/635/
/admin/sales/order_creditmemo/new/order_id/635/ /admin/review/product/ /admin/cms/page/
"""
"""Pages with fields."""


NAMED = TABLES["shop"]


@pytest.mark.parametrize("key", NAMED)
def test_every_page_that_has_a_name_is_served_in_each_of_its_spellings(key: str, shop: Shop) -> None:
    paths = [url.partition("/admin")[2].partition("#")[0] for url in NAMED[key]]
    found = [shop.request("GET", f"/admin{path}", follow_redirects=True) for path in paths]
    assert {answer.status_code for answer in found} == {200}
    if key.startswith("order:"):
        assert all("000000635" in answer.text for answer in found)


UNKNOWN = """
/admin/sales/nothing/ /admin/sales/order/view/order_id/abc/ /admin/sales/order/commentsHistory/order_id/999999/
/admin/sales/shipment/view/shipment_id/999999/ /admin/customer/index/orders/id/999/ /admin/reset /openapi.json
/static/../build.py
"""


@pytest.mark.parametrize("address", UNKNOWN.split())
def test_unknown_pages_are_not_found(address: str, shop: Shop) -> None:
    assert shop.get(address).status_code == 404


@pytest.mark.parametrize(
    ("address", "grid", "text"),
    [
        ("/admin/sales/order/view/order_id/999999/", "/admin/sales/order/", "This order no longer exists."),
        ("/admin/customer/index/edit/id/999/", "/admin/customer/index/", "Something went wrong while editing the"),
        ("/admin/catalog/product/edit/id/9/", "/admin/catalog/product/", "This product doesn't exist."),
        ("/admin/cms/page/edit/page_id/99/", "/admin/cms/page/", "This page no longer exists."),
    ],
)
def test_unknown_records_lead_back_with_a_message(address: str, grid: str, text: str, shop: Shop) -> None:
    answer = shop.get(address)
    assert (answer.status_code, answer.headers["location"]) == (302, grid)
    assert text in read(shop.get(grid).text)[0]
    assert text not in read(shop.get(grid).text)[0]


@pytest.mark.parametrize("address", ["/", "/admin", "/admin/"])
def test_the_way_in_leads_to_the_dashboard(address: str, shop: Shop) -> None:
    assert shop.get(address).headers["location"] == "/admin/admin/dashboard/"


def test_the_first_visit_gives_the_session(shop: Shop) -> None:
    assert "admin=" in shop.get("/admin/sales/order/").headers["set-cookie"]
    assert "set-cookie" not in shop.get("/admin/sales/order/").headers


def test_sections_of_an_order_stand_in_the_platforms_order(shop: Shop) -> None:
    text = read(shop.get(ORDER).text)[0]
    sections = (
        "Order & Account Information", "Address Information", "Payment & Shipping Method", "Items Ordered",
        "Notes for this Order", "Order Totals", "Grand Total", "Total Paid", "Total Refunded", "Total Due",
    )  # fmt: skip
    places = [text.index(section) for section in sections]
    assert places == sorted(places)
    for mark in ('id="order_status"', 'id="order_history_block"', 'id="history_comment"', "note-list-comment"):
        assert mark in shop.get(ORDER).text


def test_notes_come_newest_first_and_the_history_oldest_first(shop: Shop) -> None:
    notes = read(shop.get(ORDER).text)[0]
    assert notes.index("fourth wrong-item report") < notes.index("Mail from Kevin") < notes.index("Captured amount")
    history = read(shop.get("/admin/sales/order/commentsHistory/order_id/635/").text)[0]
    events = ["Captured amount", "Invoice #000000635 created", "Shipment #000000635 created", "Mail from Kevin"]
    assert sorted(events, key=history.index) == events
    assert "for United Parcel Service assigned" in history


def test_a_tab_comes_alone_for_the_script(shop: Shop) -> None:
    for tab in ("invoices", "creditmemos", "shipments", "commentsHistory"):
        whole = shop.get(f"/admin/sales/order/{tab}/order_id/635/").text
        part = shop.get(f"/admin/sales/order/{tab}/order_id/635/?isAjax=true").text
        assert "<html" in whole
        assert "<html" not in part
        assert part.strip() in whole


def test_customer_tabs_differ(shop: Shop) -> None:
    tabs = ("edit", "account", "addresses", "orders", "productReviews")
    parts = [shop.get(f"/admin/customer/index/{tab}/id/289/?isAjax=true").text for tab in tabs]
    assert len(set(parts)) == 5
    assert "Lifetime Sales" in parts[0]
    assert "Date of Birth" in parts[1]
    assert "Default Shipping Address" in parts[2]
    assert "records found for Matt Baker" in parts[3]
    assert "Flat like a dream" in parts[4]


@pytest.mark.parametrize("address", LABELLED.split())
def test_fields_have_labels(address: str, shop: Shop) -> None:
    page = shop.get(address).text
    assert "<input" in page
    for tag in re.findall(r"<(?:input|select|textarea)\b[^<>]*>", page):
        if 'type="hidden"' in tag:
            continue
        name = re.search(r'\bid="([^"]+)"', tag)
        inside = re.search(r"<label[^<>]*>(?:(?!</label>).)*" + re.escape(tag), page, re.DOTALL)
        assert "aria-label" in tag or inside or (name and f'for="{name[1]}"' in page), tag


def test_what_people_wrote_is_escaped(shop: Shop) -> None:
    shop.post(
        "/admin/sales/order/addComment/order_id/635/", **{"history[comment]": "<b>bold</b><script>alert(1)</script>"}
    )
    assert "<script>alert" not in shop.get(ORDER).text
    assert "&lt;b&gt;bold" in shop.get(ORDER).text


def test_pages_are_the_same_in_every_world() -> None:
    one, other = Shop("one"), Shop("other")
    for address in (ORDER, "/admin/admin/dashboard/", "/admin/sales/order/", "/admin/customer/index/edit/id/192/"):
        assert one.get(address).text == other.get(address).text
    one.close()
    other.close()


def test_a_page_asks_the_database_little(shop: Shop) -> None:
    """A page needs few statements, not one per row, and each is cheap. `benchmarks/page_times.py` measures times."""
    addresses = (
        "/admin/admin/dashboard/", "/admin/sales/order/", "/admin/sales/order/?search=Johnson", ORDER,
        "/admin/sales/order/commentsHistory/order_id/635/", "/admin/customer/index/",
        "/admin/customer/index/edit/id/15/", "/admin/customer/index/orders/id/15/", "/admin/sales/creditmemo/",
        "/admin/sales/order_creditmemo/new/order_id/635/",
        "/admin/cms/page/edit/page_id/6/",
    )  # fmt: skip
    efforts = {address: shop.effort(address) for address in addresses}
    assert {address: effort for address, effort in efforts.items() if not 1 <= effort.statements <= 8} == {}
    assert {address: effort for address, effort in efforts.items() if effort.instructions > 100_000} == {}


def test_only_the_page_about_the_site_says_what_it_is(shop: Shop) -> None:
    told = "test shop"
    for path in ("/admin/admin/dashboard/", ORDER, "/admin/no/such/page/"):
        answer = shop.get(path)
        assert told not in answer.text
        assert f'href="{ABOUT_PATH}"' in answer.text
    assert told in shop.get(ABOUT_PATH).text
