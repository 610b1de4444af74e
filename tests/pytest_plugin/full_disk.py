"""A pytest plugin for runs (`-p tests.pytest_plugin.full_disk`): from the start of the browser to the end of the tests,
no file of more than 12,000 bytes can be written, as on a full disk. With FULL_AT_END: no file of more than 1,500 bytes,
from the end of the tests to the summary."""

import os
import resource
from collections.abc import Generator
from typing import Any

import pytest

LEFT = 12_000


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: Any) -> Generator[None, Any, Any]:
    done = yield
    if fixturedef.argname == "longtrail_browser" and "FULL_AT_END" not in os.environ:
        _limit(LEFT)
    return done


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish() -> None:
    _limit(1_500 if "FULL_AT_END" in os.environ else resource.getrlimit(resource.RLIMIT_FSIZE)[1])


@pytest.hookimpl(tryfirst=True)
def pytest_terminal_summary() -> None:
    _limit(resource.getrlimit(resource.RLIMIT_FSIZE)[1])


def _limit(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
