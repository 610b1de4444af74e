"""With workers, cases that share a first part stay together, and the cost of the first part is counted once."""

from longtrail.options.plan import unit_of
from longtrail.pytest_plugin.scheduling import UnitScheduling
from longtrail.records.case import LONG
from longtrail.records.trajectory import Usage
from longtrail.report.terminal import sharing_line
from longtrail.scoring.score import score
from longtrail.tasks.cases import Conditions, plan
from longtrail.tasks.loading import load_tasks
from tests.made import ends, first_part, long_case, long_task, second_part, trajectory
from tests.pytest_plugin.test_worker_deaths import Worker

CASES = plan(load_tasks(), Conditions(lengths=(0, 25_000), relocated=True, prompts=("raw",), repeats=2))


def test_lengths_and_the_control_are_one_unit_and_repeats_are_others() -> None:
    mine = [unit_of(planned) for planned in CASES if planned.task.id == "ikea_favorites"]
    assert len(mine) == 6
    assert len(set(mine)) == 2
    assert all(unit_of(planned) == planned.case.id for planned in CASES if planned.case.suite not in LONG)


def test_the_scheduler_keeps_a_unit_together_and_everything_else_apart() -> None:
    tests = ["plain", "a-0", "b-0", "a-25k", "c"]
    scheduler = UnitScheduling(2, {"a-0": "a", "a-25k": "a", "b-0": "b"}, lambda _: "again")
    workers = [Worker("gw0", tests), Worker("gw1", tests)]
    for worker in workers:
        scheduler.add_node(worker)
    for worker in workers:
        scheduler.add_node_collection(worker, tests)
    scheduler.schedule()
    assert [worker.sent for worker in workers] == [["a-0", "a-25k"], ["plain", "b-0"]]


def test_few_tests_go_to_different_workers() -> None:
    scheduler = UnitScheduling(2, {}, lambda _: "again")
    workers = [Worker("gw0", ["a", "b"]), Worker("gw1", ["a", "b"])]
    for worker in workers:
        scheduler.add_node(worker)
        scheduler.add_node_collection(worker, ["a", "b"])
    scheduler.schedule()
    assert [worker.sent for worker in workers] == [["a"], ["b"]]
    assert all(worker.shutting_down for worker in workers)


def test_a_worker_with_other_tests_gets_none() -> None:
    scheduler = UnitScheduling(2, {}, lambda _: "again")
    one, other = Worker("gw0", ["a", "b"]), Worker("gw1", ["a"])
    for worker in (one, other):
        scheduler.add_node(worker)
        scheduler.add_node_collection(worker, worker.tests)
    assert scheduler.collection_is_completed
    scheduler.schedule()
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
