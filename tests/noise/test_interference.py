"""Interference: who may ask for it, and what a history then has. The lookalikes are played in workshop/tests."""

import pytest

from longtrail.errors import UsageError
from longtrail.noise.injection import inject
from longtrail.noise.pool import lookalikes, shipped_pool
from longtrail.options.run_options import Options
from longtrail.pytest_plugin.preflight import check_interference
from longtrail.records.memory import MemoryStep, PastTask
from longtrail.tasks.cases import Conditions, plan
from longtrail.tasks.interference import with_interference
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import LongContextTask

TASKS = {name: task for name, task in load_tasks().items() if isinstance(task, LongContextTask)}


def test_a_task_without_lookalikes_and_a_variant_are_refused() -> None:
    task = TASKS["megabus_meet_in_new_york"]
    with pytest.raises(UsageError, match="--interference: mine has no lookalikes"):
        with_interference(task.model_copy(update={"id": "mine"}))
    cases = plan({task.id: task}, Conditions(lengths=(0,), interference="high"))
    options = Options.model_construct(interference="high", variant=3)
    with pytest.raises(UsageError, match="--interference: its entries belong to the shipped tasks; remove --variant"):
        check_interference(options, cases)


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
