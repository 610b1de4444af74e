"""Pending requests are waited for, even if the browser is slow to send them to the site."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.async_api import Page
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from longtrail.agents.cdp.agent_browser import AgentBrowser
from longtrail.browser.session import Browser, Session
from longtrail.web.sealed import SealedWeb
from longtrail.web.site import Edition
from longtrail.web.world import World
from tests.browser.hands import click
from tests.tables import tables_of

TABLES = tables_of(__file__)

HOST = "https://desk.test"
BODIES: list[str] = []
HELD = 0.4
"""Seconds by which the browser delays a request: longer than the wait for a page's first reaction."""


async def page(request: Request) -> Response:
    return HTMLResponse(f"<!doctype html><title>Desk</title>{BODIES[request.path_params['number']]}")


async def save(request: Request) -> Response:
    return PlainTextResponse("saved")


async def done(request: Request) -> Response:
    return HTMLResponse("<!doctype html><title>Done</title><p>It is done")


@dataclass
class Desk:
    """A site with pages that tests write, and addresses that accept data."""

    name: str = "desk"
    hosts: tuple[str, ...] = ("desk.test",)
    app: ASGIApp = field(
        default_factory=lambda: Starlette(
            routes=[
                Route("/page/{number:int}", page),
                Route("/save", save, methods=["GET", "POST"]),
                Route("/done", done, methods=["GET", "POST"]),
            ]
        )
    )

    def build(self, db: sqlite3.Connection, _: Edition) -> None:
        db.execute("CREATE TABLE papers (id INTEGER PRIMARY KEY)")


@pytest.fixture(scope="module")
def web() -> Iterator[SealedWeb]:
    with SealedWeb([Desk()]) as web:
        yield web


Place = tuple[Session, World]
Open = Callable[[str], Place]


@pytest.fixture
def open_desk(web: SealedWeb, shared_browser: Browser) -> Iterator[Open]:
    """A session on a page of this body, and its world."""
    opened: list[Place] = []

    def open_(body: str) -> Place:
        BODIES.append(body)
        world = web.open_world(f"desk-{len(BODIES)}")
        session = shared_browser.session(world, web.proxy(world))
        opened.append((session, world))
        session.goto(f"{HOST}/page/{len(BODIES) - 1}")
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
    return [request.url.removeprefix(HOST) for request in world.requests if request.method == "POST"]


STALL = "const end = performance.now() + %d; while (performance.now() < end);"
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
    page = page_of(session)
    cdp = shared_browser.engine.call(page.context.new_cdp_session(page), 60)
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
    BODIES.append("<p>words")
    world = web.open_world("driven")
    own = AgentBrowser(shared_browser, world, web.own_proxy(world))
    try:
        own.goto(f"{HOST}/page/{len(BODIES) - 1}")
        page = own.observer._tabs[-1].page
        hold_requests(shared_browser, page)
        shared_browser.engine.call(page.evaluate(f"void {POST}"), 60)
        own.rest()
        assert posted(world) == ["/save"]
    finally:
        own.close()
        world.close()
