"""The tool library, from its home page to a reservation."""

import re

import pytest
from playwright.sync_api import BrowserContext, expect

from longtrail.web.sealed import SealedWeb
from longtrail.web.world import World
from tests.web.conftest import Chromium
from tests.web.probe import client

HOME = "https://tiny.test/"


def test_a_person_finds_and_reserves_a_tool(chromium: Chromium, web: SealedWeb, world: World) -> None:
    def visit(context: BrowserContext) -> str:
        page = context.new_page()
        page.goto(HOME)
        page.get_by_role("link", name="Join").click()
        page.get_by_label("Your name").fill("Ines Valdez")
        page.get_by_role("button", name="Join").click()
        expect(page.get_by_text("Signed in as Ines Valdez")).to_be_visible()
        page.get_by_label("Search tools").fill("plumbing")
        page.get_by_role("button", name="Search").click()
        expect(page.get_by_role("row")).to_have_count(3)
        page.get_by_role("link", name="Drain snake, 25 feet").click()
        page.get_by_label("Pick-up day").select_option("Thursday")
        page.get_by_role("button", name="Reserve").click()
        return page.get_by_role("status").inner_text()

    said = chromium.within(web, world, visit)
    assert said == "Drain snake, 25 feet waits for Ines Valdez on Thursday. Please bring $15."
    (change,) = world.changes()
    assert (change.table, change.key, change.before) == ("reservations", "1", None)
    assert change.after == {"id": 1, "tool": "drain-snake", "member": "Ines Valdez", "day": "Thursday"}
    assert not world.faults
    assert {request.status for request in world.requests} == {200, 303}


def test_the_counter_counts_in_its_world(chromium: Chromium, web: SealedWeb, world: World, other: World) -> None:
    def visit(context: BrowserContext) -> str:
        page = context.new_page()
        page.goto(HOME + "visits")
        for _ in range(3):
            page.get_by_role("button", name="Count me").click()
        return page.locator("#count").inner_text()

    assert chromium.within(web, world, visit) == "3"
    assert other.changes() == ()


def test_hours_come_late(chromium: Chromium, web: SealedWeb, world: World) -> None:
    def visit(context: BrowserContext) -> tuple[str, str]:
        page = context.new_page()
        page.goto(HOME + "hours?wait=300")
        status = page.get_by_role("status")
        at_first = status.inner_text()
        expect(status).to_have_text(re.compile("Open today"))
        return at_first, status.inner_text()

    at_first, then = chromium.within(web, world, visit)
    assert at_first == "Asking the desk …"
    assert then == "Open today (Tuesday). Tuesday to Saturday, 10:00 to 18:30."
    assert [request.dest for request in world.requests] == ["document", "empty"]


@pytest.mark.parametrize("path", ["nowhere", "tools/hammer", "reservations/7", "reservations/x"])
def test_what_is_not_there(web: SealedWeb, world: World, path: str) -> None:
    with client(web, world) as asking:
        answer = asking.get(HOME + path)
    assert answer.status_code == 404
    assert "Nothing here" in answer.text


@pytest.mark.parametrize("form", [{}, {"member": " ", "day": "Tuesday"}, {"member": "Ines", "day": "Sunday"}])
def test_a_reservation_wants_a_name_and_a_day(web: SealedWeb, world: World, form: dict[str, str]) -> None:
    with client(web, world) as asking:
        assert asking.post(HOME + "tools/tile-saw/reserve", data=form).status_code == 422
        good = {"member": "Ines", "day": "Friday"}
        assert asking.post(HOME + "tools/hammer/reserve", data=good).status_code == 422
    assert world.changes() == ()


def test_what_is_typed_stays_text(web: SealedWeb, world: World) -> None:
    with client(web, world, follow_redirects=True) as asking:
        word = "<script>alert(1)</script>' OR 1=1 --"
        answer = asking.post(HOME + "tools/tile-saw/reserve", data={"member": word, "day": "Friday"})
        assert "&lt;script&gt;" in answer.text
        assert "<script>alert" not in answer.text
        assert "Nothing of that name" in asking.get(HOME + "tools", params={"q": "%' OR 1=1 --"}).text


def test_pages_are_the_same_in_every_world(web: SealedWeb, world: World, other: World) -> None:
    def read(each: World) -> list[bytes]:
        with client(web, each) as asking:
            return [asking.get(HOME + path).content for path in ("", "tools", "tools/tile-saw", "hours", "api/hours")]

    assert read(world) == read(other)
