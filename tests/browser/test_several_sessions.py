"""Several threads have a session each in one browser, and a browser is replaced while some of them are open."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from longtrail.browser import session as sessions
from longtrail.browser.launcher import Launch
from longtrail.browser.session import Browser, Session
from longtrail.browser.url_policy import UrlPolicy
from tests.browser.conftest import OddSite, made_page


def drivers() -> list[psutil.Process]:
    """Playwright's drivers of this process."""
    return [child for child in psutil.Process().children() if "node" in child.name()]


def test_each_thread_sees_its_own_pages(open_page: Callable[..., Session], chrome: Browser, site: OddSite) -> None:
    together = threading.Barrier(4)

    def look(number: int) -> str:
        with chrome.session(fence=UrlPolicy([site.authority])) as session:
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
        fence = UrlPolicy([site.authority])
        first, second = chrome.session(fence=fence), chrome.session(fence=fence)
        assert len(drivers()) == before + 1
        third = chrome.session(fence=fence)
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
