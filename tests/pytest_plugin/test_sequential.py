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
from tests.pytest_plugin.test_worker_deaths import TESTS, UNITS, Dealer, Worker, plays_all

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
    run, _ = runs.get("sequential-base", *FOUR, "--repeats", "3")
    return scores_of(run)


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


class TwoRepeats:
    """The first repeat has the tests of units a and b, the second those of c, d and e."""

    tests = dict.fromkeys(TESTS)

    def __init__(self, *, needed: bool) -> None:
        self.needed, self.looks = needed, 0
        self.opened = frozenset(TESTS[:4])

    def next_repeat(self) -> list[str]:
        """Called when those of the first have ended."""
        self.looks += 1
        return TESTS[4:] if self.needed and self.looks == 1 else []


def real(worker: Worker) -> list[str]:
    """The tests of the first repeat that a worker was sent."""
    return [test for test in worker.sent if test in TESTS[:4]]


@pytest.mark.parametrize("needed", [True, False])
def test_workers_hold_a_test_of_the_next_repeat_until_it_is_decided(needed: bool) -> None:
    repeats = TwoRepeats(needed=needed)
    dealer = Dealer(2, repeats=repeats)
    one, two = dealer.workers
    plays_all(dealer, one)
    assert (repeats.looks, one.done) == (0, real(one))
    assert one.sent[-1] in TESTS[4:]
    assert not dealer.scheduler.tests_finished
    plays_all(dealer, two)
    assert repeats.looks == 1
    plays_all(dealer, one)
    assert one.shutting_down
    assert two.shutting_down
    plays_all(dealer, two)
    plays_all(dealer, one)
    played = {test for worker in (one, two) for test in worker.done}
    assert played == set(TESTS) if needed else len(played) == 6
    assert dealer.scheduler.tests_finished
    assert not dealer.scheduler.has_pending


def test_a_worker_dies_while_another_holds_a_test_of_the_next_repeat() -> None:
    """The held test is begun before the decision, so it is skipped; afterwards it is played."""
    repeats = TwoRepeats(needed=True)
    dealer = Dealer(2, repeats=repeats)
    one, two = dealer.workers
    plays_all(dealer, one)
    (held,) = [test for test in one.sent if test in TESTS[4:]]
    assert dealer.scheduler.remove_node(two) is None
    done = plays_all(dealer, one)
    assert repeats.looks == 1
    assert done.index(held) < done.index(real(two)[0]), "it had to go before the tests of the worker that died"
    assert one.sent.count(held) == 2
    assert set(one.done) == set(TESTS)
    assert dealer.scheduler.tests_finished


def test_units_of_the_next_repeat_stay_together() -> None:
    repeats = TwoRepeats(needed=True)
    repeats.opened = frozenset(TESTS[4:])
    dealer = Dealer(2, repeats=repeats)
    repeats.next_repeat = lambda: TESTS[:4] if not repeats.looks else []  # type: ignore[method-assign]
    one, two = dealer.workers
    plays_all(dealer, one)
    plays_all(dealer, two)
    repeats.looks = 1
    for unit in ("a", "b"):
        tests = {test for test, name in UNITS.items() if name == unit}
        assert any(tests <= set(worker.sent) for worker in (one, two))
