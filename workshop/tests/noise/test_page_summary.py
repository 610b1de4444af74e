"""Page summaries: what is read from each kind of page."""

import pytest

from longtrail.records.observation import Observation
from tests.tables import tables_of
from workshop.noise.page_summary import PageSummary, glance

TABLES = tables_of(__file__)

LIST = TABLES["list"]
DETAIL = TABLES["detail"]
TABLE = TABLES["table"]
FORM = TABLES["form"]
ARTICLE = TABLES["article"]
CART = TABLES["cart"]


def of(text: str, url: str = "https://shop.example/rugs", title: str = "Rugs | Shop") -> PageSummary:
    return glance(Observation(url=url, title=title, text=text))


def test_a_list() -> None:
    seen = of(LIST)
    assert (seen.kind, seen.title, seen.site, seen.heading) == ("listing", "Rugs", "Shop", "Rugs")
    assert seen.lead == "What lies on the floor of a room"
    assert seen.count == "12 products"
    assert seen.items == ("LOHALS ($79.99)", "STOENSE ($149.00)")
    assert (seen.filters, seen.order) == ({"gray"}, "Best match")
    assert seen.links == ()


def test_a_detail_page() -> None:
    seen = of(DETAIL)
    assert (seen.kind, seen.price) == ("detail", "$79.99")
    assert seen.facts == ("Color: beige", "Material: Jute")
    assert seen.links == ("Care",)
    assert seen.lead == "Jute in a plain weave; both sides can be walked on"
    assert seen.sentences == ()


def test_the_other_kinds() -> None:
    assert of(TABLE).kind == "table"
    assert of(TABLE).items == ("Hingham (2:30 PM)", "Hull (2:45 PM)", "Long Wharf (3:15 PM)")
    assert (of(FORM).kind, of(FORM).complaint) == ("form", "Your name is required")
    assert of(ARTICLE).kind == "article"
    assert of(ARTICLE).lead == "Things found on trains go to the terminal, things found on buses to the garage"
    assert of(ARTICLE).sentences == ("They are kept for thirty days here",)
    assert (of(CART).kind, of(CART).total) == ("cart", "$36.58")
    assert of("main\n [1] link A\n", "https://www.google.com/", "Google").kind == "start"
    assert of("main\n About 66 results\n", "https://www.google.com/search?q=rug").count == "66 results"


@pytest.mark.parametrize("url", ["https://shop.example/", "https://shop.example/us/en/", "https://shop.example"])
def test_the_heading_of_a_home_page_is_no_name(url: str) -> None:
    assert of(LIST, url).heading == ""


def test_nothing_found_is_a_count_too() -> None:
    nothing = of('main\n heading "Search" level=1\n No page matches your search.\n')
    assert (nothing.kind, nothing.count, nothing.lead) == ("listing", "0 results", "")


def items(*lines: str) -> tuple[str, ...]:
    cards = [
        "main",
        *(f' heading level=3: [{n}] link "{x[1:]}"' if x[0] == "#" else f" {x}" for n, x in enumerate(lines)),
    ]
    return glance(Observation(url="https://www.example.test/a", title="A | B", text="\n".join(cards))).items


def test_prices_above_the_names() -> None:
    assert items("$10 to $12", "#Brakes", "For one axle.", "$90", "#Piano", "Stairs.") == (
        "Brakes ($12)",
        "Piano ($90)",
    )


def test_prices_below_the_names() -> None:
    assert items("#Brakes", "$12", "#Gutters", "On request", "#Piano", "$90") == (
        "Brakes ($12)",
        "Gutters",
        "Piano ($90)",
    )


def test_a_price_that_may_be_either_card_s_is_nobody_s() -> None:
    assert items("20% off", "#Spring", "Two nights", "$50 credit", "#Theater", "Three hotels") == ("Spring", "Theater")


def test_a_price_in_the_next_section_is_no_card_s() -> None:
    assert items("#Boston", "#Seattle", 'heading "Cards" level=2', "One space, from $170.") == ("Boston", "Seattle")
