"""Page keys: every route of the shop and the forum that has a name, in all the spellings that mean the same page."""

import pytest

from longtrail.checks.page_names import page_key
from tests.tables import tables_of

TABLES = tables_of(__file__)

SHOP = "https://shopadmin.test/admin"
FORUM = "https://forum.test"

SAME = TABLES["same"]
NAMELESS = TABLES["nameless"]


@pytest.mark.parametrize("key", SAME)
def test_all_spellings_of_a_page_have_one_name(key: str) -> None:
    assert {page_key(url) for url in SAME[key]} == {key}


@pytest.mark.parametrize("url", NAMELESS)
def test_what_is_no_page_has_no_name(url: str) -> None:
    assert page_key(url) is None


def test_a_part_of_an_id_is_another_page() -> None:
    assert page_key(f"{SHOP}/sales/order/view/order_id/63/") != page_key(f"{SHOP}/sales/order/view/order_id/635/")


def test_the_three_pages_of_a_user_differ() -> None:
    assert len({page_key(f"{FORUM}/user/x_y_z{tab}") for tab in ("", "/submissions", "/comments")}) == 3
