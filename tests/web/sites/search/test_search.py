"""The search engine: it ranks sensibly, pages, says when nothing is found, and takes the parameters of both hosts."""

import re
from urllib.parse import urlsplit

import pytest

from longtrail.web.sites.consumer import sites
from longtrail.web.sites.consumer.sites import lookup
from longtrail.web.sites.search import app as search
from longtrail.web.sites.search.app import index
from tests.tables import tables_of
from tests.web.sites.client import Page, SiteClient

TABLES = tables_of(__file__)

GOOGLE, DUCK = "https://www.google.com", "https://duckduckgo.com"


CLIENT = SiteClient(search.make())
get, page = CLIENT.get, CLIENT.page


def urls(query: str) -> list[str]:
    return index().find(query).urls


@pytest.mark.sampled(4)
@pytest.mark.parametrize("host", sites.files())
def test_a_site_is_found_first_by_its_name(host: str) -> None:
    spec = sites.replica(host).spec
    assert urls(spec.name)[0] == f"https://{host}{spec.navigation.home}"
    assert urls(host)[0] == f"https://{host}{spec.navigation.home}"


@pytest.mark.parametrize(("query", "url"), TABLES["what_is_asked_comes_first"])
def test_what_is_asked_comes_first(query: str, url: str) -> None:
    assert urls(query)[0] == url


def test_words_beyond_those_that_occur_do_not_hide_the_rest() -> None:
    assert (
        "https://www.ikea.com/us/en/customer-service/returns-claims/return-policy/"
        in urls("ikea return policy xyzzy")[:5]
    )


def test_one_site_can_be_asked_for() -> None:
    found = urls("site:ikea.com mug")
    assert found
    assert all(url.startswith("https://www.ikea.com/") for url in found)


def test_results_lead_to_pages_that_are_served() -> None:
    for url in urls("steam")[:30]:
        host, path = url.removeprefix("https://").split("/", 1)
        assert lookup(f"/{path}") in sites.replica(host).addresses


def test_pages_that_hold_state_are_not_found() -> None:
    assert not [
        url for url in urls("cart shopping bag favorites wishlist") if re.search(r"/(cart|wishlist|favourites)/?$", url)
    ]


def test_the_home_pages_have_a_search_field() -> None:
    assert 'aria-label="Search"' in get(f"{GOOGLE}/").text
    assert 'name="q"' in get(f"{DUCK}/").text


def test_result_pages_show_titles_addresses_and_passages() -> None:
    shown = page(f"{GOOGLE}/search?q=dota+2")
    assert ("Dota 2 | Steam", "https://store.steampowered.com/app/570/Dota_2/") in shown.links
    assert "store.steampowered.com" in shown.words
    assert "<em>Dota</em>" in get(f"{GOOGLE}/search?q=dota+2").text


@pytest.mark.parametrize("base", [GOOGLE, DUCK])
def test_what_the_site_is_stands_on_a_page_of_its_own(base: str) -> None:
    for url in (f"{base}/", f"{base}/search?q=tickets", f"{base}/nothing"):
        response = get(url)
        assert ("About this site", "/about-this-site") in Page(response.text).links
        assert "replica" not in response.text
        assert "Test replica" in response.headers["x-replica"]
    assert "Test replica" in page(f"{base}/about-this-site").words
    assert not [url for url in urls("test replica for evaluating software") if url.endswith("/about-this-site")]


def test_nothing_found() -> None:
    assert "did not match any documents" in page(f"{GOOGLE}/search?q=zzzzqqq").words


@pytest.mark.parametrize(("base", "offset"), [(f"{GOOGLE}/search", "start"), (f"{DUCK}/", "s")])
def test_pages_follow_each_other_without_overlap(base: str, offset: str) -> None:
    def titles(start: int) -> list[str]:
        shown = page(f"{base}?q=tickets&{offset}={start}")
        return [href for _, href in shown.links if urlsplit(href).hostname in sites.files()]

    first, second = titles(0), titles(10)
    assert len(first) == len(second) == 10
    assert not set(first) & set(second)
    links = dict(page(f"{base}?q=tickets").links)
    assert links["Next"].endswith(f"?q=tickets&{offset}=10")
    assert "Previous" not in links


def test_an_offset_beyond_the_end_is_the_end() -> None:
    assert page(f"{GOOGLE}/search?q=tickets&start=99999").links
    assert page(f"{GOOGLE}/search?q=tickets&start=-3").links


def test_aliases_redirect() -> None:
    response = get("https://google.com/search?q=ikea")
    assert response.status_code == 301
    assert response.headers["location"] == "https://www.google.com/search?q=ikea"
    assert get("https://www.duckduckgo.com/?q=x").headers["location"] == "https://duckduckgo.com/?q=x"


def test_other_addresses_are_missing_and_other_methods_refused() -> None:
    assert get(f"{GOOGLE}/maps").status_code == 404


def test_markup_in_the_query_stays_text() -> None:
    assert "<script>alert" not in get(f"{GOOGLE}/search?q=%3Cscript%3Ealert(1)%3C/script%3E").text
