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

from benchmarks.pressure import differences
from longtrail.llm.mock.server import MockServer
from longtrail.runs.checked import check_run
from longtrail.runs.store import Run
from longtrail.runs.under_way import read_under_way
from tests.pytest_plugin.pytest_process import ROOT, environment, run_pytest
from tests.pytest_plugin.test_early import a_test, write
from tests.pytest_plugin.test_early import project as project

CACHED = {"cached_tokens"}
CHANGING: dict[str, Any] = {"seconds": True, "timing": True, "usage": CACHED, "summary_usage": CACHED, "saved": CACHED}
CASES = ("-m", "noise_0 or noise_25k or raw and not appeal", "--no-shots", "-q")
MODEL, CAREFUL = "openai/scripted-finisher", "openai/scripted-careful"


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
    """Results and every step, also for lengths that share a first part. Never more calls are under way than episodes in
    all workers."""
    with MockServer(latency=0.4) as server:
        model = (
            "--agent",
            "webagent",
            "--agent",
            "oracle",
            "--model",
            CAREFUL,
            "--model-arg",
            f"api_base={server.url}",
        )
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
            one, several = (Run.open(tmp_path / "runs" / each) for each in ("one", name))
            assert list(differences(one, several)) == []
            assert max(each.steps for each in several.results()) > 5
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
@pytest.mark.parametrize("workers", ["0", "2"])
def test_ctrl_c_leaves_no_record_of_what_was_under_way(workers: str, tmp_path: Path) -> None:
    """Nothing is written after the results were collected: it would look like a changed file."""
    with MockServer(latency=2.0) as server:
        model = ("--model", MODEL, "--model-arg", f"api_base={server.url}", "--episodes-per-worker", "4")
        model = (*model, "-n", workers)
        words = (*CASES, "-m", "raw and not appeal", "--sample", "6", *model)
        with started(tmp_path, "ended", *words) as process:
            under_way = until_under_way(tmp_path, "ended", 4, process)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate()
        assert process.returncode == 2, (out + err)[-3000:]
        assert "Traceback" not in out + err
        run = Run.open(tmp_path / "runs" / "ended")
        checked = check_run(run)
        assert len(checked.missing) >= 2
        assert set(checked.missing) == set(run.manifest.cases) - {each.case.id for each in run.results()}
        assert checked.edited == ()
        assert len(checked.problems()) == 1, "cases are missing"
        assert all(each.outcome != "invalid" for each in run.results())
        assert not read_under_way(run.folder)
        assert under_way
        env = environment(OPENAI_API_KEY="none")
        done = run_pytest(*words, f"--reports={tmp_path}", "--resume=ended", env=env)
        assert done.code == 1, done.said[-3000:]
        assert Counter(each.outcome for each in run.results()) == {"failed": 6}
        assert all(len(files) == 1 for files in run.attempts().values())


@pytest.mark.thorough
@pytest.mark.parametrize(("workers", "code"), [("0", 1), ("2", 2)])
def test_x_ends_the_run_at_the_first_failure(workers: str, code: int, tmp_path: Path) -> None:
    """Episodes that are under way then leave no record, and no other begins, in no worker. (xdist says that it was
    interrupted.)"""
    with MockServer(latency=0.5) as server:
        model = ("--model", MODEL, "--model-arg", f"api_base={server.url}", "--episodes-per-worker", "4")
        words = (*CASES, "-m", "raw and not appeal", "--sample", "40", *model, "-x", "-n", workers)
        env = environment(OPENAI_API_KEY="none")
        done = run_pytest(*words, f"--reports={tmp_path}", "--run", "ended", env=env)
    assert done.code == code, done.said[-3000:]
    run = Run.open(tmp_path / "runs" / "ended")
    assert 1 <= len(run.results()) <= 12
    assert len(run.results()) + len(run.missing()) == 40
    assert check_run(run).edited == ()
    assert {each.outcome for each in run.results()} == {"failed"}


@pytest.mark.thorough
def test_x_ends_workers_that_have_not_failed_themselves(project: Path) -> None:
    """xdist alone would let the other worker play the twelve cases that it has."""
    (project / "a" / "test_first.py").write_text("def test_broken():\n    assert False\n")
    write(project, "b/test_cases.py", a_test("shopping_admin"))
    words = (
        "--longtrail-episodes-per-worker=4",
        "--longtrail-no-shots",
        "-m",
        "not pathways or raw and not appeal",
        "-q",
    )
    words = (*words, "--longtrail-reports=kept", "--longtrail-run=mine", "-x", "-n", "2")
    done = run_pytest(*words, cwd=project, env=environment(PYTHONPATH=str(ROOT)))
    assert done.code == 2, done.said[-3000:]
    assert "stopping after 1 failures" in done.out
    run = Run.open(project / "kept" / "runs" / "mine")
    assert len(run.missing()) + len(run.results()) == len(run.manifest.cases) > 40
    assert len(run.results()) <= 5
    assert check_run(run).edited == ()


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


@pytest.mark.thorough
def test_an_agent_that_ends_its_worker_costs_its_neighbours_nothing(tmp_path: Path) -> None:
    """All that were being played are recorded as crashes and played again, each alone: one ends its worker again."""
    only = ("--agent", "tests.pytest_plugin.exiting_threaded:make", "--agent-arg", "only=slippers")
    tasks = [word for task in ("pw-025", "pw-055", "pw-001", "pw-002") for word in ("--task", task)]
    words = (*only, *tasks, "-m", "raw and not appeal", "--no-shots", "-q", "-n", "1", "--episodes-per-worker", "4")
    done = run_pytest(*words, f"--reports={tmp_path}", "--run", "mine")
    assert done.code == 1, done.said[-3000:]
    assert "INTERNALERROR" not in done.said
    run = Run.open(tmp_path / "runs" / "mine")
    assert Counter(each.outcome for each in run.results()) == {"invalid": 1, "failed": 3}, done.said[-3000:]
    assert all(len(files) == 2 for files in run.attempts().values())
    assert [each.trouble.kind for each in run.results() if each.trouble] == ["worker_crash"]


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
    (line, again) = (each for each in done.out.splitlines() if each.startswith("-n auto: "))
    assert line == again, "at the start, and in the summary"
    assert "a model that answers within 1.5 s fills a core)" in line
    run = Run.open(tmp_path / "runs" / "mine")
    assert run.manifest.options["episodes_per_worker"] > 1
    assert Counter(each.outcome for each in run.results()) == {"failed": 6}
