"""Searches as people type them: each site finds what is meant, and the page's title has the query."""

import re
from html import unescape
from urllib.parse import quote_plus

import pytest

from longtrail.web.sites.consumer import sites
from longtrail.web.sites.consumer.sites import Replica
from tests.tables import tables_of
from tests.web.sites.consumer.visitor import Visitor

TABLES = tables_of(__file__)

IKEA = "https://www.ikea.com/us/en/search/?q="
KOA = "https://koa.com/search/?txtLocation="
PARKING = "https://parking.com/search?query="
TICKETCENTER = "https://www.ticketcenter.com/search?q="
YELP = "https://www.yelp.com/search?find_desc="
_SHOWN = re.compile(r'<h3><a href="[^"]*">([^<]+)</a>|<li class="result"><h2><a href="[^"]*">([^<]+)</a>')


def found(visitor: Visitor, url: str) -> list[str]:
    """The names of the items listed there."""
    html = visitor.get(url).text
    return [unescape(card or page) for card, page in _SHOWN.findall(html)]


@pytest.mark.parametrize(("search", "query", "first", "least"), TABLES["what_a_person_expects_is_found"])
def test_what_a_person_expects_is_found(visitor: Visitor, search: str, query: str, first: str, least: int) -> None:
    names = found(visitor, search + quote_plus(query))
    assert len(names) >= least
    assert first.lower() in names[0].lower()


def test_what_is_meant_comes_first_and_the_rest_is_left_out(visitor: Visitor) -> None:
    assert all("Bruins" in name for name in found(visitor, TICKETCENTER + "hockey+games+in+boston"))
    assert all("Celtics" in name for name in found(visitor, TICKETCENTER + "celtics+tickets"))
    assert found(visitor, PARKING + "airport+parking")[-1].endswith("Airport")


def test_titles_have_the_query(replica: Replica, visitor: Visitor) -> None:
    """On each page that a site's search field leads to."""
    searched = [
        (address.path, getattr(address.page, "query", ""))
        for address in sites.replica(replica.host).addresses.values()
        if getattr(address.page, "query", "")
    ]
    for path, name in searched:
        html = visitor.get(f"https://{replica.host}{path}?{quote_plus(name)}=quiet+harbor").text
        title = re.search(r"<title>(.*?)</title>", html)
        assert title, path
        assert "quiet harbor" in unescape(title[1]), path


@pytest.mark.parametrize(("url", "inside", "outside"), TABLES["a_place_is_no_beginning_of_another"])
def test_a_place_is_no_beginning_of_another(visitor: Visitor, url: str, inside: str, outside: str) -> None:
    """`CA` is California, not the beginning of Carolina; a state's code finds its name."""
    names = found(visitor, url)
    assert inside in names
    assert outside not in names


def test_no_place_is_found_by_a_part_of_its_number(visitor: Visitor) -> None:
    assert not found(visitor, YELP + "mexican&find_loc=9452")


@pytest.mark.parametrize(
    ("host", "catalogue", "path"),
    [("koa.com", "campgrounds", "/campgrounds/{}/directions/"), ("www.yelp.com", "biz", "/map/{}")],
)
def test_directions_are_a_route(visitor: Visitor, host: str, catalogue: str, path: str) -> None:
    """From a start to the place, in steps whose miles add up, and not the same for all."""
    lengths = set()
    for item in sites.replica(host).shelves[catalogue].items[:12]:
        words = visitor.page(f"https://{host}{path.format(item.id)}").words
        steps = re.search(r"Route Leave .*? for ([\d.]+) miles\. .*? ([\d.]+) miles", words)
        assert steps, words
        whole = re.search(r"By car ([\d.]+) miles, about \d+ minutes", words)
        assert whole
        assert float(steps[1]) + float(steps[2]) <= float(whole[1]) + 0.01
        lengths.add(whole[1])
    assert len(lengths) > 6
