"""A pytest plugin that runs are given (`-p tests.pytest_plugin.stalling`): workers stop before their first test, as a
machine may stop a process, and the controller is less patient than it is with users."""

import os
import signal
from typing import Any

import pytest

from longtrail.pytest_plugin import deaths, workers


def pytest_configure(config: Any) -> None:
    deaths.CRASHES_IN_A_ROW = 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished() -> None:
    if os.environ.get("STALLING"):
        workers.IDLE = 3


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: Any) -> None:
    """In the worker alone, and only where the test asks for it."""
    if os.environ.get("STALLING") and hasattr(session.config, "workerinput"):
        os.kill(os.getpid(), signal.SIGSTOP)
