"""A sealed web with the probe and the tiny site, worlds in it, and Chromium in a thread of its own."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import TypeVar

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, sync_playwright

from longtrail.browser.launcher import find_chromium
from longtrail.web.sealed import SealedWeb
from longtrail.web.world import World
from tests.web.probe import Canary, Probe
from tests.web.tiny.tiny_site import make as tiny

T = TypeVar("T")
NUMBERS = count()


class Chromium:
    """Calls functions with a real browser, in a thread of its own: a thread can run only one Playwright."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1)
        self._driver, self._browser = self._thread.submit(self._start).result()

    def _start(self) -> tuple[Playwright, Browser]:
        driver = sync_playwright().start()
        return driver, driver.chromium.launch(executable_path=find_chromium())

    def run(self, work: Callable[[Browser], T]) -> T:
        return self._thread.submit(work, self._browser).result()

    def within(self, web: SealedWeb, world: World, work: Callable[[BrowserContext], T]) -> T:
        """Call a function with a new browser context of this world."""

        def inside(browser: Browser) -> T:
            context = browser.new_context(proxy=web.proxy(world), ignore_https_errors=True)  # type: ignore[arg-type]
            try:
                return work(context)
            finally:
                context.close()

        return self.run(inside)

    def close(self) -> None:
        def end(browser: Browser) -> None:
            browser.close()
            self._driver.stop()

        self.run(end)
        self._thread.shutdown()


@pytest.fixture(scope="package")
def chromium() -> Iterator[Chromium]:
    browser = Chromium()
    yield browser
    browser.close()


@pytest.fixture(scope="package")
def web() -> Iterator[SealedWeb]:
    with SealedWeb([Probe(), tiny()]) as web:
        yield web


@pytest.fixture
def world(web: SealedWeb) -> Iterator[World]:
    world = web.open_world(f"world-{next(NUMBERS)}")
    yield world
    world.close()


@pytest.fixture
def other(web: SealedWeb) -> Iterator[World]:
    world = web.open_world(f"world-{next(NUMBERS)}")
    yield world
    world.close()


@pytest.fixture
def canary() -> Iterator[Canary]:
    canary = Canary()
    yield canary
    canary.close()
