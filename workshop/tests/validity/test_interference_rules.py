"""Rules on interference: the shipped tasks keep them, and a lookalike that leads to nothing wrong is found."""

import pytest

from tests.noise.test_selection import TASKS
from workshop.noise.lookalikes import load_lookalikes
from workshop.validity.interference_rules import interference_is_fair, lookalike_faults


def test_a_lookalike_that_tells_nothing_wrong_is_found() -> None:
    task = TASKS["megabus_meet_in_new_york"]
    alike = load_lookalikes()[task.id][0]
    assert not [*lookalike_faults(task, alike)]
    right = alike.model_copy(update={"second": task.a2.reference})
    assert [*lookalike_faults(task, right)] == ["second: does what is right"]
    short = alike.model_copy(update={"second": alike.second[:1]})
    assert [*lookalike_faults(task, short)] == [
        "second: expected its last move to be of the same kind as that of the task's reference"
    ]


@pytest.mark.thorough
def test_all_tasks_keep_the_rules_with_interference() -> None:
    assert [finding for task in TASKS.values() for finding in interference_is_fair(task)] == []
