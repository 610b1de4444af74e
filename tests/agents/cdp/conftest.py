"""A browser that an agent drives itself, on a page of the module's sites (its fixture `web`)."""

import re
from collections.abc import Iterator

import pytest

from longtrail.agents.cdp.agent_browser import AgentBrowser
from longtrail.browser.session import Browser
from longtrail.browser.view import ViewSettings
from longtrail.web.sealed import SealedWeb
from longtrail.web.world import World


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with Browser(ViewSettings(screenshot=True)) as browser:
        yield browser


@pytest.fixture
def world(web: SealedWeb, request: pytest.FixtureRequest) -> Iterator[World]:
    world = web.open_world(re.sub(r"\W+", "-", request.node.name).strip("-"))
    yield world
    world.close()


@pytest.fixture
def agent_browser(web: SealedWeb, browser: Browser, world: World) -> Iterator[AgentBrowser]:
    agent_browser = AgentBrowser(browser, world, web.own_proxy(world))
    agent_browser.goto("https://tiny.test/")
    yield agent_browser
    agent_browser.close()
