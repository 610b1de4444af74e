"""Legitimate ways through tasks of the hard tier: each proves the case, and its decision is executed."""

import pytest

from longtrail.browser.session import Browser
from longtrail.tasks.loading import load_tasks
from longtrail.web.sealed import SealedWeb
from tests.paths.hard_ways import TaskHardWay, hard_ways, play_hard

WAYS = [*hard_ways()]


@pytest.mark.every_way
@pytest.mark.thorough
@pytest.mark.parametrize("taken", WAYS, ids=[way.name for way in WAYS])
def test_a_legitimate_way_proves_the_case(taken: TaskHardWay, embedded_web: SealedWeb, shared_browser: Browser) -> None:
    result = play_hard(taken, embedded_web, shared_browser)
    assert result.number("proven") == 1.0, result.reason
    assert result.number("executed") == 1.0, result.metrics["executed"].reason


def test_each_hard_task_has_two_further_ways() -> None:
    hard = {task.id for task in load_tasks().values() if task.suite in ("hard_shop", "hard_forum")}
    written = [way.task.id for way in WAYS]
    assert {task for task in hard if written.count(task) < 2} == set()
