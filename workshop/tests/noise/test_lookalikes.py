"""Lookalikes: whoever takes one for the first part ends the second part wrongly."""

from typing import Any

import pytest

from longtrail.browser.session import Browser
from longtrail.noise.pool import lookalikes
from longtrail.tasks.interference import load_interference
from longtrail.tasks.task import LongContextTask
from longtrail.web.sealed import SealedWeb
from tests.noise.test_selection import TASKS
from tests.paths.played import TaskWay, Way, play
from workshop.noise.lookalikes import Lookalike, load_lookalikes


def cases() -> list[Any]:
    return [
        pytest.param(TASKS[name], alike, id=f"{name}-{number}", marks=pytest.mark.sampled(90))
        for name, all_alike in load_lookalikes().items()
        for number, alike in enumerate(all_alike)
    ]


@pytest.mark.parametrize(("task", "alike"), cases())
def test_every_lookalike_leads_to_a_failing_end(
    task: LongContextTask, alike: Lookalike, embedded_web: SealedWeb, shared_browser: Browser
) -> None:
    """`play` itself asserts that every move could be made and that the part was ended."""
    steps = tuple(step for step in alike.second if step.finish is None)
    way = Way(way="takes a lookalike for the first part", part="a2", right=False, steps=steps)
    assert not play(TaskWay(task, way), embedded_web, shared_browser).metrics["success_a2"].value


def test_every_task_has_its_recorded_lookalikes() -> None:
    assert load_interference().keys() == TASKS.keys()
    for name, written in load_lookalikes().items():
        recorded = lookalikes(name)
        assert [each.episode.instruction for each in recorded] == [each.instruction for each in written]
