"""Page keys: every route of the shop and the forum that has a name, in all the spellings that mean the same page."""

import pytest

from longtrail.checks.page_names import page_key
from tests.tables import tables_of

TABLES = tables_of(__file__)


@pytest.mark.parametrize(
    ("key", "urls"), [row for site in ("shop", "forum", "other_platforms") for row in TABLES[site].items()]
)
def test_all_spellings_of_a_page_have_one_name(key: str, urls: list[str]) -> None:
    assert {page_key(url) for url in urls} == {key}


@pytest.mark.parametrize("url", TABLES["nameless"])
def test_what_is_no_page_has_no_name(url: str) -> None:
    assert page_key(url) is None
