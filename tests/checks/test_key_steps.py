"""Key steps: what counts as reaching one, and everything that only looks like it."""

from typing import Any

import pytest
from pydantic import ValidationError

from longtrail.checks.key_steps import ElementStep, KeyStep, UrlStep, ValueStep, all_hit, evaluate
from longtrail.records.trajectory import Step, Target
from tests.made import CHEAP, FAVOURITES, IKEA, OFFERS, second_part, served, step, tab
from tests.tables import grouped, tables_of

TABLES = tables_of(__file__)

KEY = UrlStep(name="favourites", host="www.ikea.com", paths=("/us/en/favourites",))
WANTED = f"{IKEA}/us/en/favourites/"


def hit(key: KeyStep, *steps: Step) -> bool:
    return evaluate([key], steps)[0].step is not None


def visit(url: str, **more: Any) -> Step:
    return step(1, {"type": "goto", "url": url}, phase="a2", to=url, **more)


def test_a_page_served_and_opened_counts() -> None:
    found = evaluate([KEY], [step(1, phase="a2"), step(2, {"type": "goto", "url": WANTED}, to=WANTED)])
    assert found[0].step == 2
    assert WANTED in found[0].reason


@pytest.mark.parametrize(("which", "url"), grouped(TABLES["pages"]))
def test_the_same_page_counts_in_other_spellings_and_another_page_does_not(which: str, url: str) -> None:
    assert hit(KEY, visit(url)) is (which == "same")


@pytest.mark.parametrize(
    "request_",
    [
        served(WANTED, status=404),
        served(WANTED, status=302),
        served(WANTED, status=500),
        served(WANTED, dest="iframe"),
        served(WANTED, dest="image", mode="no-cors"),
        served(WANTED, purpose="prefetch"),
        served(WANTED, method="HEAD"),
        tab(WANTED),
        served(f"{IKEA}/elsewhere/"),
    ],
    ids=lambda request: f"{request.status}-{request.dest}-{request.mode}-{request.purpose}-{request.method}",
)
def test_one_witness_is_none(request_: Any) -> None:
    """The browser opened the address, but the site served no such document."""
    opened = visit(WANTED, requests=(request_,))
    assert not hit(KEY, opened)
    assert "step 1" in evaluate([KEY], [opened])[0].reason


def test_served_but_not_opened_does_not_count() -> None:
    """Such as a redirect's first address, or a document in another tab: it was served, but not opened."""
    served_only = step(1, {"type": "click", "id": "1"}, requests=(served(WANTED),), to="")
    assert not hit(KEY, served_only)
    assert "not opened" in evaluate([KEY], [served_only])[0].reason


def test_a_redirect_counts_at_its_end_only() -> None:
    start = f"{IKEA}/go"
    moved = step(
        1,
        {"type": "goto", "url": start},
        requests=(served(start, status=302), served(WANTED)),
        outcome={"navigations": (WANTED,)},
    )
    assert hit(KEY, moved)
    assert not hit(UrlStep(name="go", host="ikea.com", paths=("/go",)), moved)


def test_a_posted_form_counts() -> None:
    assert hit(KEY, visit(WANTED, requests=(served(WANTED, method="POST"),)))


def test_a_failed_action_that_opened_the_page_counts_for_urls() -> None:
    assert hit(KEY, visit(WANTED, outcome={"ok": False}))


@pytest.mark.parametrize(("pattern", "path", "fits"), TABLES["patterns_of_paths"])
def test_patterns_of_paths(pattern: str, path: str, fits: bool) -> None:
    assert hit(UrlStep(name="k", host="ikea.com", paths=("/never", pattern)), visit(IKEA + path)) is fits


@pytest.mark.parametrize(("query", "given", "fits"), TABLES["query_parameters"])
def test_query_parameters(query: dict[str, str], given: str, fits: bool) -> None:
    assert hit(UrlStep(name="k", host="ikea.com", paths=("/**",), query=query), visit(f"{IKEA}/x{given}")) is fits


HEART = ElementStep(name="heart", host="ikea.com", role="button", element="Add * to favourites", paths=("/us/**",))


@pytest.mark.parametrize(("changes", "fits"), TABLES["elements"])
def test_elements(changes: dict[str, Any], fits: bool) -> None:
    given: dict[str, Any] = {
        "action": {"type": "click", "id": "9"},
        "url": OFFERS,
        "target": ("button", "Add LACK to favourites"),
    }
    assert hit(HEART, step(1, **given | changes)) is fits


@pytest.mark.parametrize(
    ("path", "fits"),
    [
        ("html>body>ul>li#seats-1-upper:nth-child(2)>form>button", True),
        ("html>body>ul>li#seats-1-lower:nth-child(1)>form>button", False),
        ("", False),
    ],
)
def test_equal_elements_are_told_apart_by_their_place(path: str, fits: bool) -> None:
    key = ElementStep(name="added", host="ikea.com", role="button", element="Add to cart", at="#seats-1-upper button")
    made = step(1, {"type": "click", "id": "9"}, url=OFFERS, target=("button", "Add to cart"))
    assert made.outcome.target is not None
    placed = made.outcome.target.model_copy(update={"path": path})
    there = made.model_copy(update={"outcome": made.outcome.model_copy(update={"target": placed})})
    assert hit(key, there) is fits


def test_a_selector_that_can_t_be_judged_is_an_error_of_the_task() -> None:
    with pytest.raises(ValidationError, match="no selector"):
        ElementStep(name="added", host="ikea.com", role="button", element="Add", at="li:has(a) button")


VALUE = ValueStep(name="team", host="ikea.com", element="Search*", value="side table*")


@pytest.mark.parametrize(("value", "ok", "name", "fits"), TABLES["values"])
def test_values(value: str, ok: bool, name: str, fits: bool) -> None:
    outcome = {"ok": ok, "value": value, "target": Target(role="searchbox", name=name)}
    assert hit(VALUE, step(1, {"type": "fill", "id": "1", "text": value}, url=OFFERS, outcome=outcome)) is fits


def test_selections_are_values_too() -> None:
    key = ValueStep(name="size", host="ikea.com", action="select", value="M")
    outcome = {"value": "M", "target": Target(role="combobox", name="Size")}
    assert hit(key, step(1, {"type": "select", "id": "1", "option": "M"}, url=OFFERS, outcome=outcome))
    assert not hit(key, step(1, {"type": "fill", "id": "1", "text": "M"}, url=OFFERS, outcome=outcome))


FIRST = UrlStep(name="first", host="ikea.com", paths=("/us/en/cat/**",))


def test_order_is_free_unless_the_task_says_otherwise() -> None:
    steps = [visit(FAVOURITES), step(2, to=CHEAP)]
    assert all_hit([FIRST, KEY], steps)
    assert not all_hit([FIRST, KEY], steps, ordered=True)
    assert "out of order at step 1" in evaluate([FIRST, KEY], steps, ordered=True)[1].reason
    assert all_hit([FIRST, KEY], [*steps, step(3, to=FAVOURITES)], ordered=True)


def test_hits_stick_and_the_last_action_counts() -> None:
    steps = second_part()
    keys = [KEY, HEART]
    found = [evaluate(keys, steps[:count]) for count in range(len(steps) + 1)]
    counts = [sum(hit.step is not None for hit in hits) for hits in found]
    assert counts == sorted(counts)
    assert [hit.step for hit in found[-1]] == [3, 2]


def test_nothing_done_hits_nothing() -> None:
    assert [hit.step for hit in evaluate([KEY, HEART, VALUE], [])] == [None, None, None]
