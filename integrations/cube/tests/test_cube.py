"""CUBE's own checks, with the reference solutions; conditions, splits and an agent that stops early."""

import subprocess
import sys
from pathlib import Path

import pytest
from cube.core import Action
from longtrail_cube import debug
from longtrail_cube.benchmark import LongtrailConfig
from longtrail_cube.task import CaseConfig

from longtrail.environment.cases import SUITES
from longtrail.errors import UsageError


def test_cubes_own_checks_pass() -> None:
    """Episodes of all tasks of `debug` with the reward 1, the same first page after each reset, tools, closing."""
    cube = Path(sys.executable).with_name("cube")
    done = subprocess.run([cube, "test", "longtrail", "--ci"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("  PASS  ") == 7, done.stdout
    assert "  FAIL  " not in done.stdout, done.stdout


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
        assert (
            "click has no field `element`" in out.obs.to_markdown() or "lacks the field `id`" in out.obs.to_markdown()
        )
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
