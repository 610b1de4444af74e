"""Searches as people type them: each site finds what is meant, and the page's title has the query."""

import re
from html import unescape
from urllib.parse import quote_plus

import pytest

from longtrail.web.sites.consumer import sites
from longtrail.web.sites.consumer.sites import Replica
from tests.web.sites.consumer.visitor import Visitor

EBAY = "https://www.ebay.com/sch/i.html?_nkw="
GAMESTOP = "https://www.gamestop.com/search/?q="
IKEA = "https://www.ikea.com/us/en/search/?q="
KOA = "https://koa.com/search/?txtLocation="
PARKING = "https://parking.com/search?query="
SEATGEEK = "https://seatgeek.com/search?search="
STEAM = "https://store.steampowered.com/search/?term="
TICKETCENTER = "https://www.ticketcenter.com/search?q="
YELLOWPAGES = "https://www.yellowpages.com/search?search_terms="
YELP = "https://www.yelp.com/search?find_desc="
_SHOWN = re.compile(r'<h3><a href="[^"]*">([^<]+)</a>|<li class="result"><h2><a href="[^"]*">([^<]+)</a>')


def found(visitor: Visitor, url: str) -> list[str]:
    """The names of the items listed there."""
    html = visitor.get(url).text
    return [unescape(card or page) for card, page in _SHOWN.findall(html)]


@pytest.mark.parametrize(
    ("search", "query", "first", "least"),
    [
        (EBAY, "washing machines", "washing machine", 5),
        (EBAY, "dining room sets", "dining", 5),
        (EBAY, "dinning sets", "dining set", 5),
        (YELP, "mexican food", "Mi Barrio Lindo", 5),
        (YELP, "mcdonalds open 24 hours", "McDonald's", 1),
        (YELP, "bbq", "Barbecue", 1),
        (SEATGEEK, "hockey games in boston", "Bruins", 1),
        (SEATGEEK, "pop concerts", "", 10),
        (TICKETCENTER, "hockey games in boston", "Boston Bruins", 2),
        (TICKETCENTER, "celtics tickets", "Boston Celtics", 4),
        (TICKETCENTER, "celtic games", "Boston Celtics", 4),
        (TICKETCENTER, "pop concerts", "Billie Eilish", 4),
        (TICKETCENTER, "broadway shows", "Six", 4),
        (TICKETCENTER, "basketball", "", 4),
        (STEAM, "dota2", "Dota 2", 1),
        (STEAM, "free games", "", 5),
        (GAMESTOP, "ps5", "PlayStation 5", 3),
        (IKEA, "couch", "EKTORP", 3),
        (IKEA, "bookshelves", "BILLY", 1),
        (KOA, "california campgrounds", "", 10),
        (PARKING, "parking in boston", "TD Garden", 4),
        (PARKING, "msg parking", "Madison Square Garden", 1),
        ("https://www.imdb.com/find/?q=", "sci fi movies", "Inception", 5),
        ("https://boardgamegeek.com/geeksearch.php?action=search&objecttype=boardgame&q=", "strategy games", "", 10),
    ],
)
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


@pytest.mark.parametrize(
    ("url", "inside", "outside"),
    [
        (YELP + "mexican&find_loc=Concord%2C+CA", "Mi Barrio Lindo", "Tres Hermanas"),
        (YELP + "mexican&find_loc=Concord%2C+NC", "Tres Hermanas", "Mi Barrio Lindo"),
        (YELP + "mexican&find_loc=94520", "Mi Barrio Lindo", "Tres Hermanas"),
        (YELLOWPAGES + "dentist&geo_location_terms=CO", "Highlands Dental House", "Short North Dental"),
        ("https://www.last.fm/events?location_0=Los+Angeles%2C+CA", "Waxahatchee", "Nala Sinephro"),
        (KOA + "Cherokee%2C+NC", "Cherokee / Great Smokies KOA Holiday", "Needles KOA Journey"),
    ],
)
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
