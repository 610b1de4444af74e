"""Waiting for the effects of an action: long enough, never too long."""

import time
from collections.abc import Callable

import pytest

from longtrail.browser.session import Session
from longtrail.records.action import Goto, Scroll
from tests.browser.conftest import OddSite
from tests.browser.hands import click
from tests.tables import tables_of

TABLES = tables_of(__file__)

Open = Callable[..., Session]


def on_click(script: str) -> str:
    return f'<button onclick="{script}">Go</button><p id=o>'


CASES = TABLES["cases"]
"""Page, and the words that must be seen after the click on Go."""
ENDLESS = TABLES["endless"]
"""The same for pages on which something never ends."""
LONGEST = 60.0
"""Seconds that a busy machine may take for anything."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", CASES)
def test_waits_for_it_and_no_longer(open_page: Open, case: str) -> None:
    body, words = CASES[case]
    session = open_page(body, settle=2 * LONGEST)
    start = time.monotonic()
    assert click(session, "Go").ok
    assert time.monotonic() - start < LONGEST
    assert words in session.observe().text


@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", ENDLESS)
def test_does_not_wait_for_ever(open_page: Open, case: str) -> None:
    body, words = ENDLESS[case]
    session = open_page(body, settle=1.0)
    start = time.monotonic()
    assert click(session, "Go").ok
    assert time.monotonic() - start < LONGEST
    assert words in session.observe().text


def test_a_stream_is_shown_as_far_as_it_came(open_page: Open, site: OddSite) -> None:
    session = open_page("/page/links", settle=1.0)
    start = time.monotonic()
    assert session.act(Goto(url="/drip")).ok
    assert time.monotonic() - start < LONGEST
    assert "The first words" in session.observe().text


def test_a_page_that_comes_later_is_told_once(open_page: Open) -> None:
    session = open_page(on_click("setTimeout(() => { location = '/page/links' }, 300)"))
    outcome = click(session, "Go")
    assert outcome.navigations == (), "nothing tells that it will come"
    until = time.monotonic() + 60
    while "Notices" not in session.observe().text and time.monotonic() < until:
        pass
    assert [url.partition("/page")[2] for url in session.with_arrivals(outcome).navigations] == ["/links"]
    assert session.with_arrivals(outcome).navigations == ()
    assert session.act(Scroll(direction="down")).navigations == ()


BUSY = (
    "<script>addEventListener('submit', () => { const end = performance.now() + %d; while (performance.now() < end); })"
)


@pytest.mark.sampled(3, ci=1)
@pytest.mark.parametrize("shots", [False, True])
@pytest.mark.parametrize("busy", [0, 60])
def test_a_form_on_its_way_is_waited_for(open_page: Open, shots: bool, busy: int) -> None:
    """Also if the page is long, or too busy to send the form at once."""
    rows = "<p>row <a href=#x>link</a>" * 1500
    form = "<form method=post action=/page/links><button>Go</button></form>"
    session = open_page(form + rows + BUSY % busy + "</script>", screenshot=shots)
    outcome = click(session, "Go")
    assert outcome.navigations
    assert "Notices" in session.observe().text
