"""Addresses: which are the same page, in all the spellings of a route that has a name, and which the same site."""

import pytest

from longtrail.checks.hosts import host_of, registrable_domain, same_site
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


@pytest.mark.parametrize(("host", "domain"), TABLES["registrable_domains"])
def test_registrable_domains(host: str, domain: str) -> None:
    assert registrable_domain(host) == domain


def test_hosts_of_addresses() -> None:
    assert host_of("https://User:pw@WWW.Ikea.com:443/x") == "www.ikea.com"
    assert host_of("about:blank") == host_of("https://[broken") == ""


def test_same_site() -> None:
    assert same_site("https://m.ikea.com/x", "www.ikea.com")
    assert not same_site("https://ikea.com.evil.test/", "ikea.com")
    assert not same_site("https://10.0.0.1/", "11.0.0.1")
    assert not same_site("about:blank", "")
