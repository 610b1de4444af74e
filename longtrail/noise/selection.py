"""Which trajectories of a pool can be noise for a task: those irrelevant to it (orthogonal), and those on its own site
that can't be confused with its first part (similar). A history is one person's: `data/noise/people.yaml` says what
the entries tell about whoever asks."""

import random
import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from longtrail.checks.hosts import host_of, registrable_domain
from longtrail.checks.route_steps import UrlStep
from longtrail.clock import NOW
from longtrail.noise.pool import NoisePool, NoiseTrajectory
from longtrail.paths import NOISE
from longtrail.records.record import Record
from longtrail.tasks.task import DecisionTask, LongContextTask
from longtrail.text.folding import fold
from longtrail.text.matcher import Alternative, matches
from longtrail.yaml_file import read

MAX_GOAL_OVERLAP = 0.4
"""Goals that share more than this fraction of their content words are too similar."""

SITE = "site"
"""Id of the carried fact that names the task's site."""

_LEAVES = re.compile(r'click button "(?:Add|Save|Follow|Like|Track|Bookmark|Reserve|Book|Send)\b')
"""Actions that leave something on the site, such as a saved item or a cart."""
_WORD = re.compile(r"[^\W_]+")
_STOP = frozenset(
    _WORD.findall(
        "a an the of to in on at for from with and or by is are be this that it its as all any you your my me i we one "
        "find show open look up get go site page now then please which what there"
    )
)


class Subject(Record):
    """What noise for a task must not contain."""

    host: str
    topics: tuple[str, ...]
    goal: str
    carried: tuple[Alternative, ...]
    """The information that only the task itself may give."""


def subject(task: LongContextTask | DecisionTask) -> Subject:
    """The subject of a task. Only long-context tasks have carried facts: a decision task's evidence counts on its own
    pages only, so noise can't reveal it."""
    if isinstance(task, LongContextTask):
        return Subject(
            host=task.host,
            topics=task.topics,
            goal=f"{task.title} {task.a1.instruction} {task.a2.instruction}",
            carried=tuple(alternative for fact in task.carry for alternative in fact.said),
        )
    return Subject(host=host_of(task.start), topics=(task.category.replace("_", " "),), goal=task.trigger, carried=())


def orthogonal(task: LongContextTask | DecisionTask, pool: NoisePool) -> tuple[NoiseTrajectory, ...]:
    """The trajectories irrelevant to the task: another domain (at every step), another topic, another goal, and no
    information that only the task may give.

    Topics are compared word by word, so `concert tickets` is not noise for a task about `tickets`.
    """
    return _orthogonal(subject(task), pool)


@lru_cache(maxsize=1_000)  # it takes up to a second, and a task has many lengths
def _orthogonal(about: Subject, pool: NoisePool) -> tuple[NoiseTrajectory, ...]:
    domain, topics = registrable_domain(about.host), _topic_words(about.topics)
    goal = content_words(about.goal)
    return tuple(
        noise
        for noise in pool.trajectories
        if domain not in _domains(noise)
        and not _topic_words(noise.topics) & topics
        and _overlap(content_words(noise.episode.instruction), goal) <= MAX_GOAL_OVERLAP
        and not _tells(about.carried, noise.said)
    )


def similar(task: LongContextTask, pool: NoisePool) -> tuple[NoiseTrajectory, ...]:
    """The trajectories on the task's own site that can't be confused with its first part: nobody says a carried fact
    except the site in them, and don't open all addresses that its key steps ask for. None has saved or sent anything:
    the site does not have it, since noise is not played there."""
    domain = registrable_domain(task.host)
    statements = tuple(statement for fact in task.carry if fact.id != SITE for statement in fact.said)
    return tuple(
        noise
        for noise in pool.trajectories
        if domain in _domains(noise)
        and not leaves_traces(noise)
        and not _tells(statements, noise.said)
        and not passes(task, noise)
    )


def same_desk(task: DecisionTask, tickets: Iterable[NoiseTrajectory]) -> tuple[NoiseTrajectory, ...]:
    """The tickets of the task's own desk that are about another case and show none of its facts."""
    shown = tuple(form for fact in task.investigation_facts for form in fact.shown)
    own = {f"ticket_{task.id}", f"ticket_{task.twin}"}
    return tuple(
        ticket
        for ticket in tickets
        if ticket.host == host_of(task.start) and ticket.id not in own and not _tells(shown, ticket.text)
    )


def leaves_traces(noise: NoiseTrajectory) -> bool:
    """Whether it saved, added or sent something on its site."""
    return any(_LEAVES.search(step.action) for step in noise.episode.steps)


def passes(task: LongContextTask, noise: NoiseTrajectory) -> bool:
    """Whether a trajectory opened all addresses that the key steps of some part of the task ask for."""
    return any(
        bool(keys := [key for key in part.route if isinstance(key, UrlStep) and not key.proved_by])
        and all(any(key.fits(url) for url in noise.last_urls) for key in keys)
        for part in (task.a1, task.a2)
    )


def shuffled(noise: Iterable[NoiseTrajectory], task_id: str, seed: int) -> list[NoiseTrajectory]:
    """Shuffle in an order that depends only on the task and the seed: a longer history starts with the shorter one."""
    order = sorted(noise, key=lambda trajectory: trajectory.id)
    random.Random(f"noise:{task_id}:{seed}").shuffle(order)  # noqa: S311 (a seeded choice, no secret)
    return order


def _domains(noise: NoiseTrajectory) -> frozenset[str]:
    """The domains of its own site and of every address that it opened."""
    hosts = {noise.host, *map(host_of, noise.last_urls)} - {""}
    return frozenset(map(registrable_domain, hosts))


def content_words(text: str) -> frozenset[str]:
    """A goal's content words."""
    return frozenset(_WORD.findall(fold(text))) - _STOP


def _topic_words(topics: Iterable[str]) -> frozenset[str]:
    return frozenset(word.removesuffix("s") for topic in topics for word in content_words(topic))


def _overlap(words: frozenset[str], others: frozenset[str]) -> float:
    """Fraction of the smaller set that both share, 0 to 1."""
    return len(words & others) / max(1, min(len(words), len(others)))


def _tells(statements: Iterable[Alternative], text: str) -> bool:
    return any(matches(statement, text, NOW) for statement in statements)


PEOPLE = NOISE / "people.yaml"


@cache
def traits() -> Mapping[str, Mapping[str, str]]:
    """Id of an entry or a task -> trait -> its value. With different values of a trait they are not one person's."""
    told: dict[str, dict[str, str]] = {}
    for trait, values in read(dict[str, dict[str, list[str]] | list[list[str]]], PEOPLE).items():
        if isinstance(values, dict):
            rows = [(trait, value, entry) for value, entries in values.items() for entry in entries]
        else:
            rows = [(f"{trait} {number}", entry, entry) for number, group in enumerate(values) for entry in group]
        for name, value, entry in rows:
            told.setdefault(entry, {})[name] = value
    return told


def one_person(
    order: Iterable[NoiseTrajectory], task_id: str = ""
) -> tuple[list[NoiseTrajectory], list[NoiseTrajectory]]:
    """The entries that one person can have asked for, as told by the task and by the first ones in this order; and the
    others."""
    person = dict(traits().get(task_id, {}))
    own: list[NoiseTrajectory] = []
    others: list[NoiseTrajectory] = []
    for noise in order:
        told = traits().get(noise.uncut_id, {})
        fits = all(person.get(trait, value) == value for trait, value in told.items())
        (own if fits else others).append(noise)
        person |= told if fits else {}
    return own, others
