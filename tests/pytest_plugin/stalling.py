"""A pytest plugin for runs (`-p tests.pytest_plugin.stalling`): the controller gives up after fewer crashes than usual.
With `STALLING` set, workers are stopped before their first test, and the controller waits only 3 seconds for them."""

import os
import signal
from typing import Any

import pytest

from longtrail.pytest_plugin import workers


def pytest_configure(config: Any) -> None:
    workers.CRASHES_IN_A_ROW = 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished() -> None:
    if os.environ.get("STALLING"):
        workers.IDLE = 3


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: Any) -> None:
    """Stop this process, if it is a worker and `STALLING` is set."""
    if os.environ.get("STALLING") and hasattr(session.config, "workerinput"):
        os.kill(os.getpid(), signal.SIGSTOP)
