"""Pending requests are waited for, even if the browser is slow to send them to the site."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.async_api import Page

from longtrail.agents.cdp.agent_browser import AgentBrowser
from longtrail.browser.session import Browser, Session
from longtrail.web.sealed import SealedWeb
from longtrail.web.world import World
from tests.browser.hands import click
from tests.tables import tables_of
from tests.web.trap import HOME, Trap, page

TABLES = tables_of(__file__)

HELD = 0.4
"""Seconds by which the browser delays a request: longer than the wait for a page's first reaction."""


@pytest.fixture(scope="module")
def web() -> Iterator[SealedWeb]:
    with SealedWeb([Trap()]) as web:
        yield web


Place = tuple[Session, World]
Open = Callable[[str], Place]


@pytest.fixture
def open_desk(web: SealedWeb, shared_browser: Browser) -> Iterator[Open]:
    """A session on a page of this body, and its world."""
    opened: list[Place] = []

    def open_(body: str) -> Place:
        world = web.open_world(f"desk-{len(opened)}")
        session = shared_browser.session(world, web.proxy(world))
        opened.append((session, world))
        session.goto(page(body))
        return session, world

    yield open_
    for session, world in opened:
        session.close()
        world.close()


def page_of(session: Session) -> Page:
    return session._async_session._tabs.active.page


def hold_requests(shared_browser: Browser, page: Page) -> None:
    """From now on the browser delays every request, as on a busy machine."""
    cdp = shared_browser.engine.call(page.context.new_cdp_session(page), 60)
    kept: set[asyncio.Task[None]] = set()

    async def let_go(request: str) -> None:
        await asyncio.sleep(HELD)
        await cdp.send("Fetch.continueRequest", {"requestId": request})

    def paused(event: dict[str, Any]) -> None:
        task = asyncio.get_running_loop().create_task(let_go(event["requestId"]))
        kept.add(task)
        task.add_done_callback(kept.discard)

    cdp.on("Fetch.requestPaused", paused)
    shared_browser.engine.call(cdp.send("Fetch.enable"), 60)


def posted(world: World) -> list[str]:
    return [request.url.removeprefix(HOME) for request in world.log.requests if request.method == "POST"]


POST = "fetch('/save', {method: 'POST'})"
CLICKS = TABLES["clicks"]
"""Page, and the path to which the click on Go posts."""


@pytest.mark.sampled(7, ci=3)
@pytest.mark.parametrize("held", [False, True], ids=["at once", "held"])
@pytest.mark.parametrize("name", CLICKS)
def test_what_a_click_posts_is_there_after_it(shared_browser: Browser, open_desk: Open, name: str, held: bool) -> None:
    body, path = CLICKS[name]
    session, world = open_desk(body)
    if held:
        hold_requests(shared_browser, page_of(session))
    assert click(session, "Go").ok
    assert posted(world) == [path]


@pytest.mark.sampled(6, ci=3)
@pytest.mark.parametrize("name", CLICKS)
def test_it_is_there_on_a_slow_processor(shared_browser: Browser, open_desk: Open, name: str) -> None:
    body, path = CLICKS[name]
    session, world = open_desk(body)
    shown = page_of(session)
    cdp = shared_browser.engine.call(shown.context.new_cdp_session(shown), 60)
    shared_browser.engine.call(cdp.send("Emulation.setCPUThrottlingRate", {"rate": 10}), 60)
    assert click(session, "Go").ok
    assert posted(world) == [path]


def test_what_a_page_sends_by_itself_is_there_after_a_rest(shared_browser: Browser, open_desk: Open) -> None:
    session, world = open_desk("<p>words")
    hold_requests(shared_browser, page_of(session))
    shared_browser.engine.call(page_of(session).evaluate(f"void {POST}"), 60)
    session.rest()
    assert posted(world) == ["/save"]


def test_a_rest_does_not_wait_for_a_page_that_is_stuck(shared_browser: Browser, open_desk: Open) -> None:
    session, world = open_desk("<p>words")
    shared_browser.engine.call(page_of(session).evaluate("void setTimeout(() => { for (;;); })"), 60)
    session.rest()
    assert posted(world) == []


def test_the_same_for_a_browser_that_somebody_else_drives(web: SealedWeb, shared_browser: Browser) -> None:
    world = web.open_world("driven")
    own = AgentBrowser(shared_browser, world, web.own_proxy(world))
    try:
        own.goto(page("<p>words"))
        shown = own.observer._tabs[-1].page
        hold_requests(shared_browser, shown)
        shared_browser.engine.call(shown.evaluate(f"void {POST}"), 60)
        own.rest()
        assert posted(world) == ["/save"]
    finally:
        own.close()
        world.close()
