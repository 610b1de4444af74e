"""App fixture: `web_agent`, for tests of a user's own suite. Light: what plays is imported when a test asks for it."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from longtrail.pytest_plugin.plugin import OPTIONS, checked_options

if TYPE_CHECKING:
    from longtrail.pytest_plugin.app_result import AppResult
    from longtrail.pytest_plugin.app_session import AppSession


@pytest.fixture(scope="session")
def _longtrail_apps(pytestconfig: pytest.Config) -> "Iterator[AppSession]":
    from longtrail.pytest_plugin.app_session import AppSession

    options = pytestconfig.stash.get(OPTIONS, None) or checked_options(pytestconfig)
    worker = getattr(pytestconfig, "workerinput", {})
    uid = worker.get("testrunuid") or f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{os.getpid()}"
    session = AppSession(options, options.run or f"apps-{uid[:24]}")
    yield session
    session.close()


@pytest.fixture
def web_agent(request: pytest.FixtureRequest, _longtrail_apps: "AppSession") -> "Callable[..., AppResult]":
    """Play a task on your own app with the agent of --agent or --model: `web_agent(url, instruction, key_steps=[...])`.

    Returns its results (`success_rate`, `not_worse_than(baseline)`); see docs/own-app.md.
    """
    from longtrail.pytest_plugin.app_session import PROPERTY

    def play(url: str, instruction: str, key_steps: "Sequence[object]" = (), **more: Any) -> "AppResult":
        given = request.config.option
        if not (given.agent or given.model or more.get("reference")):
            pytest.skip("web_agent: give --agent or --model, or the test a reference")
        request.node.user_properties.append((PROPERTY, str(_longtrail_apps.run.folder)))
        return _longtrail_apps.play(request.node.nodeid, url, instruction, key_steps, **more)

    return play


def pytest_configure(config: pytest.Config) -> None:
    """The controller, or the one process, collects what the tests' reports tell of."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(AppRuns(), "longtrail-app-runs")


class AppRuns:
    """The run of this session's `web_agent` tests, as their reports tell it: collected at the session's end."""

    def __init__(self) -> None:
        self.folders: set[Path] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.folders |= {Path(str(value)) for name, value in report.user_properties if name == "longtrail-run"}

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        for folder in sorted(self.folders):
            from longtrail.pytest_plugin.app_session import finish

            terminalreporter.section("Longtrail: your own apps")
            terminalreporter.write_line(finish(folder))
