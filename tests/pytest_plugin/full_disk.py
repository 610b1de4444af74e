"""A pytest plugin for runs (`-p tests.pytest_plugin.full_disk`): from the start of the browser to the end of the tests,
no file of more than 12,000 bytes can be written, as on a full disk."""

import resource
from collections.abc import Generator
from typing import Any

import pytest

LEFT = 12_000


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: Any) -> Generator[None, Any, Any]:
    done = yield
    if fixturedef.argname == "longtrail_browser":
        _limit(LEFT)
    return done


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish() -> None:
    _limit(resource.getrlimit(resource.RLIMIT_FSIZE)[1])


def _limit(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
