"""With workers, cases that share a first part stay together, workers that die are replaced, and workers hold a test of
the next repeat until it is decided whether that is played."""

from collections import Counter
from types import SimpleNamespace

import pytest

from longtrail.options.plan import unit_of
from longtrail.pytest_plugin.scheduling import CrashDecision, Repeats, UnitScheduling
from longtrail.records.case import LONG
from longtrail.records.trajectory import Usage
from longtrail.report.terminal import sharing_line
from longtrail.scoring.score import score
from longtrail.tasks.cases import Conditions, plan
from longtrail.tasks.loading import load_tasks
from tests.made import ends, first_part, long_case, long_task, second_part, trajectory


class Worker:
    """A worker as xdist's controller sees it: the tests sent to it, and whether it still accepts any."""

    def __init__(self, name: str, tests: list[str]) -> None:
        self.tests = tests
        self.gateway = SimpleNamespace(id=name)
        self.sent: list[str] = []
        self.done: list[str] = []
        self.shutting_down = self.dead = False

    def send_runtest_some(self, indices: list[int]) -> None:
        if self.dead:
            raise OSError("cannot send (already closed?)")
        self.sent += [self.tests[index] for index in indices]

    def shutdown(self) -> None:
        self.shutting_down = True


TESTS = [f"benchmark_tests/test_x.py::test[{name}]" for name in ("a-0", "a-25k", "b-0", "b-25k", "c", "d", "e")]
UNITS = dict(zip(TESTS, ("a", "a", "b", "b"), strict=False))


class Dealer:
    """The scheduler, called as xdist's session does."""

    def __init__(self, workers: int, decision: CrashDecision = "again", repeats: Repeats | None = None) -> None:
        self.scheduler = UnitScheduling(workers, UNITS, lambda _: decision, repeats)
        self.workers = [self.join() for _ in range(workers)]

    def join(self, *, collects: bool = True) -> Worker:
        worker = Worker("gw", TESTS)
        self.scheduler.add_node(worker)
        if collects:
            self.collected(worker)
        return worker

    def collected(self, worker: Worker) -> None:
        self.scheduler.add_node_collection(worker, TESTS)
        if self.scheduler.collection_is_completed:
            self.scheduler.schedule()

    def finish(self, worker: Worker, test: str) -> None:
        self.scheduler.mark_test_complete(worker, TESTS.index(test))


def plays_all(dealer: Dealer, worker: Worker) -> list[str]:
    """Let the worker finish its tests; returns them. As in xdist, the last one waits for another or the shutdown."""
    before = len(worker.done)
    while len(worker.done) + (not worker.shutting_down) < len(worker.sent):
        worker.done.append(worker.sent[len(worker.done)])
        dealer.finish(worker, worker.done[-1])
    return worker.done[before:]


@pytest.mark.parametrize("finished", range(len(TESTS) + 1))
def test_the_only_worker_is_replaced_whenever_it_dies(finished: int) -> None:
    dealer = Dealer(1)
    (first,) = dealer.workers
    for n in range(finished):
        dealer.finish(first, first.sent[n])
    assert dealer.scheduler.remove_node(first) is None
    second = dealer.join()
    assert first.sent[:finished] + plays_all(dealer, second) == TESTS
    assert second.shutting_down
    assert dealer.scheduler.tests_finished


@pytest.mark.parametrize("late", [False, True], ids=["at the start", "near the end"])
def test_both_workers_die_at_once(late: bool) -> None:
    """One death is reported while the other worker is already dead, the second while a new worker still collects."""
    dealer = Dealer(2)
    one, two = dealer.workers
    done = plays_all(dealer, one) if late else []
    one.dead = two.dead = True
    assert dealer.scheduler.remove_node(one) is None
    three = dealer.join(collects=False)
    assert dealer.scheduler.remove_node(two) is None
    four = dealer.join(collects=False)
    dealer.collected(four)
    dealer.collected(three)
    played = Counter([*done, *plays_all(dealer, four), *plays_all(dealer, three), *plays_all(dealer, four)])
    assert played == Counter(TESTS)
    assert dealer.scheduler.tests_finished


def test_what_is_given_up_is_told_and_not_dealt_out_again() -> None:
    dealer = Dealer(1, decision="given up")
    (first,) = dealer.workers
    assert dealer.scheduler.remove_node(first) == TESTS[0]
    assert plays_all(dealer, dealer.join()) == TESTS[1:]


def test_a_worker_that_dies_idle_takes_nothing_with_it() -> None:
    dealer = Dealer(2)
    one, two = dealer.workers
    done = [*plays_all(dealer, one), *plays_all(dealer, two), *plays_all(dealer, one)]
    assert sorted(done) == sorted(TESTS)
    assert dealer.scheduler.remove_node(one) is None
    assert dealer.scheduler.remove_node(two) is None
    assert dealer.scheduler.tests_finished


CASES = plan(load_tasks(), Conditions(lengths=(0, 25_000), relocated=True, prompts=("raw",), repeats=2))


def test_lengths_and_the_control_are_one_unit_and_repeats_are_others() -> None:
    mine = [unit_of(planned) for planned in CASES if planned.task.id == "ikea_favorites"]
    assert len(mine) == 6
    assert len(set(mine)) == 2
    assert all(unit_of(planned) == planned.case.id for planned in CASES if planned.case.suite not in LONG)


def scheduled(units: dict[str, str], *collected: list[str]) -> list[Worker]:
    """Workers, each of which has collected these tests, after the scheduler's first round."""
    scheduler = UnitScheduling(len(collected), units, lambda _: "again")
    workers = [Worker("gw", tests) for tests in collected]
    for worker in workers:
        scheduler.add_node(worker)
    for worker in workers:
        scheduler.add_node_collection(worker, worker.tests)
    assert scheduler.collection_is_completed
    scheduler.schedule()
    return workers


def test_the_scheduler_keeps_a_unit_together_and_everything_else_apart() -> None:
    tests = ["plain", "a-0", "b-0", "a-25k", "c"]
    workers = scheduled({"a-0": "a", "a-25k": "a", "b-0": "b"}, tests, tests)
    assert [worker.sent for worker in workers] == [["a-0", "a-25k"], ["plain", "b-0"]]


def test_few_tests_go_to_different_workers_and_none_to_one_with_other_tests() -> None:
    workers = scheduled({}, ["a", "b"], ["a", "b"])
    assert [worker.sent for worker in workers] == [["a"], ["b"]]
    assert all(worker.shutting_down for worker in workers)
    one, other = scheduled({}, ["a", "b"], ["a"])
    assert one.sent == ["a", "b"]
    assert other.shutting_down


def test_a_shared_first_part_is_counted_once() -> None:
    spent = Usage(calls=1, prompt_tokens=1000, completion_tokens=50, usd=0.5)
    steps = tuple(step.model_copy(update={"usage": spent}) for step in (*first_part(), *second_part()))
    firsts = sum(step.phase == "a1" for step in steps)
    own = score(long_task(), trajectory(steps, long_case(), ends=ends()))
    shares = score(long_task(), trajectory(steps, long_case(), ends=ends(), first_part_of="long-0-r0.a0"))
    assert own.usage.usd == 0.5 * len(steps)
    assert own.saved == Usage()
    assert shares.usage.usd == 0.5 * (len(steps) - firsts)
    assert shares.saved.usd == 0.5 * firsts
    assert own.metrics == shares.metrics
    assert sharing_line([own]) == ""
    line = sharing_line([own, shares, shares])
    assert line.startswith("first parts: 1 played and shared by 2 more cases")
    assert line.endswith("saved")


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
