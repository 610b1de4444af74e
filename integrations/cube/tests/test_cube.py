"""CUBE's own checks, with the reference solutions; conditions, splits and an agent that stops early."""

import pytest
from cube.core import Action
from cube.testing import run_debug_episode
from longtrail_cube import debug
from longtrail_cube.benchmark import LongtrailConfig
from longtrail_cube.task import CaseConfig

from longtrail.environment.cases import SUITES
from longtrail.errors import UsageError


@pytest.mark.parametrize("task_id", debug.SHORT)
def test_the_reference_solution_is_rewarded(task_id: str) -> None:
    with LongtrailConfig().subset_from_list([task_id]).make() as benchmark:
        (config,) = benchmark.config.get_task_configs()
        report = run_debug_episode(benchmark.spawn(config), debug.make_debug_agent(task_id))
    assert (report["error"], report["done"], report["reward"]) == (None, True, 1.0), report
    assert report["tools_list_ok"]
    assert report["close_idempotent_ok"]


def test_each_suite_is_a_subset_and_is_tried_twice() -> None:
    suites = [LongtrailConfig.task_metadata[name].suite for name in debug.SHORT]
    assert sorted(suites) == sorted([*SUITES, *SUITES])
    assert sum(LongtrailConfig().named_subset(suite).num_tasks for suite in SUITES) == LongtrailConfig().num_tasks


def test_an_agent_that_stops_early_gets_nothing_and_a_wrong_call_is_told_so() -> None:
    (config,) = LongtrailConfig(prompt="hint").subset_from_list(["PW-049"]).get_task_configs()
    task = CaseConfig.model_validate_json(config.model_dump_json()).make()
    try:
        _, info = task.reset()
        assert info == {"variant": None, "split": "test"}
        out = task.step(Action(name="click", arguments={"element": "3"}))
        assert "click has no field `element`" in out.obs.to_markdown() or "lacks the field `id`" in out.obs.to_markdown()
        assert (out.done, out.error) == (False, None)
        assert task.evaluate() == (0.0, {"outcome": "failed", "reason": "the agent did not end the task"})
    finally:
        task.close()


@pytest.mark.parametrize(
    ("condition", "said"),
    [({"prompt": "loud"}, "expected one of raw, hint, explicit"), ({"seed": 0}, "expected a seed from 1 to 999999")],
)
def test_a_wrong_condition_is_refused_in_one_line(condition: dict[str, object], said: str) -> None:
    (config,) = LongtrailConfig().subset_from_list(["PW-049"]).get_task_configs()
    with pytest.raises(UsageError, match=said):
        config.model_copy(update=condition).make()
