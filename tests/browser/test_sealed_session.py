"""A session in a world of the sealed web: its clock, its allowed addresses, and nothing of other episodes."""

import os
import re
import signal
from collections.abc import Iterator

import pytest

from longtrail.browser.session import Browser, Session
from longtrail.records.action import Fill, Goto, Search
from longtrail.web.sealed import SealedWeb
from longtrail.web.world import World
from tests.web.tiny.tiny_site import make

START = "https://tiny.test/"


@pytest.fixture(scope="module")
def web() -> Iterator[SealedWeb]:
    with SealedWeb([make()]) as web:
        yield web


@pytest.fixture
def place(web: SealedWeb, shared_browser: Browser, request: pytest.FixtureRequest) -> Iterator[tuple[Session, World]]:
    world = web.open_world(re.sub(r"\W", "-", request.node.name))
    with shared_browser.session(world, web.proxy(world)) as session:
        session.goto(START)
        yield session, world
    world.close()


def evaluate(shared_browser: Browser, session: Session, script: str) -> object:
    return shared_browser.engine.call(session._async_session._tabs.active.page.evaluate(script), 5)


def test_start_page_and_second_witness(place: tuple[Session, World]) -> None:
    session, world = place
    assert session.observe().url == START
    outcome = session.act(Goto(url=START))
    assert outcome.navigations == (START,)
    assert [request.url for request in world.log.requests if request.dest == "document"][-1] == START


def test_the_clock_stands_still(place: tuple[Session, World], shared_browser: Browser) -> None:
    session, world = place
    script = """async () => {
        const first = Date.now();
        await new Promise(done => setTimeout(done, 20));
        return [first, Date.now(), +new Date(), Date().slice(0, 15), new Date(2020, 0, 5).getDay(),
            new Date('2026-03-01') instanceof Date, new Intl.DateTimeFormat('en').format(),
            Object.prototype.toString.call(new Date()),
            typeof Temporal === 'undefined' || Temporal.Now.instant().epochMilliseconds]
    }"""
    now = world.now.timestamp() * 1000
    first, second, third, words, day, is_date, short, tag, instant = evaluate(shared_browser, session, script)  # type: ignore[misc]
    assert (first, second, third) == (now, now, now)
    assert words == world.now.strftime("%a %b %d %Y")
    assert (day, is_date, tag) == (0, True, "[object Date]")
    assert short == f"{world.now.month}/{world.now.day}/{world.now.year}"
    assert instant in (True, now)


def test_unknown_hosts_are_violations(place: tuple[Session, World]) -> None:
    session, _ = place
    outcome = session.act(Goto(url="https://www.example.com/"))
    assert outcome.violations
    assert "www.example.com" in outcome.violations[0]
    assert session.act(Search(query="drill")).violations
    assert session.act(Goto(url=START)).violations == ()


def test_worlds_and_sessions_share_nothing(web: SealedWeb, shared_browser: Browser) -> None:
    one, two = web.open_world("one"), web.open_world("two")
    with shared_browser.session(one, web.proxy(one)) as first, shared_browser.session(two, web.proxy(two)) as second:
        first.goto(START)
        second.goto(START)
        marks = "document.cookie = 'mine=1'; localStorage.setItem('mine', '1')"
        evaluate(shared_browser, first, marks)
        assert evaluate(shared_browser, second, "document.cookie + localStorage.getItem('mine')") == "null"
    with shared_browser.session(one, web.proxy(one)) as later:
        later.goto(START)
        assert evaluate(shared_browser, later, "document.cookie + localStorage.getItem('mine')") == "null"
    one.close()
    two.close()


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="a browser can't be stopped here")
def test_a_session_that_cannot_be_closed_takes_its_browser_with_it(web: SealedWeb) -> None:
    world = web.open_world("stuck")
    with Browser() as browser:
        first = browser.session(world, web.proxy(world))
        first.goto(START)
        (stuck,) = browser.engine._pids
        os.kill(stuck, signal.SIGSTOP)
        first.close()
        with browser.session(world, web.proxy(world)) as second:
            second.goto(START)
            assert second.observe().url == START
            assert browser.engine._pids != [stuck]
    world.close()


def test_forms_change_only_their_world(place: tuple[Session, World], web: SealedWeb) -> None:
    session, world = place
    session.goto(START + "tools/apple-press")
    text = session.observe().text
    name = re.search(r'\[(\d+)\] textbox "Your name"', text)
    assert name
    outcome = session.act(Fill(id=name[1], text="Ada Bloom", enter=True))
    assert outcome.navigations
    written = [change.after for change in world.changes() if change.table == "reservations"]
    assert [row["member"] for row in written if row] == ["Ada Bloom"]
    other = web.open_world("other")
    assert other.changes() == ()
    other.close()
