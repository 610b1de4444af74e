"""A run that a script started in the background ends at SIGINT, and can be resumed."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from longtrail.llm.mock.server import MockServer
from longtrail.runs.checked import check_run
from longtrail.runs.store import Run
from longtrail.runs.under_way import read_under_way
from tests.pytest_plugin.pytest_process import ROOT, environment, run_pytest

MODEL = "openai/scripted-finisher"
CASES = ("-m", "shopping_admin and raw and not appeal", "--sample", "6", "--no-shots", "-q")


def wait_until_running(reports: Path, name: str, process: "subprocess.Popen[str]") -> None:
    """Wait until a case is being played."""
    while not read_under_way(reports / "runs" / name):
        assert process.poll() is None, process.communicate()
        threading.Event().wait(0.05)


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="shells of Windows don't ignore SIGINT")
@pytest.mark.parametrize("workers", [2, 0])
def test_a_run_in_the_background_ends_at_sigint(tmp_path: Path, workers: int) -> None:
    """A shell without job control starts `pytest ... &` with SIGINT ignored."""
    with MockServer(latency=2.0) as server:
        words = (*CASES, "--model", MODEL, "--model-arg", f"api_base={server.url}", f"--reports={tmp_path}")
        pytests = [sys.executable, "-m", "pytest", "-p", "no:hypothesispytest", *words, "-n", str(workers)]
        script = 'trap "" INT; exec "$@"'
        env = environment(OPENAI_API_KEY="none")
        with subprocess.Popen(
            ["sh", "-c", script, "sh", *pytests, "--run", "ended"],
            cwd=ROOT,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            try:
                wait_until_running(tmp_path, "ended", process)
                process.send_signal(signal.SIGINT)
                said, _ = process.communicate()
            finally:
                process.kill()
        assert process.returncode == 2, said[-3000:]
        run = Run.open(tmp_path / "runs" / "ended")
        assert run.missing()
        assert check_run(run).edited == (), "nothing was written after the results were collected"
        assert not read_under_way(run.folder)
        assert check_run(run).begun, "attempts without a record are counted"
        done = run_pytest(*words, "--resume=ended", env=env)
        assert done.code == 1, done.said[-3000:]
        assert not run.missing()
