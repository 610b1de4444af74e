"""Page summaries: what is read from each kind of page."""

import pytest

from longtrail.records.observation import Observation
from workshop.noise.page_summary import PageSummary, glance

LIST = """\
banner
 [1] link "Shop home"
main
 navigation "Breadcrumb"
  [2] link "Products"
 heading "Rugs" level=1
 What lies on the floor of a room.
 group "Filters"
  group "Color"
   [3] checkbox "gray" unchecked
   gray
   2
 region "Results"
  12 products in all colors
  [4] combobox "Sort by" value="Best match" options: "Best match" | "Price"
  Lower price
  heading level=3: [5] link "LOHALS"
  Rug, beige
  $99.99 $79.99
  heading level=3: [6] link "STOENSE"
  $149.00
contentinfo
 [7] link "Contact us"
"""
DETAIL = """\
main
 navigation "Breadcrumb"
  [2] link "Rugs"
 heading "LOHALS Rug" level=1
 $79.99
 Jute in a plain weave; both sides can be walked on.
 newbie_strat of Shop, Mon, Mar 16, 2026
 [15] button "Add to bag"
 Color
 beige
 Material
 Jute
 [16] link "Care"
"""
TABLE = """\
main
 heading "Timetable" level=1
 table "Trips"
  columns: Stop | Trip 1
  row: [3] link "Hingham" | 2:30 PM
  row: Hull | 2:45 PM
  row: Long Wharf | 3:15 PM
"""
FORM = """\
main
 heading "Contact" level=1
 alert
  Please check the fields below.
  - Your name is required.
 [12] textbox "Your name" value="" invalid
 [13] textbox "Email" type=email value=""
 [14] button "Send"
"""
ARTICLE = """\
main
 heading "Lost and found" level=1
 Things found on trains go to the terminal, things found on buses to the garage. They are kept for thirty days here.
"""
CART = """\
main
 heading "Your cart" level=1
 region "Order summary"
  1 ticket
  $31.00
  Total
  $36.58
  [14] link "Check out"
"""


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
