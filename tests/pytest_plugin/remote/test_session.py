"""The session's loop over a cluster's workers."""

import subprocess
import sys
from pathlib import Path

import pytest

from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import ROOT, environment


@pytest.mark.thorough
def test_a_worker_that_begins_no_test_is_replaced(tmp_path: Path) -> None:
    """And a run in which workers are only lost ends by itself."""
    words = ("benchmark_tests", "-q", "--task", "PW-025", "-m", "raw and not appeal", "--no-shots", "-p", "no:html")
    command = [sys.executable, "-m", "tests.pytest_plugin.remote.silent_engine", *words]
    command += [f"--reports={tmp_path}", "--run", "silent", "-p", "no:cacheprovider"]
    done = subprocess.run(
        command, cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=300, check=False
    )
    assert "given up: it began no test for 0 seconds" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 4
    assert "12 workers ended one after the other" in done.stdout
    assert Run.open(tmp_path / "runs" / "silent").missing() == ("pw-025-raw-r0",)
