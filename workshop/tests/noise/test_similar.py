"""Similar noise of all tasks: on the task's own site, and never mistakable for its first part."""

from functools import cache

import pytest

from longtrail.checks.hosts import registrable_domain
from longtrail.checks.route_steps import UrlStep
from longtrail.clock import NOW
from longtrail.noise.pool import NoisePool, load_pool
from longtrail.noise.selection import SITE, similar, traits
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import LongContextTask
from longtrail.text.matcher import matches

TASKS = [task for task in load_tasks().values() if isinstance(task, LongContextTask)]
LEAST = 1
"""Minimum number of similar trajectories of any task."""
USUAL = 4
"""Minimum number of similar trajectories of most tasks."""


@cache
def pool() -> NoisePool:
    return load_pool()


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_the_answer_stays_unambiguous(task: LongContextTask) -> None:
    """No trajectory visits all annotated addresses of a part, and nobody says a carried fact other than the site."""
    similar_noise = similar(task, pool())
    assert len(similar_noise) >= LEAST
    for noise in similar_noise:
        assert registrable_domain(noise.host) == registrable_domain(task.host)
        facts_told = [fact.id for fact in task.carry for said in fact.said if matches(said, noise.said, NOW)]
        assert set(facts_told) <= {SITE}
        for part in (task.a1, task.a2):
            keys = [key for key in part.route if isinstance(key, UrlStep) and not key.proved_by]
            passed = [key for key in keys if any(key.fits(step.url) for step in noise.episode.steps)]
            assert not keys or passed != keys, noise.id


def test_most_tasks_have_several() -> None:
    enough = [task for task in TASKS if len(similar(task, pool())) >= USUAL]
    assert len(enough) >= 0.7 * len(TASKS)


def test_every_id_with_traits_is_an_entry_or_a_task() -> None:
    assert traits().keys() <= {*(noise.id for noise in pool().trajectories), *(task.id for task in TASKS)}
