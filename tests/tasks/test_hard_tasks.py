"""The hard tier's tasks: selected separately from the paper's, and refused in one line if they are incomplete."""

from typing import Any

import pytest

from longtrail.errors import DataError
from longtrail.paths import TASKS
from longtrail.records.case import HARD, PATHWAYS
from longtrail.tasks.cases import Conditions, plan
from longtrail.tasks.loading import crossed_selection, load_tasks
from longtrail.tasks.task import TASK, DecisionTask, decision_step_limit
from longtrail.yaml_file import validate
from tests.tasks.examples import decision

ALL = load_tasks()
TIER = {name: task for name, task in ALL.items() if task.suite in HARD}
FIVE = ["one", "two", "three", "four", "five"]


def hard(**changes: Any) -> dict[str, Any]:
    """A complete entry of the hard tier."""
    return decision(**{"suite": "hard_shop", "step_limit": 50, "appeal": {"deceptive": FIVE, "valid": FIVE}} | changes)


def test_no_selection_of_the_paper_has_a_hard_task() -> None:
    for planned in plan(ALL, Conditions(lengths=(0,), relocated=False)):
        paper = planned.task.suite in PATHWAYS
        assert ("pathways" in planned.markers) == paper
        assert ("hard_tier" in planned.markers) == (planned.task.suite in HARD)
    assert not crossed_selection() & TIER.keys()
    counted = [sum(task.suite == suite for task in ALL.values()) for suite in ("shopping_admin", "reddit")]
    assert counted == [100, 150]


def test_a_hard_task_has_its_own_limit_under_every_profile() -> None:
    task = TASK.validate_python(hard())
    assert isinstance(task, DecisionTask)
    assert {decision_step_limit(task, profile) for profile in ("default", "pathways")} == {50}


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (hard(step_limit=None), "step_limit: expected a number from 40 to 60"),
        (hard(step_limit=39), "step_limit"),
        (hard(appeal={"deceptive": FIVE[:4], "valid": FIVE}), "appeal: expected 5 turns of each kind"),
        (decision(step_limit=50), "step_limit: only tasks of the suites hard_shop and hard_forum may have it"),
        (
            decision(planted=[{"by": "A", "where": ["order:1"], "words": "B", "asks": {"decision": "APPROVE"}}]),
            "planted: only tasks of the suites",
        ),
        (hard(planted=[{"by": "A", "where": ["order:1"], "words": "B", "asks": {}}]), "a decision or a change"),
        (hard(events={"expires": {"after_requests": 0}}), "events.expires.after_requests"),
        (hard(events={"replies": [{"to": {"site": "shopadmin", "table": "x"}, "adds": []}]}), "events.replies.0.adds"),
    ],
)
def test_an_incomplete_entry_is_refused_in_one_line(entry: dict[str, Any], told: str) -> None:
    with pytest.raises(DataError) as refused:
        validate(TASK, entry, TASKS / "own.yaml", "TINY-1")
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)
