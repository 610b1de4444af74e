"""Processes of a run are killed, interrupted or slowed: results are those of an undisturbed run, none is left."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from benchmarks.busy_machine import busy
from benchmarks.kills import KINDS, Laboratory
from benchmarks.pressure import differences, play
from longtrail.browser.session import Browser
from longtrail.episode.context import EpisodeContext
from longtrail.llm.mock.server import MockServer
from longtrail.records.trajectory import Contender, Outcome
from longtrail.runs.checked import check_run
from longtrail.runs.store import Run
from longtrail.runs.under_way import read_under_way
from longtrail.tasks.loading import load_tasks
from longtrail.web.registry import all_sites
from longtrail.web.sealed import SealedWeb
from tests.pytest_plugin.pytest_process import ROOT, environment, run_pytest

FEW = {"oracle": 3, "long": 1, "cdp": 2, "http": 2}
"""Kind of run -> number of tasks: few, but enough for two workers."""


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> Laboratory:
    return Laboratory(tmp_path_factory.mktemp("kills"), FEW)


@pytest.mark.thorough
@pytest.mark.sampled(12)
@pytest.mark.parametrize("number", range(12))
def test_a_run_that_is_killed_and_resumed_ends_like_any_other(laboratory: Laboratory, number: int) -> None:
    trial = laboratory.trial(tuple(KINDS)[number // 3], number, seed=20)
    assert not trial.problems, trial


EPISODES = 6


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return play(tmp_path_factory.mktemp("quiet"), "quiet", EPISODES, workers=2)


@pytest.mark.parametrize(("task", "sites"), [("ikea_favorites", {"search"}), ("PW-025", {"shopadmin"})])
def test_sites_are_made_before_the_clock_of_an_episode_runs(task: str, sites: set[str]) -> None:
    """Otherwise the first page would take seconds: on a busy machine, longer than a browser waits."""
    web = SealedWeb(all_sites())
    with Browser() as browser:
        EpisodeContext(web, browser, Contender(agent="oracle")).prepare(load_tasks()[task])
    assert {site for site, _ in web._templates._built} == sites


@pytest.mark.thorough
def test_a_busy_machine_changes_nothing(quiet: Run, tmp_path: Path) -> None:
    with busy(2):
        pressed = play(tmp_path, "pressed", EPISODES, workers=3, stall=0.05)
    assert len(pressed.results()) == EPISODES
    assert list(differences(quiet, pressed)) == []


@pytest.mark.thorough
def test_a_difference_is_told(quiet: Run, tmp_path: Path) -> None:
    """The comparison finds an episode that is missing, and one that differs."""
    shutil.copytree(quiet.folder, tmp_path / "other")
    other = Run.open(tmp_path / "other")
    gone, *_, changed = other.episodes()
    other.attempts()[gone.case.id][0].unlink()
    fewer = changed.steps[-1].model_copy(update={"outcome": Outcome(ok=False, error="it was busy")})
    other.write_episode(changed.model_copy(update={"steps": (*changed.steps[:-1], fewer)}))
    missing, busy_one = sorted(differences(quiet, other), key=lambda line: "busy" in line)
    assert missing == f"{gone.case.id}: only in one of the runs"
    assert busy_one.startswith(f"{changed.case.id}: ")


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


CHILD = """
import os, sys, time
from longtrail.pytest_plugin.xdist_start import end_with_parent
parent = os.getppid()
print(os.getpid(), flush=True)
if sys.argv[1] == "late":
    while os.getppid() == parent:
        time.sleep(0.01)
end_with_parent(parent)
while True:
    time.sleep(1)
"""
PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", sys.argv[1], sys.argv[2]], stdout=subprocess.PIPE, text=True)
print(child.stdout.readline(), end="", flush=True)
"""


@pytest.mark.parametrize("when", ["early", "late"])
def test_a_worker_ends_with_its_controller(when: str) -> None:
    """Also if the controller ended before the worker watched it."""
    done = subprocess.run([sys.executable, "-c", PARENT, CHILD, when], capture_output=True, text=True, check=True)
    with contextlib.suppress(psutil.NoSuchProcess):
        assert not psutil.wait_procs([psutil.Process(int(done.stdout))], 60)[1]
