"""Waiting for the effects of an action: long enough, never too long."""

import time
from collections.abc import Callable

import pytest

from longtrail.browser.session import Session
from longtrail.records.action import Goto, Scroll
from tests.browser.conftest import OddSite
from tests.browser.hands import click

Open = Callable[..., Session]

FETCH = "fetch('/late?seconds=%s').then(r => r.text()).then(t => { o.textContent = t })"
SAY = "o.textContent = 'late words'"
GO = "<button>Go</button><p>late words"
TURNING = "<style>@keyframes a{to{transform:rotate(1turn)}}i{animation:a 1s infinite}</style><i>*</i>"


def on_click(script: str) -> str:
    return f'<button onclick="{script}">Go</button><p id=o>'


CASES = {
    "late answer": (on_click(FETCH % 0.4), "late words"),
    "answer after an answer": (on_click(f"fetch('/late').then(() => {{ {FETCH % 0.2} }})"), "late words"),
    "promises and frames": (
        on_click(f"Promise.resolve().then(() => requestAnimationFrame(() => setTimeout(() => {{ {SAY} }})))"),
        "late words",
    ),
    "slow reaction": (on_click(f"setTimeout(() => {{ {SAY} }}, 60)"), "late words"),
    "other page": ("<a href=/slow?seconds=0.7>Go</a>", "Here at last"),
    "script that leads on": (on_click("setTimeout(() => { location = '/slow?seconds=0.3' }, 30)"), "Here"),
    "form by script": ("<form action=/page/links></form>" + on_click("document.forms[0].submit()"), "Notices"),
    "late at loading": (f"<button>Go</button><p id=o><script>{FETCH % 0.3}</script>", "late words"),
    "animation": (TURNING + GO, "late words"),
}
"""Page, and the words that must be seen after the click on Go."""
ENDLESS = {
    "animation by script": (
        "<i id=a>*</i>"
        "<script>(function f() { a.style.left = Math.random() + 'px'; requestAnimationFrame(f) })()</script>" + GO,
        "late words",
    ),
    "endless polling": (
        "<script>(async function f() { await fetch('/late?seconds=0.05'); f() })()</script>" + GO,
        "late words",
    ),
    "endless changes": (
        "<p id=c></p><script>let n = 0; setInterval(() => { c.textContent = ++n }, 5)</script>" + GO,
        "late words",
    ),
    "request without an end": (on_click("fetch('/never')") + "late words", "late words"),
    "picture without an end": ("<img src=/never>" + GO, "late words"),
}
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


def test_nothing_happens_quickly(open_page: Open) -> None:
    session = open_page("<button>Go</button>", settle=2 * LONGEST)
    start = time.monotonic()
    click(session, "Go")
    assert time.monotonic() - start < LONGEST


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
