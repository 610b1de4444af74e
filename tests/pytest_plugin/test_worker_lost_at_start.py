"""A worker that is killed while xdist starts it ends the session with one line.

The runs of these tests load this file as a plugin of their controller.
"""

from pathlib import Path
from typing import Any

import psutil
import pytest

from longtrail.options.gate_rules import INCOMPLETE
from tests.pytest_plugin.pytest_process import run_pytest


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_newgateway(gateway: Any) -> None:
    """Kill the worker before xdist sends it anything."""
    for process in psutil.Process().children(recursive=True):
        process.kill()
    while gateway.hasreceiver():
        pass


def test_it_is_told_in_one_line(tmp_path: Path) -> None:
    more = ("-p", "tests.pytest_plugin.test_worker_lost_at_start", "-m", "raw and not appeal", "--agent", "nothing")
    done = run_pytest(*more, "--task", "PW-014", "-n", "1", f"--reports={tmp_path}/reports")
    assert done.code == INCOMPLETE, done.said
    assert "INTERNALERROR" not in done.said
    assert "Exit: a worker ended while it was started: run the same command again" in done.said
