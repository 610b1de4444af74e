"""Result steps: what a page lists, a site's final state, a form's final content, by any route."""

from typing import Any

import pytest

from longtrail.checks.key_steps import UrlStep, ValueStep, all_hit, evaluate, route
from longtrail.checks.result_steps import FormStep, ListingStep, StateStep
from longtrail.records.site_reports import Listed
from longtrail.records.trajectory import Change, Step, Target
from tests.made import served, step

SHOP = "https://www.shop.test"
WAY = UrlStep(name="cheap", host="www.shop.test", paths=("/chairs",), query={"sort": "price"})
CHEAP = ListingStep(
    name="cheap", host="www.shop.test", says="chairs", items=("chairs/1", "chairs/2"), order="price", route=(WAY,)
)
TWO = StateStep(name="two", host="www.shop.test", says="two chairs", place="cart", holds={"chairs/1": 2}, route=(WAY,))
NOTE = FormStep(
    name="note",
    host="www.shop.test",
    says="the reason chosen",
    paths=("/contact",),
    fields={"Reason*": "Refund"},
    route=(ValueStep(name="note", host="www.shop.test", value="Refund"),),
)


def page(address: str, *items: str, order: str = "", number: int = 1, host: str = SHOP) -> Step:
    listed = Listed(items=items, order=order) if items else None
    url = host + address
    return step(number, {"type": "goto", "url": url}, to=url, requests=(served(url, listed=listed),))


def posted(number: int) -> Step:
    return step(number, {"type": "click", "id": "1"}, requests=(served(f"{SHOP}/cart", method="POST", status=303),))


def row(item: str, quantity: int | None = None, *, table: str = "cart", host: str = "www.shop.test") -> Change:
    after = {"host": host, "item": item} | ({} if quantity is None else {"quantity": quantity})
    return Change(site="consumer", table=table, key="1", before=None, after=after)


def entered(number: int, value: str, **more: Any) -> Step:
    how = {"outcome": {"value": value, "target": Target(role="combobox", name="Reason (required)"), **more}}
    return step(number, {"type": "select", "id": "3", "option": value}, url=f"{SHOP}/contact", **how)


def reason(*steps: Step, key: ListingStep = CHEAP) -> str:
    (found,) = evaluate([key], steps)
    assert found.step is None
    return found.reason


# listings


@pytest.mark.parametrize("address", ["/chairs?sort=price", "/search?q=chairs&by=price", "/deals"])
def test_any_page_with_the_same_items_in_the_order_asked_for(address: str) -> None:
    assert all_hit([CHEAP], [page(address, "chairs/1", "chairs/2", order="price")])
    assert all_hit([CHEAP], [page(address, "chairs/2", "chairs/1", order="price")])  # two that cost the same


def test_a_list_that_is_not_narrowed_or_too_much_or_not_sorted() -> None:
    assert reason(page("/all", "chairs/1", "chairs/2", "beds/1", order="price")) == (
        "the list was opened, but not narrowed to chairs (nearest at step 1: 1 others too)"
    )
    assert "1 of 2 are missing" in reason(page("/chairs?sort=price&red=1", "chairs/1", order="price"))
    assert reason(page("/chairs", "chairs/1", "chairs/2", order="name")) == (
        "the list at step 1 shows chairs, but is not sorted by price"
    )
    assert reason(page("/about")) == "no list of www.shop.test was opened"


def test_more_items_by_the_annotated_address_count() -> None:
    assert all_hit([CHEAP], [page("/chairs?sort=price", "chairs/1", "chairs/2", "chairs/3", order="price")])


def test_a_list_of_another_site_does_not_count() -> None:
    assert not all_hit([CHEAP], [page("/chairs", "chairs/1", "chairs/2", order="price", host="https://other.test")])


def test_a_list_that_was_fetched_but_not_opened_does_not_count() -> None:
    url = f"{SHOP}/chairs"
    listed = Listed(items=("chairs/1", "chairs/2"), order="price")
    for request in (served(url, listed=listed, dest="empty"), served(url, listed=listed, purpose="prefetch")):
        assert not all_hit([CHEAP], [step(1, {"type": "scroll"}, requests=(request,))])


def test_a_record_of_a_site_that_did_not_tell_goes_by_the_address() -> None:
    assert all_hit([CHEAP], [page("/chairs?sort=price")])
    assert not all_hit([CHEAP], [page("/chairs")])


# states


@pytest.mark.parametrize("changes", [(row("chairs/1", 2),), (row("chairs/1", 2), row("beds/1", 1, host="b.test"))])
def test_the_cart_holds_what_is_meant(changes: tuple[Change, ...]) -> None:
    (found,) = evaluate([TWO], [posted(1), posted(2), page("/cart", number=3)], changes)
    assert (found.step, found.reason) == (2, "at the end in cart of www.shop.test: two chairs")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ((), "0 of chairs/1, not 2"),
        ((row("chairs/1", 1),), "1 of chairs/1, not 2"),
        ((row("chairs/1", 3),), "3 of chairs/1, not 2"),
        ((row("chairs/1", 2), row("beds/1", 1)), "beds/1 too"),
        ((row("chairs/1", table="favourites"),), "0 of chairs/1, not 2"),
    ],
)
def test_the_cart_holds_something_else(changes: tuple[Change, ...], told: str) -> None:
    (found,) = evaluate([TWO], [posted(1)], changes)
    assert (found.step, found.reason) == (
        None,
        f"not at the end in cart of www.shop.test: two chairs ({told})",
    )


def test_several_states_of_one_place_share_it() -> None:
    both = [
        StateStep(name=f"f{n}", host="www.shop.test", says="it", place="favourites", holds={item: 1}, route=(WAY,))
        for n, item in enumerate(("chairs/1", "chairs/2"))
    ]
    held = [row("chairs/1", table="favourites"), row("chairs/2", table="favourites")]
    assert all_hit(both, [posted(1)], held)
    assert [hit.step for hit in evaluate(both, [posted(1)], held[:1])] == [1, None]
    assert not all_hit(both, [posted(1)], [*held, row("beds/1", table="favourites")])


def test_in_order_the_state_counts_when_it_was_last_changed() -> None:
    pay = UrlStep(name="pay", host="www.shop.test", paths=("/pay",))
    held = [row("chairs/1", 2)]
    assert all_hit([TWO, pay], [posted(1), page("/pay", number=2)], held, ordered=True)
    assert not all_hit([TWO, pay], [page("/pay"), posted(2)], held, ordered=True)


def test_a_state_proves_what_leads_to_it() -> None:
    opened = UrlStep(name="opened", host="www.shop.test", paths=("/chairs/1",), proved_by="two")
    assert all_hit([opened, TWO], [posted(1)], [row("chairs/1", 2)])


def test_in_order_a_key_step_that_a_later_one_proves_holds_nothing_up() -> None:
    narrowed = UrlStep(name="narrowed", host="www.shop.test", paths=("/chairs",), proved_by="chair")
    chair = UrlStep(name="chair", host="www.shop.test", paths=("/chairs/1",))
    assert all_hit([narrowed, chair], [page("/chairs/1")], ordered=True)


# forms


def test_a_form_is_left_open_with_its_values() -> None:
    (found,) = evaluate([NOTE], [entered(1, "Other"), entered(2, "Refund"), step(3, {"type": "finish"})])
    assert (found.step, found.reason) == (2, "the form is open with the reason chosen")


@pytest.mark.parametrize(
    ("steps", "changes", "told"),
    [
        ((page("/contact"),), (), "nothing was entered in 'Reason' of www.shop.test"),
        ((entered(1, "Refund"), entered(2, "Other")), (), "'Reason' was left with 'Other', not 'Refund'"),
        ((entered(1, "Refund", ok=False),), (), "nothing was entered in 'Reason' of www.shop.test"),
        (
            (entered(1, "Refund"), page("/home", number=2)),
            (),
            "the form was left at step 2, and what had been entered was lost",
        ),
        ((entered(1, "Refund"),), (row("", table="submissions"),), "the form was sent"),
    ],
)
def test_a_form_that_is_left_otherwise(steps: tuple[Step, ...], changes: tuple[Change, ...], told: str) -> None:
    (found,) = evaluate([NOTE], steps, changes)
    assert (found.step, found.reason) == (None, told)


def test_the_route_is_the_annotated_way() -> None:
    assert route([CHEAP, TWO, NOTE]) == (WAY, WAY, NOTE.route[0])
