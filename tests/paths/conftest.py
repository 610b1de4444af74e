"""The web and a browser for the ways, and the marker that asks for all of them."""

from collections.abc import Iterator

import pytest

from longtrail.browser.session import Browser
from longtrail.web.registry import all_sites
from longtrail.web.sealed import SealedWeb
from longtrail.web.sites.search.index import index


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "every_way: all ways through the long-context tasks, not only the chosen ones")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without `-m`, only the chosen ways are played: all of them take minutes."""
    if not config.option.markexpr:
        left = [item for item in items if item.get_closest_marker("every_way")]
        items[:] = [item for item in items if item not in left]
        config.hook.pytest_deselected(items=left)


@pytest.fixture(scope="session")
def web() -> Iterator[SealedWeb]:
    index()  # built before anybody waits for an answer: it takes seconds
    with SealedWeb(all_sites()) as web:
        yield web


@pytest.fixture(scope="session")
def own_browser() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser
