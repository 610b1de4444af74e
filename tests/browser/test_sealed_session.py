"""A session in a world of the sealed web: its clock, and its end. What it may reach, and leave: tests/exploits."""

import os
import signal
from collections.abc import Iterator

import pytest

from longtrail.browser.session import Browser
from longtrail.web.sealed import SealedWeb
from tests.web.tiny.tiny_site import make

START = "https://tiny.test/"


@pytest.fixture(scope="module")
def web() -> Iterator[SealedWeb]:
    with SealedWeb([make()]) as web:
        yield web


def test_the_clock_stands_still(web: SealedWeb, shared_browser: Browser) -> None:
    script = """async () => {
        const first = Date.now();
        await new Promise(done => setTimeout(done, 20));
        return [first, Date.now(), +new Date(), Date().slice(0, 15), new Date(2020, 0, 5).getDay(),
            new Date('2026-03-01') instanceof Date, new Intl.DateTimeFormat('en').format(),
            Object.prototype.toString.call(new Date()),
            typeof Temporal === 'undefined' || Temporal.Now.instant().epochMilliseconds]
    }"""
    world = web.open_world("clock")
    with shared_browser.session(world, web.proxy(world)) as session:
        session.goto(START)
        found = shared_browser.engine.call(session._async_session._tabs.active.page.evaluate(script), 5)
    world.close()
    now = world.now.timestamp() * 1000
    assert found[:3] == [now] * 3
    assert found[3] == world.now.strftime("%a %b %d %Y")
    assert found[4:6] == [0, True]
    assert found[6:8] == [f"{world.now.month}/{world.now.day}/{world.now.year}", "[object Date]"]
    assert found[8] in (True, now)


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
