"""A session is made ready for the world that is opened next, while another one is in use."""

from collections.abc import Iterator
from concurrent.futures import Future

import pytest

from longtrail.browser.async_session import AsyncSession
from longtrail.browser.session import Browser, Session
from longtrail.browser.url_policy import UrlPolicy
from longtrail.browser.view_settings import ViewSettings
from longtrail.web.sealed import SealedWeb
from longtrail.web.sites.tiny.tiny_site import make as tiny
from longtrail.web.world import World

START = "https://tiny.test/"
SETTINGS = ViewSettings()


@pytest.fixture(scope="module")
def web() -> Iterator[SealedWeb]:
    with SealedWeb([tiny()]) as web:
        yield web


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser


def opened(browser: Browser, web: SealedWeb, name: str, **more: object) -> tuple[World, Session]:
    world = web.open_world(name)
    settings = ViewSettings.model_validate({**SETTINGS.model_dump(), **more})
    return world, browser.session(world, web.proxy(world), fence=UrlPolicy(web.hosts), settings=settings)


def made_ready(browser: Browser, web: SealedWeb) -> "Future[AsyncSession]":
    """Begins to open the next session, and returns when it is open."""
    world = web.next_world()
    assert world is not None
    browser.make_ready(world, web.proxy(world), UrlPolicy(web.hosts), SETTINGS)
    assert browser._ready._ready is not None
    opening = browser._ready._ready.opening
    opening.result(60)
    return opening


def text_of(session: Session) -> str:
    session.goto(START)
    return session.observe().text


def contexts(browser: Browser) -> int:
    return len(browser._engine.call(browser._engine.browser(), 60).contexts)


def test_the_next_session_is_the_one_that_was_made_ready(browser: Browser, web: SealedWeb) -> None:
    world, first = opened(browser, web, "first")
    usual = text_of(first)
    opening = made_ready(browser, web)
    first.close()
    world.close()
    world, second = opened(browser, web, "second")
    assert second._seat is opening.result(0)
    assert text_of(second) == usual
    assert {request.world for request in world.requests} == {"second"}
    second.close()
    world.close()
    assert contexts(browser) == 0


def test_it_gets_the_cookies_of_the_session_that_it_continues(browser: Browser, web: SealedWeb) -> None:
    opening = made_ready(browser, web)
    world = web.open_world("later")
    cookie = {"name": "seen", "value": "yes", "domain": "tiny.test", "path": "/", "expires": -1}
    kept = {"cookies": [{**cookie, "httpOnly": False, "secure": True, "sameSite": "Lax"}], "origins": []}
    proxy, fence = web.proxy(world), UrlPolicy(web.hosts)
    with browser.session(world, proxy, storage=kept, fence=fence, settings=SETTINGS) as session:
        assert session._seat is opening.result(0)
        assert session.storage_state() == kept
    world.close()


def test_a_session_with_other_settings_is_a_new_one(browser: Browser, web: SealedWeb) -> None:
    opening = made_ready(browser, web)
    world, session = opened(browser, web, "other", tokens=500)
    assert session._seat is not opening.result(0)
    assert "tiny.test" in session._seat.context.pages[0].url or text_of(session)
    session.close()
    world.close()


def test_one_that_nobody_took_is_closed_when_another_is_made_ready(browser: Browser, web: SealedWeb) -> None:
    seats = browser._seats[browser._engine]
    made_ready(browser, web)
    web.open_world("without-a-browser").close()
    made_ready(browser, web)
    assert browser._seats[browser._engine] == seats + 1
    world, session = opened(browser, web, "taken")
    session.close()
    world.close()
    assert browser._seats[browser._engine] == seats


def test_a_lost_one_is_replaced(browser: Browser, web: SealedWeb) -> None:
    opening = made_ready(browser, web)
    browser._engine.kill()
    world, session = opened(browser, web, "after-the-loss")
    assert session._seat is not opening.result(0)
    assert text_of(session)
    session.close()
    world.close()
