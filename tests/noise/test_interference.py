"""Interference: whoever takes a lookalike for the first part ends the second part wrongly."""

from typing import Any

import pytest

from longtrail.browser.session import Browser
from longtrail.noise.pool import lookalikes
from longtrail.tasks.interference import Lookalike, load_interference
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import LongContextTask
from longtrail.web.sealed import SealedWeb
from tests.paths.played import TaskWay, Way, record
from longtrail.scoring.score import score

TASKS = {name: task for name, task in load_tasks().items() if isinstance(task, LongContextTask)}


def cases() -> list[Any]:
    found = []
    for name, entry in load_interference().items():
        for number, lookalike in enumerate(entry.lookalikes):
            found.append(pytest.param(TASKS[name], lookalike, id=f"{name}-{number}", marks=pytest.mark.sampled(60, ci=30)))
    return found


@pytest.mark.parametrize(("task", "lookalike"), cases())
def test_every_lookalike_leads_to_a_failing_end(
    task: LongContextTask, lookalike: Lookalike, embedded_web: SealedWeb, shared_browser: Browser
) -> None:
    steps = lookalike.second if lookalike.second[-1].finish is None else lookalike.second[:-1]
    way = Way(way="takes a lookalike for the first part", part="a2", right=False, steps=steps)
    trajectory = record(TaskWay(task, way), embedded_web, shared_browser)
    end = trajectory.end("a2")
    assert end is not None
    assert end.reason == "finish"
    assert trajectory.phase("a2")[-1].action.answer == "Done.", trajectory.phase("a2")[-1].thought
    assert not score(task, trajectory).metrics["success_a2"].value
