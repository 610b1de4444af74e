"""`--episodes-per-worker`: several episodes at once in a worker, with the same results as one after the other."""

import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from longtrail.llm.mock.server import MockServer
from longtrail.runs.store import Run
from longtrail.runs.under_way import read_under_way
from tests.pytest_plugin.pytest_process import ROOT, environment, run_pytest

CACHED = {"cached_tokens"}
CHANGING: dict[str, Any] = {"seconds": True, "timing": True, "usage": CACHED, "summary_usage": CACHED, "saved": CACHED}
CASES = ("-m", "noise_0 or noise_25k or raw and not appeal", "--no-shots", "-q")
MODEL = "openai/scripted-finisher"


def results(reports: Path, name: str) -> list[str]:
    """The results as JSON, without times and the server's counts of cached tokens, which depend on earlier calls."""
    return [each.model_dump_json(exclude=CHANGING) for each in Run.open(reports / "runs" / name).results()]


def most_at_once(server: MockServer) -> int:
    """The largest number of requests that were answered at the same time."""
    at = [request.at for request in server.requests]
    return max(sum(start <= each < start + server.latency for start in at) for each in at)


@contextmanager
def started(reports: Path, name: str, *words: str) -> "Iterator[subprocess.Popen[str]]":
    """A run in a process of its own."""
    command = [sys.executable, "-m", "pytest", "-p", "no:hypothesispytest", *words, f"--reports={reports}"]
    out = subprocess.PIPE
    env = environment(OPENAI_API_KEY="none")
    process = subprocess.Popen([*command, "--run", name], cwd=ROOT, env=env, stdout=out, stderr=out, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def until_under_way(reports: Path, name: str, number: int, process: "subprocess.Popen[str]") -> set[str]:
    """Wait until so many cases are being played; returns their ids."""
    folder = reports / "runs" / name
    while process.poll() is None:
        if len(found := read_under_way(folder)) >= number:
            return set(found)
        threading.Event().wait(0.05)
    raise AssertionError(process.communicate())


@pytest.mark.thorough
def test_results_are_those_of_one_episode_after_the_other(tmp_path: Path) -> None:
    """Also for lengths that share a first part. Never more calls are under way than episodes in all workers."""
    with MockServer(latency=0.4) as server:
        model = ("--agent", "webagent", "--agent", "oracle", "--model", MODEL, "--model-arg", f"api_base={server.url}")
        words = (*CASES, "--sample", "3", *model, f"--reports={tmp_path}")
        env = environment(OPENAI_API_KEY="none")
        assert run_pytest(*words, "--run", "one", env=env).code == 1
        assert most_at_once(server) == 1
        ways = {"four": ("--episodes-per-worker", "4"), "six": ("--episodes-per-worker", "3", "-n", "2")}
        for name, more in ways.items():
            server.requests.clear()
            done = run_pytest(*words, *more, "--run", name, env=env)
            assert done.code == 1, done.said[-3000:]
            assert 2 <= most_at_once(server) <= {"four": 4, "six": 6}[name]
            assert results(tmp_path, name) == results(tmp_path, "one")
            assert not read_under_way(tmp_path / "runs" / name)
    assert {each.outcome for each in Run.open(tmp_path / "runs" / "one").results()} == {"passed", "failed"}


@pytest.mark.thorough
def test_a_worker_is_killed_with_four_episodes_under_way(tmp_path: Path) -> None:
    """Each of the four is recorded as a crash and played again; finished ones are not."""
    with MockServer(latency=3.0) as server:
        words = (*CASES, "--sample", "8", "-m", "raw and not appeal", "--model", MODEL)
        words = (*words, "--model-arg", f"api_base={server.url}", "-n", "1", "--episodes-per-worker", "4")
        with started(tmp_path, "killed", *words) as process:
            lost = until_under_way(tmp_path, "killed", 4, process)
            (worker,) = [
                each for each in psutil.Process(process.pid).children() if "-c" in each.cmdline() and each.children()
            ]
            worker.kill()
            out, err = process.communicate()
    assert process.returncode == 1, (out + err)[-3000:]
    assert "INTERNALERROR" not in out + err
    run = Run.open(tmp_path / "runs" / "killed")
    attempts = {stem: len(files) for stem, files in run.attempts().items()}
    assert {stem for stem, number in attempts.items() if number == 2} == lost
    assert set(attempts.values()) == {1, 2}
    assert Counter(each.outcome for each in run.results()) == {"failed": 8}
    crashes = [
        path for files in run.attempts().values() for path in files[1:] if '"kind":"worker_crash"' in path.read_text()
    ]
    assert len(crashes) == 4
    assert not read_under_way(run.folder)


@pytest.mark.thorough
def test_ctrl_c_leaves_no_record_of_what_was_under_way(tmp_path: Path) -> None:
    with MockServer(latency=2.0) as server:
        model = ("--model", MODEL, "--model-arg", f"api_base={server.url}", "--episodes-per-worker", "4")
        words = (*CASES, "-m", "raw and not appeal", "--sample", "6", *model)
        with started(tmp_path, "ended", *words) as process:
            under_way = until_under_way(tmp_path, "ended", 4, process)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate()
        assert process.returncode == 2, (out + err)[-3000:]
        assert "Traceback" not in out + err
        run = Run.open(tmp_path / "runs" / "ended")
        assert len(run.missing()) >= 2
        assert all(each.outcome != "invalid" for each in run.results())
        assert not read_under_way(run.folder)
        assert under_way
        env = environment(OPENAI_API_KEY="none")
        done = run_pytest(*words, f"--reports={tmp_path}", "--resume=ended", env=env)
        assert done.code == 1, done.said[-3000:]
        assert Counter(each.outcome for each in run.results()) == {"failed": 6}
        assert all(len(files) == 1 for files in run.attempts().values())


@pytest.mark.thorough
def test_x_ends_the_run_at_the_first_failure(tmp_path: Path) -> None:
    """Episodes that are under way then leave no record, and no other begins."""
    with MockServer(latency=0.5) as server:
        model = ("--model", MODEL, "--model-arg", f"api_base={server.url}", "--episodes-per-worker", "4")
        words = (*CASES, "-m", "raw and not appeal", "--sample", "30", *model, "-x")
        env = environment(OPENAI_API_KEY="none")
        done = run_pytest(*words, f"--reports={tmp_path}", "--run", "ended", env=env)
    assert done.code == 1, done.said[-3000:]
    run = Run.open(tmp_path / "runs" / "ended")
    assert 1 <= len(run.results()) <= 12
    assert len(run.results()) + len(run.missing()) == 30
    assert {each.outcome for each in run.results()} == {"failed"}


@pytest.mark.slow
def test_a_budget_holds_for_all_episodes_of_a_worker(tmp_path: Path) -> None:
    with MockServer(latency=0.5) as server:
        prices = ("--model-arg", "input_cost_per_token=0.001", "--model-arg", "output_cost_per_token=0.001")
        model = ("--model", MODEL, "--model-arg", f"api_base={server.url}", *prices, "--budget", "15")
        words = (*CASES, "-m", "raw and not appeal", "--sample", "6", *model, "--episodes-per-worker", "4")
        env = environment(OPENAI_API_KEY="none")
        done = run_pytest(*words, f"--reports={tmp_path}", "--run", "poor", env=env)
    assert done.code == 1, done.said[-3000:]
    found = Run.open(tmp_path / "runs" / "poor").results()
    outcomes = Counter(each.trouble.kind if each.trouble else each.outcome for each in found)
    assert outcomes["llm_budget"] >= 1
    assert outcomes["failed"] >= 1
    assert outcomes.total() == 6
    assert sum(each.usage.usd or 0.0 for each in found) <= 15


@pytest.mark.slow
def test_an_agent_that_does_not_say_that_it_may_run_in_threads_is_refused(tmp_path: Path) -> None:
    words = (*CASES, "--sample", "3", "--episodes-per-worker", "3", f"--reports={tmp_path}")
    done = run_pytest(*words, "--agent", "tests.pytest_plugin.walker:walk")
    assert done.code == 4
    assert "write THREAD_SAFE = True into tests.pytest_plugin.walker" in done.err
    done = run_pytest(*words, "--agent", "cdp:tests.pytest_plugin.walker:walk")
    assert done.code == 4
    assert "has a browser of its own for each episode; give -n 3" in done.err
    done = run_pytest(*words, "--episodes-per-worker", "0")
    assert done.code == 4
    assert "--episodes-per-worker: expected 1 to 64, got 0" in done.err
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_an_agent_that_says_so_plays_in_threads(tmp_path: Path) -> None:
    words = (*CASES, "-m", "raw and not appeal", "--sample", "3", "--episodes-per-worker", "3", f"--reports={tmp_path}")
    done = run_pytest(*words, "--run", "mine", "--agent", "tests.pytest_plugin.threaded:make")
    assert done.code == 1, done.said[-3000:]
    assert [each.outcome for each in Run.open(tmp_path / "runs" / "mine").results()] == ["failed"] * 3


@pytest.mark.thorough
def test_auto_plays_several_episodes_in_each_worker(tmp_path: Path) -> None:
    with MockServer(latency=15.0) as server:
        model = ("--model", MODEL, "--model-arg", f"api_base={server.url}")
        words = (*CASES, "-m", "raw and not appeal", "--sample", "6", *model, "-n", "auto", f"--reports={tmp_path}")
        done = run_pytest(*words, "--run", "mine", env=environment(OPENAI_API_KEY="none"))
        assert done.code == 1, done.said[-3000:]
        assert most_at_once(server) > min(4, len(os.sched_getaffinity(0)))
    run = Run.open(tmp_path / "runs" / "mine")
    assert run.manifest.options["episodes_per_worker"] > 1
    assert Counter(each.outcome for each in run.results()) == {"failed": 6}
