"""A shop on this machine, a live web in which it has a public name, and a browser."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from longtrail.browser.session import Browser, Session
from longtrail.browser.url_policy import UrlPolicy
from longtrail.web.live.live_web import LiveWeb
from longtrail.web.world import World
from tests.serving import certificate_for, serving
from tests.web.live.staging import SHOP, Shop

NUMBERS = count()


@pytest.fixture(scope="package")
def shop() -> Shop:
    return Shop()


@pytest.fixture(scope="package")
def address(shop: Shop) -> Iterator[str]:
    with serving(shop) as address:
        yield address


@pytest.fixture(scope="package")
def live(address: str) -> Iterator[LiveWeb]:
    with LiveWeb({SHOP: address}) as live:
        yield live


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser


@pytest.fixture
def world(live: LiveWeb, shop: Shop) -> Iterator[World]:
    shop.seen.clear()
    world = live.open_world(f"live-{next(NUMBERS)}")
    world.home_domains = frozenset({"staging-shop.com"})
    yield world
    world.close()


@pytest.fixture
def session(live: LiveWeb, world: World, chromium: Browser) -> Iterator[Session]:
    with chromium.session(world, live.proxy(world), url_policy=UrlPolicy(live.reach)) as session:
        session.goto(f"https://{SHOP}/")
        yield session


@pytest.fixture
def secure(shop: Shop, tmp_path: Path) -> Iterator[str]:
    with serving(shop, certificate_for(SHOP, tmp_path)) as address:
        yield address
