"""Favorites, carts and forms: they keep changes, in this world and on this host only, and refuse wrong input."""

import json

import pytest

from longtrail.web.sites.consumer.app import make
from longtrail.web.world import Templates, World
from tests.web.sites.consumer.visitor import Visitor

IKEA = "https://www.ikea.com/us/en"
STEAM = "https://store.steampowered.com"
TICKETS = "https://www.ticketcenter.com"
OFTAST = "products/10319203"


def test_a_favorite_is_kept_and_removed(visitor: Visitor) -> None:
    back = "/us/en/offers/home-essentials-under-10/?sort=PRICE_LOW_TO_HIGH"
    response = visitor.post(f"{IKEA}/favourites/", item=OFTAST, do="add", back=back)
    assert response.status_code == 303
    assert response.headers["location"] == f"{back}#products-10319203"
    assert "Remove from favorites, OFTAST, Plate" in visitor.page(f"https://www.ikea.com{back}").buttons
    page = visitor.page(f"{IKEA}/favourites/")
    assert "1 item" in page.words
    assert "OFTAST" in [name for name, _ in page.links]
    visitor.post(f"{IKEA}/favourites/", item=OFTAST, do="remove")
    assert "Your list is empty" in visitor.page(f"{IKEA}/favourites/").words


def test_marking_twice_is_marking_once(visitor: Visitor) -> None:
    for _ in range(2):
        visitor.post(f"{IKEA}/favourites/", item=OFTAST, do="add")
    assert "1 item" in visitor.page(f"{IKEA}/favourites/").words


@pytest.mark.parametrize("back", ["https://evil.example/", "//evil.example", "/\\evil.example", ""])
def test_buttons_never_lead_off_the_site(visitor: Visitor, back: str) -> None:
    response = visitor.post(f"{IKEA}/favourites/", item=OFTAST, do="add", back=back)
    assert response.headers["location"] == "/us/en/favourites/"


def test_an_unknown_item_is_refused(visitor: Visitor) -> None:
    assert visitor.post(f"{IKEA}/favourites/", item="products/1", do="add").status_code == 400
    assert visitor.post(f"{IKEA}/shoppingcart/", item="nothing", do="add").status_code == 400
    assert visitor.world.changes() == ()


def test_what_is_sold_out_cannot_be_bought(visitor: Visitor) -> None:
    page = visitor.get(f"{IKEA}/p/fado-table-lamp-white-20421910/")
    assert "disabled>Sold out</button>" in page.text
    assert visitor.post(f"{IKEA}/shoppingcart/", item="products/20421910", do="add").status_code == 400
    assert visitor.world.changes() == ()


def test_cart_totals_add_up(visitor: Visitor) -> None:
    visitor.post(f"{IKEA}/shoppingcart/", item=OFTAST, do="add", quantity="4")
    visitor.post(f"{IKEA}/shoppingcart/", item="products/80279007", do="add")
    words = visitor.page(f"{IKEA}/shoppingcart/").words
    assert "5 items" in words
    assert "$95.15" in words  # 4 x 1.29 + 89.99
    assert "Delivery $49.00" in words
    assert "Total $144.15" in words


def test_a_fee_can_be_waived(visitor: Visitor) -> None:
    visitor.post(f"{IKEA}/shoppingcart/", item="products/80279007", do="add", quantity="5")
    words = visitor.page(f"{IKEA}/shoppingcart/").words
    assert "Delivery Free" in words
    assert "Total $449.95" in words


def test_quantities_change_and_lines_go(visitor: Visitor) -> None:
    visitor.post(f"{IKEA}/shoppingcart/", item=OFTAST, do="add")
    visitor.post(f"{IKEA}/shoppingcart/", item=OFTAST, do="set", quantity="3")
    assert "$3.87" in visitor.page(f"{IKEA}/shoppingcart/").words
    visitor.post(f"{IKEA}/shoppingcart/", item=OFTAST, do="remove")
    assert "Your bag is empty" in visitor.page(f"{IKEA}/shoppingcart/").words
    visitor.post(f"{IKEA}/shoppingcart/", item=OFTAST, do="add", quantity="500")
    assert visitor.world.db("consumer").execute("SELECT quantity FROM cart").fetchone()[0] == 99
    visitor.post(f"{IKEA}/shoppingcart/", do="clear")
    assert "Your bag is empty" in visitor.page(f"{IKEA}/shoppingcart/").words


@pytest.mark.parametrize("quantity", ["-1", "two", "1.5", "²"])
def test_odd_quantities_are_refused(visitor: Visitor, quantity: str) -> None:
    response = visitor.post(f"{IKEA}/shoppingcart/", item=OFTAST, do="set", quantity=quantity)
    assert response.status_code == 400


def test_all_downloadable_content_at_once(visitor: Visitor) -> None:
    keys = [f"dlc/{id}" for id in (1046931, 1046932, 1046933, 1046934, 1046935)]
    response = visitor.post(f"{STEAM}/cart/", item=keys, do="add")
    assert response.headers["location"] == "/cart/"
    words = visitor.page(f"{STEAM}/cart/").words
    assert "5 items" in words
    assert "Estimated total $36.95" in words
    visitor.post(f"{STEAM}/cart/", item=keys, do="add")
    assert "5 items" in visitor.page(f"{STEAM}/cart/").words


def test_what_is_downloaded_is_bought_once(visitor: Visitor) -> None:
    for asked in ({"do": "add", "quantity": "3"}, {"do": "add"}, {"do": "set", "quantity": "4"}):
        visitor.post(f"{STEAM}/cart/", item="dlc/1046931", **asked)
        words = visitor.page(f"{STEAM}/cart/").words
        assert "1 item " in words
        assert "Quantity" not in words


def test_seats_cost_what_their_event_costs_times_their_level(visitor: Visitor) -> None:
    visitor.post(f"{TICKETS}/cart", item="seats/510083-upper", do="add", quantity="2")
    words = visitor.page(f"{TICKETS}/cart").words
    assert "2 tickets $110.00" in words
    assert "Service fee $19.80" in words
    assert "Total $129.80" in words


def test_hosts_and_worlds_do_not_see_each_other(visitor: Visitor) -> None:
    visitor.post(f"{IKEA}/shoppingcart/", item=OFTAST, do="add")
    assert "Your cart is empty" in visitor.page(f"{STEAM}/cart/").words
    other = World("other", Templates([make()]))
    assert "Your bag is empty" in Visitor(other).page(f"{IKEA}/shoppingcart/").words
    other.close()


def test_a_change_names_host_and_item(visitor: Visitor) -> None:
    visitor.post(f"{IKEA}/favourites/", item=OFTAST, do="add")
    (change,) = visitor.world.changes()
    assert (change.table, change.before) == ("favourites", None)
    assert change.after is not None
    assert (change.after["host"], change.after["item"]) == ("www.ikea.com", OFTAST)


def test_an_empty_form_is_refused_field_by_field(visitor: Visitor) -> None:
    response = visitor.post(f"{IKEA}/customer-service/contact-us/")
    assert response.status_code == 200
    for complaint in ("Full name is required.", "Email address is required.", "Choose an option for What is it about?"):
        assert complaint in response.text
    assert visitor.world.changes() == ()


def test_a_wrong_form_keeps_what_was_right(visitor: Visitor) -> None:
    url = f"{IKEA}/customer-service/contact-us/"
    response = visitor.post(url, name="Ada Byron", email="ada", topic="A return", order="12", message="Hello")
    assert "like name@example.com" in response.text
    assert "An order number has nine digits." in response.text
    assert 'value="Ada Byron"' in response.text
    assert '<option value="A return" selected>' in response.text


def test_a_right_form_is_kept_and_confirmed(visitor: Visitor) -> None:
    url = f"{IKEA}/customer-service/contact-us/"
    response = visitor.post(url, name="Ada Byron", email="ada@example.com", topic="A return", message="One leg short.")
    assert response.status_code == 303
    page = visitor.page(f"https://www.ikea.com{response.headers['location']}")
    assert "We answer by email within two working days" in page.words
    row = visitor.world.db("consumer").execute("SELECT form, fields FROM submissions").fetchone()
    assert row["form"] == "contact"
    assert json.loads(row["fields"])["topic"] == "A return"


def test_a_choice_that_is_not_offered_is_refused(visitor: Visitor) -> None:
    response = visitor.post(
        f"{IKEA}/customer-service/contact-us/", name="A", email="a@b.co", topic="Hacking", message="x"
    )
    assert "Choose one of the options" in response.text


def test_a_wizard_goes_step_by_step(visitor: Visitor) -> None:
    url = f"{TICKETS}/sell"
    first = visitor.post(url, step="1", event="Wicked", date="2026-06-04")
    assert first.headers["location"] == "/sell?step=2"
    assert "Section" in visitor.page(f"{TICKETS}/sell?step=2").words
    bad = visitor.post(url, step="2", section="B", row="4", seats="40", price="90")
    assert "Number of seats must be at most 12." in bad.text
    assert (
        visitor.post(url, step="2", section="B", row="4", seats="2", price="90").headers["location"] == "/sell?step=3"
    )
    last = visitor.post(url, step="3", name="Ada", email="ada@example.com")
    assert last.headers["location"] == "/sell?submitted=1"
    words = visitor.page(f"{TICKETS}/sell?submitted=1").words
    assert "Wicked" in words
    assert "Your listing is being checked" in words


def test_a_wizard_does_not_let_steps_be_skipped(visitor: Visitor) -> None:
    response = visitor.post(f"{TICKETS}/sell", step="3", name="Ada", email="ada@example.com")
    assert response.headers["location"] == "/sell?step=1"
    assert visitor.world.db("consumer").execute("SELECT count(*) FROM submissions").fetchone()[0] == 0


def test_an_order_empties_the_cart(visitor: Visitor) -> None:
    visitor.post(f"{STEAM}/cart/", item="games/620", do="add")
    visitor.post(f"{STEAM}/checkout/", method="Wallet", country="United States", agree="yes")
    assert "Your cart is empty" in visitor.page(f"{STEAM}/cart/").words


def test_signing_in_is_refused(visitor: Visitor) -> None:
    response = visitor.post("https://www.ultimate-guitar.com/auth/login", user="ada", password="x")
    assert "We don&#39;t know this combination" in response.text


def test_pages_that_take_no_posts_say_so(visitor: Visitor) -> None:
    assert visitor.post(f"{IKEA}/").status_code == 405
