"""Adds the options of `tests/short_run.py`, and makes the sites and the browser that many tests share."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import hypothesis
import pytest

from tests import short_run

if TYPE_CHECKING:
    from longtrail.browser.session import Browser
    from longtrail.web.sealed import SealedWeb

hypothesis.settings.register_profile("busy machine", deadline=None)
hypothesis.settings.load_profile("busy machine")


def pytest_configure(config: pytest.Config) -> None:
    """pytest-playwright would give a parameter to every test with a fixture `page`, `context` or `browser` of ours."""
    config.pluginmanager.unregister(name="playwright")


def pytest_addoption(pluginmanager: pytest.PytestPluginManager) -> None:
    if not pluginmanager.is_registered(short_run):
        pluginmanager.register(short_run)


@pytest.fixture(scope="session")
def embedded_web() -> Iterator["SealedWeb"]:
    """All sites that ship, for all tests of a process that do not change what is served: to make them takes seconds."""
    from longtrail.web.registry import all_sites
    from longtrail.web.sealed import SealedWeb
    from longtrail.web.sites.search.app import index

    index()  # built before anybody waits for an answer
    with SealedWeb(all_sites()) as web:
        yield web


@pytest.fixture(scope="session")
def shared_browser() -> Iterator["Browser"]:
    """One browser for all tests of a process that only open sessions in it. Who changes its settings sets them back."""
    from longtrail.browser.session import Browser

    with Browser() as browser:
        yield browser
