"""Listings: search, facets, sorting and pages, all of them set by the address."""

import re

from tests.web.sites.client import Page
from tests.web.sites.consumer.visitor import Visitor

IKEA = "https://www.ikea.com"
TABS = "https://www.ultimate-guitar.com"


def names(visitor: Visitor, url: str) -> list[str]:
    """Names of the articles that a list of IKEA shows, from the buttons that add them to the favorites."""
    return [one.split(", ")[1] for one in visitor.page(url).buttons if one.startswith("Save to favorites, ")]


def test_search_finds_by_name_without_accents(visitor: Visitor) -> None:
    assert names(visitor, f"{IKEA}/us/en/search/?q=besta") == ["BESTÅ"]


def test_search_finds_by_several_words_in_any_field(visitor: Visitor) -> None:
    assert names(visitor, f"{IKEA}/us/en/search/?q=green+armchairs") == ["STRANDMON"]


def test_a_search_for_places_that_are_always_open_finds_those_first(visitor: Visitor) -> None:
    url = "https://www.yelp.com/search?find_loc=Greenville,+SC&find_desc=mcdonalds"
    asked, narrowed = (visitor.page(f"{url}{more}") for more in ("+open+24+hours", "&open24=1"))

    def places(page: Page) -> list[str]:
        return list(dict.fromkeys(href for _, href in page.links if href.startswith("/biz/mcdonalds")))

    assert sorted(places(asked)) == sorted(places(narrowed)) != []


def test_a_misspelt_query_finds_what_was_meant_and_says_so(visitor: Visitor) -> None:
    page = visitor.page(f"{IKEA}/us/en/search/?q=armchiar")
    assert "Nothing was found for “armchiar”." in page.words
    assert ("armchair", "/us/en/search/?q=armchair") in page.links
    assert "STRANDMON" in names(visitor, f"{IKEA}/us/en/search/?q=armchiar")
    shown = visitor.page("https://www.mbta.com/search?query=lost+and+fuond")
    assert ("lost found", "/search?query=lost%20found") in shown.links


def test_search_says_when_nothing_is_found(visitor: Visitor) -> None:
    page = visitor.page(f"{IKEA}/us/en/search/?q=helicopter")
    assert "0 products" in page.words
    assert "We found nothing" in page.words


def test_search_waits_for_words(visitor: Visitor) -> None:
    page = visitor.page(f"{IKEA}/us/en/search/")
    assert "Type something" in page.words
    assert "We found nothing" not in page.words


def test_a_price_facet_narrows(visitor: Visitor) -> None:
    base = f"{IKEA}/us/en/cat/kitchenware-tableware-kt001/"
    assert set(names(visitor, f"{base}?f-price-buckets=PRICE_0_10")) < set(names(visitor, base))
    assert names(visitor, f"{base}?f-price-buckets=PRICE_50_200") == ["SENIOR"]


def test_options_of_one_facet_add_up_and_two_facets_multiply(visitor: Visitor) -> None:
    base = f"{IKEA}/us/en/cat/products-products/"
    red, blue = names(visitor, f"{base}?f-colors=red"), names(visitor, f"{base}?f-colors=blue")
    assert sorted(names(visitor, f"{base}?f-colors=red&f-colors=blue")) == sorted(red + blue)
    green = names(visitor, f"{base}?f-colors=green")
    cheap = names(visitor, f"{base}?f-colors=green&f-price-buckets=PRICE_0_10")
    assert set(cheap) == {"FÄRGKLAR", "FEJKA"} < set(green)


def test_counts_are_what_the_click_gives(visitor: Visitor) -> None:
    page = visitor.page(f"{TABS}/explore")
    beginner = next(link for link in page.links if link[0].startswith("Beginner "))
    count = int(beginner[0].split()[-1])
    assert f"{count} tabs" in visitor.page(TABS + beginner[1]).words
    assert beginner[1] == "/explore?difficulty[]=2"


def test_a_chosen_link_facet_can_be_taken_back(visitor: Visitor) -> None:
    page = visitor.page(f"{TABS}/explore?difficulty[]=2&type[]=Bass")
    links = dict(page.links)
    assert links["Remove filter Beginner"] == "/explore?type[]=Bass"
    assert links["Clear all filters"] == "/explore"


def test_sorting(visitor: Visitor) -> None:
    base = f"{IKEA}/us/en/offers/home-essentials-under-10/?sort="
    assert names(visitor, f"{base}PRICE_LOW_TO_HIGH")[:3] == ["OFTAST", "FRAKTA", "SOLHETTA"]
    by_name = names(visitor, f"{base}NAME_ASCENDING")
    assert by_name == sorted(by_name, key=lambda name: name.replace("Ä", "A").replace("Ö", "O").replace("Å", "A"))
    assert names(visitor, f"{base}no-such-order") == names(visitor, f"{base}RELEVANCE")


def test_pages_cut_the_list_without_loss(visitor: Visitor) -> None:
    base = f"{IKEA}/us/en/cat/products-products/"
    total = int(re.search(r"(\d+) products", visitor.page(base).words)[1])  # type: ignore[index]
    found = [name for page in range(1, 6) for name in names(visitor, f"{base}?page={page}")][:total]
    everything = [name for page in range(1, -(-total // 24) + 1) for name in names(visitor, f"{base}?page={page}")]
    assert len(everything) == total == len(found)


def test_what_leads_nowhere_is_disabled(visitor: Visitor) -> None:
    base = f"{IKEA}/us/en/cat/products-products/"
    off = '<span role="link" aria-disabled="true">{}</span>'
    assert off.format("Previous") in visitor.get(base).text
    assert off.format("Next") not in visitor.get(base).text
    assert off.format("Next") in visitor.get(f"{base}?page=999").text


def test_a_page_beyond_the_last_is_the_last(visitor: Visitor) -> None:
    base = f"{IKEA}/us/en/cat/products-products/?page="
    assert names(visitor, f"{base}999") == names(visitor, f"{base}4")
    assert names(visitor, f"{base}-1") == names(visitor, f"{base}abc") == names(visitor, f"{base}1")


def test_a_facet_keeps_the_order_and_starts_from_page_one(visitor: Visitor) -> None:
    page = visitor.page(f"{TABS}/explore?order=rating_desc&page=2")
    assert ("/explore?order=rating_desc&difficulty[]=1") in [href for _, href in page.links]


def test_ranges_narrow_and_odd_bounds_do_no_harm(visitor: Visitor) -> None:
    base = "https://www.ticketcenter.com/massachusetts/boston-tickets"
    assert "1 event " in visitor.page(f"{base}?price_min=150").words
    assert "21 events" in visitor.page(f"{base}?price_min=abc").words
    assert "0 events" in visitor.page(f"{base}?price_min=100000").words


def test_values_that_no_option_has_find_nothing(visitor: Visitor) -> None:
    assert "0 tabs" in visitor.page(f"{TABS}/explore?difficulty[]=9").words


def test_markup_in_the_query_stays_text(visitor: Visitor) -> None:
    for url in (f"{IKEA}/us/en/search/?q=", "https://www.mbta.com/search?query="):
        response = visitor.get(f"{url}<script>alert(1)</script>")
        assert "<script>alert" not in response.text
        assert "&lt;script&gt;alert(1)" in response.text


def test_the_site_wide_search_finds_pages(visitor: Visitor) -> None:
    page = visitor.page("https://www.mbta.com/search?query=lost+and+found")
    assert ("Lost and found", "/customer-support/lost-and-found") in page.links
    assert "No page matches" in visitor.page("https://www.mbta.com/search?query=zzzz").words
