"""The web and a browser for the ways."""

from collections.abc import Iterator

import pytest

from longtrail.browser.session import Browser
from longtrail.web.registry import all_sites
from longtrail.web.sealed import SealedWeb
from longtrail.web.sites.search.index import index


@pytest.fixture(scope="session")
def web() -> Iterator[SealedWeb]:
    index()  # built first, because it takes seconds
    with SealedWeb(all_sites()) as web:
        yield web


@pytest.fixture(scope="session")
def own_browser() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser
