"""`--gate sequential`: repeats are played one after the other, and only while they can change the verdict."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from longtrail.gate.findings import GateReport
from longtrail.runs.baseline import Scored, Scores, scores_of, write_baseline
from longtrail.runs.checked import check_run
from longtrail.runs.store import Run
from tests.pytest_plugin.conftest import Runs
from tests.pytest_plugin.pytest_process import Done, environment, run_pytest

FOUR = ("--agent", "nothing", "--task", "pw-02[1-4]", "-m", "raw and not appeal", "--no-shots", "-q")
ENDS_IN_THE_SECOND_REPEAT = """
def pytest_runtest_logstart(nodeid):
    if "pw-023-raw-r1" in nodeid:
        raise KeyboardInterrupt
"""
WORKERS = pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["serial", "parallel"])


@pytest.fixture(scope="module")
def scores(runs: Runs) -> Scores:
    """A finished run of FOUR with three repeats, all of which failed."""
    return scores_of(runs.made("sequential-base", *FOUR, "--repeats", "3").run)


@pytest.fixture
def sequential(tmp_path: Path, scores: Scores) -> Callable[..., tuple[Done, GateReport]]:
    """Plays FOUR against a baseline in which the cases of some repeats passed."""

    def play(*args: str, passed: int = 3, plugin: str = "", run: str = "--run=mine") -> tuple[Done, GateReport]:
        baseline = scores.model_copy(update={"cases": tuple(better(case, passed) for case in scores.cases)})
        file = write_baseline(baseline, tmp_path / "base.json")
        (tmp_path / "extra_plugin.py").write_text(plugin)
        words = (*FOUR, f"--reports={tmp_path}", run, f"--baseline={file}", "--gate=sequential", *args)
        done = run_pytest(*words, "-p", "extra_plugin", env=environment(PYTHONPATH=str(tmp_path)))
        return done, GateReport.model_validate_json((tmp_path / "runs/mine/gate.json").read_bytes())

    return play


def better(scored: Scored, passed: int) -> Scored:
    """The same case, passed in the first repeats."""
    good = scored.case.repeat < passed
    update = {"outcome": "passed" if good else "failed", "values": {**scored.values, "proven": float(good)}}
    return scored.model_copy(update=update)


@pytest.mark.thorough
@WORKERS
def test_a_run_ends_when_its_verdict_is_clear(
    tmp_path: Path, sequential: Callable[..., tuple[Done, GateReport]], workers: tuple[str, ...]
) -> None:
    done, report = sequential(*workers, "--repeats=3")  # stands in evals/gate.args; --max-repeats replaces it
    assert (done.code, report.verdict) == (1, "REGRESSION"), done.said[-3000:]
    assert [(each.repeats, each.go_on) for each in report.looks] == [(1, False)]
    run = Run.open(tmp_path / "runs" / "mine")
    assert sorted(result.case.repeat for result in run.results()) == [0, 0, 0, 0]
    assert run.missing() == (), "repeats that are not needed are not missing"
    assert "0 invalid" in done.out
    assert "deselected" in done.out
    assert "--resume" not in done.out
    assert "after 1 repeat: p 0.004 for a drop" in done.out


@pytest.mark.thorough
@WORKERS
def test_it_is_continued_while_the_verdict_may_change(
    tmp_path: Path, sequential: Callable[..., tuple[Done, GateReport]], workers: tuple[str, ...]
) -> None:
    """Two of three passed before, none does now: p is 1/16 after one repeat, and 0.008 after two."""
    done, report = sequential(*workers, "--max-repeats=3", passed=2)
    assert [(each.repeats, round(each.p, 4)) for each in report.looks] == [(1, 0.0625), (2, 0.0081)]
    assert (done.code, report.verdict) == (1, "REGRESSION"), done.said[-3000:]
    run = Run.open(tmp_path / "runs" / "mine")
    assert len(run.results()) == len(run.manifest.cases) == 8
    assert check_run(run).problems() == ()


@pytest.mark.thorough
def test_an_interrupted_run_is_resumed_where_it_ended(
    tmp_path: Path, sequential: Callable[..., tuple[Done, GateReport]]
) -> None:
    done, _ = sequential("--max-repeats=3", passed=2, plugin=ENDS_IN_THE_SECOND_REPEAT)
    assert done.code == 2, done.said[-3000:]
    run = Run.open(tmp_path / "runs" / "mine")
    assert 4 < len(run.results()) < len(run.manifest.cases) == 8
    done, report = sequential("--max-repeats=3", "-n", "2", passed=2, run="--resume=mine")
    assert done.code == 1, done.said[-3000:]
    assert len(report.looks) == len(json.loads((run.folder / "looks.json").read_bytes())) == 2
    assert len(run.results()) == 8
    assert max(result.attempt for result in run.results()) == 0, "no case was played twice"
