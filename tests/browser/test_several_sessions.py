"""Several threads have a session each in one browser, which is replaced while they are open or is out of memory."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from longtrail.browser import session as sessions
from longtrail.browser.launcher import Launch
from longtrail.browser.session import Browser, Session
from longtrail.browser.url_policy import UrlPolicy
from longtrail.browser.view import ViewSettings
from longtrail.errors import HarnessTrouble
from tests.browser.conftest import OddSite, made_page
from tests.browser.hands import click


def drivers() -> list[psutil.Process]:
    """Playwright's drivers of this process."""
    return [child for child in psutil.Process().children() if "node" in child.name()]


def test_each_thread_sees_its_own_pages(open_page: Callable[..., Session], chrome: Browser, site: OddSite) -> None:
    together = threading.Barrier(4)

    def look(number: int) -> str:
        with chrome.session(url_policy=UrlPolicy([site.authority])) as session:
            session.goto(site.address + made_page(f"<p>page of thread {number}"))
            together.wait(60)
            return session.observe().text

    with ThreadPoolExecutor(4) as pool:
        texts = list(pool.map(look, range(4)))
    assert [f"page of thread {number}" in text for number, text in enumerate(texts)] == [True] * 4


def test_a_new_browser_leaves_open_sessions_alone(site: OddSite, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old browser ends with its last session, and its driver with it."""
    monkeypatch.setattr(sessions, "RECYCLE", 3)
    before = len(drivers())
    with Browser(launch=Launch(proxied=False)) as chrome:
        url_policy = UrlPolicy([site.authority])
        first, second = chrome.session(url_policy=url_policy), chrome.session(url_policy=url_policy)
        assert len(drivers()) == before + 1
        third = chrome.session(url_policy=url_policy)
        assert len(drivers()) == before + 2
        for session in (first, second, third):
            session.goto(site.address + made_page("<p>still here"))
            assert "still here" in session.observe().text
        first.close()
        assert len(drivers()) == before + 2
        second.close()
        for thread in threading.enumerate():
            if thread.name == "longtrail-browser-end":
                thread.join(60)
        assert len(drivers()) == before + 1
        assert "still here" in third.observe().text
        third.close()
    assert len(drivers()) == before


def test_a_page_that_cannot_be_stopped_leaves_other_sessions_alone(site: OddSite) -> None:
    """Its script waits for an answer that never comes, in a call that the browser can't interrupt."""
    script = "const x = new XMLHttpRequest(); x.open('GET', '/never', false); x.send()"
    with Browser(launch=Launch(proxied=False)) as chrome:
        url_policy = UrlPolicy([site.authority])
        stuck, other = (
            chrome.session(url_policy=url_policy, settings=ViewSettings(deadline=1.5)),
            chrome.session(url_policy=url_policy),
        )
        stuck.goto(site.address + made_page(f"<script>function go() {{ {script} }}</script><button onclick=go()>Go"))
        other.goto(site.address + made_page("<p>still here"))
        processes = list(chrome.engine._pids)
        with pytest.raises(HarnessTrouble, match="site_timeout"):
            click(stuck, "Go")
        stuck.close()
        assert "still here" in other.observe().text
        assert chrome.engine._pids == processes


def test_the_pages_of_one_session_can_be_ended(site: OddSite) -> None:
    with Browser(launch=Launch(proxied=False)) as chrome:
        url_policy = UrlPolicy([site.authority])
        first, other = chrome.session(url_policy=url_policy), chrome.session(url_policy=url_policy)
        for session in (first, other):
            session.goto(site.address + made_page("<p>still here"))
        chrome.engine.call(first._async_session.crash(), 60)
        with pytest.raises(HarnessTrouble, match="browser_crash"):
            first.observe()
        first.close()
        assert "still here" in other.observe().text


def test_who_gives_up_a_lost_browser_leaves_its_successor_alone(site: OddSite) -> None:
    with Browser(launch=Launch(proxied=False)) as chrome:
        url_policy = UrlPolicy([site.authority])
        first, second = chrome.session(url_policy=url_policy), chrome.session(url_policy=url_policy)
        lost = first._async_session.browser
        chrome.engine.kill(lost)
        with pytest.raises(HarnessTrouble, match="browser_crash"):
            second.goto(site.address + made_page("<p>too late"))
        third = chrome.session(url_policy=url_policy)
        third.goto(site.address + made_page("<p>still here"))
        chrome.engine.kill(lost)
        chrome.engine.call(chrome.engine.end_browser(lost), 60)
        assert "still here" in third.observe().text


HUNGRY = (
    "<button onclick='for (const kept = []; ; ) kept.push(new Array(100_000).fill({}).map(() => ({})))'>Eat</button>"
)
SMALL = Launch(proxied=False, args=("--js-flags=--max-old-space-size=64",))


def eat(session: Session) -> None:
    """The crash comes with the click, or with the next observation."""
    click(session, "Eat")
    session.observe()


def test_one_tab_out_of_memory(site: OddSite) -> None:
    url_policy = UrlPolicy([site.authority])
    with Browser(ViewSettings(deadline=30), launch=SMALL) as browser, browser.session(url_policy=url_policy) as other:
        other.goto(f"{site.address}/page/forms")
        with browser.session(url_policy=url_policy) as hungry:
            hungry.goto(site.address + made_page(HUNGRY))
            with pytest.raises(HarnessTrouble, match="browser_crash"):
                eat(hungry)
        assert "Apply for a plot" in other.observe().text
