"""Workers that are forked from a template: a run with a model, and what is left when one of its processes is killed."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from longtrail.llm.mock.server import MockServer
from longtrail.pytest_plugin.forked_workers import SUPPORTED
from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import ROOT, environment

pytestmark = pytest.mark.skipif(not SUPPORTED, reason="only Linux")
CASES = ("-m", "shopping_admin and raw and not appeal", "--sample", "2", "--no-shots", "-q", "-n", "2")


@contextmanager
def run_under_way(reports: Path) -> Iterator[tuple[subprocess.Popen[str], list[psutil.Process]]]:
    """A run of two cases in two workers, and its processes when both cases wait for their model."""
    with MockServer(latency=1.0) as server:
        command = [sys.executable, "-m", "pytest", "-p", "no:hypothesispytest", *CASES, f"--reports={reports}"]
        command += ["--run", "run", "--model", "openai/scripted-careful", "--model-arg", f"api_base={server.url}"]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        env = environment(OPENAI_API_KEY="none")
        with subprocess.Popen(command, cwd=ROOT, env=env, **pipes) as process:  # type: ignore[call-overload]
            try:
                wait_until(lambda: len(server.requests) >= 4 or process.poll() is not None)
                yield process, psutil.Process(process.pid).children(recursive=True)
            finally:
                process.kill()


def wait_until(happened: Callable[[], bool], seconds: int = 900) -> None:
    for _ in range(seconds * 10):
        if happened():
            return
        time.sleep(0.1)
    raise AssertionError(f"did not happen within {seconds} s")


def ended(process: psutil.Process) -> bool:
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


def part(processes: list[psutil.Process], role: str) -> list[psutil.Process]:
    return [each for each in processes if role in each.cmdline()]


def test_workers_share_a_template_and_a_killed_one_is_replaced(tmp_path: Path) -> None:
    with run_under_way(tmp_path) as (process, processes):
        (template,) = [each for each in part(processes, "template") if each.ppid() == process.pid]
        workers = template.children()
        assert len(workers) == 2, "both were forked from it"
        workers[0].kill()
        out, _ = process.communicate(timeout=600)
    results = Run.open(tmp_path / "runs" / "run").results()
    assert {result.outcome for result in results} <= {"passed", "failed"}, out[-3000:]
    assert len(results) == 2
    assert all(ended(each) for each in processes)


@pytest.mark.slow
@pytest.mark.parametrize("role", ["controller", "template"])
def test_nothing_is_left_of_a_run_of_which_a_process_is_killed(tmp_path: Path, role: str) -> None:
    with run_under_way(tmp_path) as (process, processes):
        if role == "controller":
            process.kill()
            process.communicate(timeout=600)
        else:
            part(processes, "template")[0].kill()
            process.communicate(timeout=600)  # ordinary workers play what is left
            assert not Run.open(tmp_path / "runs" / "run").missing()
        wait_until(lambda: all(ended(each) for each in processes))
