"""Interference: whoever takes a lookalike for the first part ends the second part wrongly."""

from typing import Any

import pytest

from longtrail.browser.session import Browser
from longtrail.errors import UsageError
from longtrail.noise.injection import inject
from longtrail.noise.pool import lookalikes, shipped_pool
from longtrail.options.run_options import Options
from longtrail.pytest_plugin.preflight import check_interference
from longtrail.records.memory import MemoryStep, PastTask
from longtrail.tasks.cases import Conditions, plan
from longtrail.tasks.interference import Lookalike, load_interference, with_interference
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import LongContextTask
from longtrail.web.sealed import SealedWeb
from tests.paths.played import TaskWay, Way, play

TASKS = {name: task for name, task in load_tasks().items() if isinstance(task, LongContextTask)}


def cases() -> list[Any]:
    return [
        pytest.param(TASKS[name], alike, id=f"{name}-{number}", marks=pytest.mark.sampled(60, ci=30))
        for name, entry in load_interference().items()
        for number, alike in enumerate(entry.lookalikes)
    ]


@pytest.mark.parametrize(("task", "alike"), cases())
def test_every_lookalike_leads_to_a_failing_end(
    task: LongContextTask, alike: Lookalike, embedded_web: SealedWeb, shared_browser: Browser
) -> None:
    """`play` itself asserts that every move could be made and that the part was ended."""
    steps = tuple(step for step in alike.second if step.finish is None)
    way = Way(way="takes a lookalike for the first part", part="a2", right=False, steps=steps)
    assert not play(TaskWay(task, way), embedded_web, shared_browser).metrics["success_a2"].value


def test_a_task_without_lookalikes_and_a_variant_are_refused() -> None:
    task = TASKS["megabus_meet_in_new_york"]
    with pytest.raises(UsageError, match="--interference: mine has no lookalikes"):
        with_interference(task.model_copy(update={"id": "mine"}))
    cases = plan({task.id: task}, Conditions(lengths=(0,), interference="high"))
    options = Options.model_construct(interference="high", variant=3)
    with pytest.raises(UsageError, match="--interference: its entries belong to the shipped tasks; remove --variant"):
        check_interference(options, cases)


def test_every_task_has_its_recorded_lookalikes() -> None:
    assert load_interference().keys() == TASKS.keys()
    for name, entry in load_interference().items():
        recorded = lookalikes(name)
        assert [each.episode.instruction for each in recorded] == [each.instruction for each in entry.lookalikes]


def test_a_history_has_all_of_them_and_ends_elsewhere() -> None:
    task = TASKS["megabus_meet_in_new_york"]
    alike = lookalikes(task.id)
    first = PastTask(instruction="Ours", steps=(MemoryStep(url=task.start, thought="", action="finish"),))
    injected = inject(task, first, shipped_pool, 25_000, 0, alike=alike)
    assert set(injected.history.lookalikes) == {each.id for each in alike}
    assert abs(injected.history.tokens - 25_000) <= 250
    assert not any("#" in name for name in injected.history.injected), "no entry is cut"
    assert injected.history.last_url == injected.episodes[-1].steps[-1].url
    assert task.host not in injected.history.last_url
