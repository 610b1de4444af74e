"""With workers, cases that share a first part stay together, and the cost of the first part is counted once."""

from types import SimpleNamespace

from longtrail.pytest_plugin.scheduling import FirstPartsTogether
from longtrail.pytest_plugin.units import units
from longtrail.records.case import LONG
from longtrail.records.trajectory import Usage
from longtrail.report.terminal import sharing_line
from longtrail.scoring.score import score
from longtrail.tasks.cases import Conditions, plan
from longtrail.tasks.loading import load_tasks
from tests.made import ends, first_part, long_case, long_task, second_part, trajectory

CASES = plan(load_tasks(), Conditions(lengths=(0, 25_000), relocated=True, prompts=("raw",), repeats=2))


def test_lengths_and_the_control_are_one_unit_and_repeats_are_others() -> None:
    found = units(CASES)
    mine = {name: unit for name, unit in found.items() if name.startswith("ikea_favorites")}
    assert len(mine) == 6
    assert len(set(mine.values())) == 2
    assert all(planned.case.suite in LONG for planned in CASES if planned.case.id in found)


def test_the_scheduler_keeps_a_unit_together_and_everything_else_apart() -> None:
    config = SimpleNamespace(getvalue=lambda name: ["2*popen"], option=SimpleNamespace(tx=["2*popen"]))
    scheduler = FirstPartsTogether(config, None, {"a-0-r0": "a", "a-25k-r0": "a"}, lambda _: "again")
    test = "benchmark_tests/test_long_context.py::test_key_steps[{}]"
    assert scheduler._split_scope(test.format("a-0-r0")) == scheduler._split_scope(test.format("a-25k-r0")) == "a"
    assert scheduler._split_scope(test.format("b-0-r0")) == test.format("b-0-r0")
    assert scheduler._split_scope("tests/test_x.py::test_plain") == "tests/test_x.py::test_plain"


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
