"""Workers that die or stall don't hang a run: their case is invalid, and the rest is played."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from longtrail.options.flags import read_from
from longtrail.options.run_options import read_options
from longtrail.pytest_plugin.scheduling import CrashDecision
from longtrail.pytest_plugin.workers import CrashTracker
from longtrail.records.trajectory import Contender
from longtrail.runs.manifest import new_manifest
from longtrail.runs.store import Run
from tests.pytest_plugin.held_servers import KillingServer, one_at_a_time
from tests.pytest_plugin.laboratory import CASES
from tests.pytest_plugin.pytest_process import ROOT, Done, environment, run_new_pytest, run_pytest

EXITING = ("--agent", "tests.pytest_plugin.scripted_agents:exiting")
TASKS = ("--task", "ikea_favorites", "--task", "pw-025", "--task", "pw-055")
FOUR = (*TASKS, "-m", "noise_0 or noise_25k or raw and not appeal", "--no-shots")


@pytest.mark.parametrize(
    ("agent", "decisions"),
    [("oracle", ["again", "again", "given up"]), ("cdp:my.agent:solve", ["again", "again", "given up"]),
     ("my.agent:make", ["given up"])],
)  # fmt: skip
def test_a_case_is_played_again_at_most_twice(
    agent: str, decisions: list[CrashDecision], tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """It is not played again if the agent's code ran in the worker. Each death is recorded."""
    planned = replace(CASES["PW-025"], contender=Contender(agent=agent))
    run = Run.create(tmp_path / "mine", new_manifest("mine", {}))
    crashes = CrashTracker(run, read_options(read_from(pytestconfig.option), ROOT), {"test": planned}, 1)
    assert [crashes.decide("test") for _ in decisions] == decisions
    kept = [path.read_text("utf-8") for path in (run.folder / "episodes").iterdir()]
    assert ['"kind":"worker_crash"' in text for text in kept] == [True] * len(decisions)
    assert crashes.given_up["test"].outcome == "invalid"
    run.close()


def ended_cleanly(done: Done) -> None:
    assert "INTERNALERROR" not in done.said
    assert "Traceback" not in done.said


@pytest.mark.thorough
@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_agent_that_exits_its_worker_makes_its_cases_invalid(workers: str, tmp_path: Path) -> None:
    done = run_pytest(*EXITING, *FOUR, "-n", workers, f"--reports={tmp_path}", "--run", "mine")
    ended_cleanly(done)
    assert done.code == 1, done.said[-3000:]
    assert "4 errors" in done.out
    assert "0 failed · 4 invalid" in done.out
    run = Run.open(tmp_path / "runs" / "mine")
    assert [result.trouble.kind for result in run.results() if result.trouble] == ["worker_crash"] * 4
    assert run.missing() == ()
    assert all(len(files) == 1 for files in run.attempts().values()), "the agent could remember the case"


@pytest.mark.thorough
def test_one_such_case_costs_the_others_nothing(tmp_path: Path) -> None:
    only = ("--agent-arg", "only=slippers", "--task", "pw-025", "--task", "pw-055", "--task", "pw-001")
    said = (*EXITING, *only, "-m", "raw and not appeal", "--no-shots")
    done = run_pytest(*said, "-n", "2", f"--reports={tmp_path}", "--run", "mine")
    ended_cleanly(done)
    outcomes = Counter(result.outcome for result in Run.open(tmp_path / "runs" / "mine").results())
    assert outcomes == {"invalid": 1, "failed": 2}, done.said[-3000:]


@pytest.mark.thorough  # `tests/llm/test_call_server.py` ends a worker's connection, too
def test_a_worker_that_dies_with_the_only_slot(tmp_path: Path) -> None:
    """Its call ends with it, and the worker that replaces it goes on."""
    with KillingServer(served=True) as server:
        model = ("--model", "openai/scripted-finisher", "--model-arg", f"api_base={server.url}", "--concurrency", "1")
        words = ("-m", "raw and not appeal", "--sample", "4", "--no-shots", "-n", "1", f"--reports={tmp_path}")
        done = run_new_pytest(*words, *model, "--run=died", cwd=ROOT, env=environment())
    assert done.code == 1, done.said[-3000:]
    assert server.killed
    died = Run.open(tmp_path / "runs" / "died")
    assert [result.outcome for result in died.results()] == ["failed"] * 4, done.said[-3000:]
    assert one_at_a_time(server.requests[1:])  # the first caller was killed


@pytest.mark.thorough
def test_a_run_in_which_workers_only_die_is_ended(tmp_path: Path) -> None:
    said = (*EXITING, "-m", "raw and not appeal", "--sample", "6", "--no-shots", "-q", "-n", "1")
    done = run_pytest("-p", "tests.pytest_plugin.stalling", *said, f"--reports={tmp_path}", "--run", "mine")
    ended_cleanly(done)
    assert done.code == 4, done.said[-3000:]
    assert "4 workers ended one after the other, and no case was finished in between: the run was ended" in done.out
    assert "2 planned cases were not run" in done.out
    assert len(Run.open(tmp_path / "runs" / "mine").results()) == 4


@pytest.mark.thorough
def test_a_run_that_stands_still_is_ended(tmp_path: Path) -> None:
    said = ("-m", "raw and not appeal", "--sample", "3", "--no-shots")
    env = environment(STALLING="yes")
    plugin = ("-p", "tests.pytest_plugin.stalling")
    done = run_pytest(*plugin, *said, "-n", "2", f"--reports={tmp_path}", "--run", "mine", env=env)
    ended_cleanly(done)
    assert done.code == 4, done.said[-3000:]
    assert "no worker responded for 3 seconds, and no case was running: the run was ended" in done.out
    assert "planned cases were not run" in done.out
    assert "--resume=mine" in done.out
    rest = run_pytest(*said, f"--reports={tmp_path}", "--resume", "mine")
    assert rest.code == 0, rest.said[-3000:]


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", ["loadscope", "loadfile", "loadgroup", "worksteal", "each"])
def test_another_distribution_is_refused(kind: str, tmp_path: Path) -> None:
    done = run_pytest("-n", "2", "--dist", kind, f"--reports={tmp_path}", *FOUR)
    assert done.code == 4
    assert f"--dist {kind}: cases that share a first part must stay together; remove --dist" in done.err
    assert not list(tmp_path.iterdir())
