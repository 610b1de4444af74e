"""App fixture: `web_agent`, for tests of a user's own suite. Its imports happen only when a test asks for it."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pytest

from longtrail.pytest_plugin.case_session import FOLDER
from longtrail.pytest_plugin.plugin import APP_RUN, join

if TYPE_CHECKING:
    from longtrail.pytest_plugin.app_result import AppResult
    from longtrail.pytest_plugin.app_session import AppSession


@pytest.fixture(scope="session")
def _longtrail_apps(pytestconfig: pytest.Config) -> "Iterator[AppSession]":
    from longtrail.pytest_plugin.app_session import AppSession, refuse_flags

    options = join(pytestconfig).evaluation.options
    refuse_flags(options, beside_cases=FOLDER in pytestconfig.stash)
    worker = getattr(pytestconfig, "workerinput", {})
    uid = worker.get("testrunuid") or f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{os.getpid()}"
    session = AppSession(options, options.run or f"apps-{uid[:24]}", uid)
    yield session
    session.close()


@pytest.fixture
def web_agent(request: pytest.FixtureRequest, _longtrail_apps: "AppSession") -> "Callable[..., AppResult]":
    """Play a task on your own app with the agent of --agent or --model: `web_agent(url, instruction, key_steps=[...])`.

    Returns its results (`success_rate`, `not_worse_than(baseline)`); see docs/own-app.md.
    """
    from longtrail.options.flag_values import read_from

    def play(url: str, instruction: str, key_steps: "Sequence[object]" = (), **more: Any) -> "AppResult":
        given = read_from(request.config.option)
        if not (given.agent or given.model or more.get("reference")):
            pytest.skip("web_agent: give --agent or --model, or give the test a reference")
        request.node.user_properties.append((APP_RUN, str(_longtrail_apps.run.folder)))
        return _longtrail_apps.play(request.node.nodeid, url, instruction, key_steps, **more)

    return play
