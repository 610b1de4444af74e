"""Selection: which trajectories of a pool are irrelevant to a task (orthogonal), in an order drawn by a seed."""

import random
import re
from collections.abc import Iterable

from longtrail.checks.hosts import host_of, registrable_domain
from longtrail.clock import NOW
from longtrail.noise.pool import NoisePool, NoiseTrajectory
from longtrail.tasks.task import LongContextTask
from longtrail.text.folding import fold
from longtrail.text.matcher import matches

MAX_GOAL_OVERLAP = 0.4
"""Goals that share a larger part of their content words than this are too near to be noise."""

_WORD = re.compile(r"[^\W_]+")
_STOP = frozenset(
    _WORD.findall(
        "a an the of to in on at for from with and or by is are be this that it its as all any you your my me i we one "
        "find show open look up get go site page now then please which what there"
    )
)


def orthogonal(task: LongContextTask, pool: NoisePool) -> tuple[NoiseTrajectory, ...]:
    """The trajectories that say nothing about the task: other domain (at every step), other topic, other goal, no carry
    fact.

    Topics are compared by their words, so that noise about `concert tickets` is none for a task about `tickets`.
    """
    known, key = pool.irrelevant, task.model_dump_json()
    if key not in known:
        known[key] = _orthogonal(task, pool)
    return known[key]


def _orthogonal(task: LongContextTask, pool: NoisePool) -> tuple[NoiseTrajectory, ...]:
    domain, topics = registrable_domain(task.host), _topic_words(task.topics)
    goal = content_words(f"{task.title} {task.a1.instruction} {task.a2.instruction}")
    return tuple(
        noise
        for noise in pool.trajectories
        if domain not in _domains(noise)
        and not _topic_words(noise.topics) & topics
        and _overlap(content_words(noise.episode.instruction), goal) <= MAX_GOAL_OVERLAP
        and not _tells(task, noise.text)
    )


def shuffled(noise: Iterable[NoiseTrajectory], task_id: str, seed: int) -> list[NoiseTrajectory]:
    """In an order that depends on the task and the seed alone: a longer history begins with a shorter one's."""
    order = sorted(noise, key=lambda trajectory: trajectory.id)
    random.Random(f"noise:{task_id}:{seed}").shuffle(order)  # noqa: S311 (a seeded choice, no secret)
    return order


def _domains(noise: NoiseTrajectory) -> frozenset[str]:
    """Of its own site and of every address that it passed."""
    hosts = {noise.host, *map(host_of, noise.last_urls)} - {""}
    return frozenset(map(registrable_domain, hosts))


def content_words(text: str) -> frozenset[str]:
    """The words that say what a goal is about."""
    return frozenset(_WORD.findall(fold(text))) - _STOP


def _topic_words(topics: Iterable[str]) -> frozenset[str]:
    return frozenset(word.removesuffix("s") for topic in topics for word in content_words(topic))


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Shared part of the smaller set, 0 to 1."""
    return len(one & other) / max(1, min(len(one), len(other)))


def _tells(task: LongContextTask, text: str) -> bool:
    return any(matches(said, text, NOW) for fact in task.carry for said in fact.said)
