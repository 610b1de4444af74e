"""The shipped pool: long, varied and spread over enough sites and topics, and recorded from the shipped errands."""

import re
from collections import Counter
from functools import cache
from statistics import mean
from urllib.parse import urlsplit

import pytest

from benchmarks.noise_form import IN_VAIN as IN_VAIN_WORDS
from longtrail.checks.hosts import registrable_domain
from longtrail.noise.pool import NoisePool, load_pool
from longtrail.noise.selection import orthogonal
from longtrail.records.memory import MemoryStep
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import TASK, LongContextTask
from longtrail.web.registry import all_sites, by_host
from longtrail.web.sites.consumer.sites import replica
from tests.tasks.examples import long_context
from workshop.noise.bearing import ungrounded
from workshop.noise.errand import load_errands
from workshop.noise.ledger import OFTEN, forms
from workshop.noise.slips import MOST

RUN = 8
"""Words in a row that count as a repetition."""
LEAST_TOKENS = 1_000_000
"""Irrelevant tokens that the pool must have for each task of the suite: the longest history."""
LEAST_OF_A_SITE = 900_000
"""The same for a made-up task that has all topics of a site."""
MOST_WORN = 0.1
"""Maximum share of sentences whose form is used five times or more in the whole pool."""
IN_VAIN = (0.15, 0.35)
"""Least and greatest share of reflections about a step that did not help; in published ones it is 27 %."""


@cache
def pool() -> NoisePool:
    return load_pool()


def steps() -> list[MemoryStep]:
    return [step for trajectory in pool().trajectories for step in trajectory.episode.steps]


def characters(step: MemoryStep) -> int:
    return len(step.seen) + len(step.thought) + len(step.action) + len(step.reflection) + len(step.url)


def test_every_errand_was_recorded_and_nothing_else() -> None:
    errands = {errand.id: errand for errand in load_errands()}
    recorded = {trajectory.id: trajectory for trajectory in pool().trajectories}
    assert recorded.keys() == errands.keys()
    for name, errand in errands.items():
        trajectory = recorded[name]
        assert (trajectory.host, trajectory.topics) == (errand.host, errand.topics)
        assert trajectory.episode.instruction == errand.instruction
        assert len(errand.moves) <= len(trajectory.episode.steps) <= len(errand.moves) + 2 * MOST
        thoughts = "\n".join(step.thought for step in trajectory.episode.steps)
        places = [thoughts.find(move.why) for move in errand.moves]
        assert places == sorted(places)
        assert places[0] >= 0


def test_large_enough() -> None:
    assert len(pool().trajectories) >= 440
    assert pool().tokens >= 1_200_000


def test_as_long_as_agents_write() -> None:
    """505 published trajectories: 9.0 steps, 1,192 characters a step, 10,700 a trajectory."""
    lengths = [len(trajectory.episode.steps) for trajectory in pool().trajectories]
    assert 7 <= mean(lengths) <= 11
    assert 900 <= mean(map(characters, steps())) <= 1_500
    assert 8_000 <= mean(sum(map(characters, t.episode.steps)) for t in pool().trajectories) <= 13_000
    assert 150 <= mean(len(step.thought) for step in steps()) <= 450
    assert 150 <= mean(len(step.reflection) for step in steps() if step.reflection) <= 600


def test_no_phrase_is_heard_all_the_time() -> None:
    heard: Counter[tuple[str, ...]] = Counter()
    for step in steps():
        words = re.findall(r"\w+", f"{step.thought} {step.reflection}".lower())
        heard.update({tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)})
    run, times = heard.most_common(1)[0]
    assert times <= 0.05 * len(steps()), f"in {times} of {len(steps())} steps: {' '.join(run)}"


def test_few_sentences_are_templates() -> None:
    used = Counter(
        sentence_form for step in steps() for text in (step.thought, step.reflection) for sentence_form in forms(text)
    )
    worn = sum(times for times in used.values() if times >= OFTEN)
    assert worn <= MOST_WORN * sum(used.values()), used.most_common(10)


def test_agents_err() -> None:
    reflections = [step.reflection for step in steps() if step.reflection]
    least, most = IN_VAIN
    assert least <= sum(bool(IN_VAIN_WORDS.search(text)) for text in reflections) / len(reflections) <= most


def test_some_thoughts_are_long() -> None:
    long = sum(len(step.thought) >= 500 for step in steps())
    assert long >= 0.01 * len(steps())


def test_no_thought_and_no_instruction_comes_twice() -> None:
    thoughts = Counter(step.thought for step in steps())
    assert max(thoughts.values()) == 1
    instructions = [trajectory.episode.instruction for trajectory in pool().trajectories]
    assert len(set(instructions)) == len(instructions)
    openings = Counter(" ".join(text.lower().split()[:4]) for text in instructions)
    assert max(openings.values()) <= 2


def test_spread_over_sites_and_topics() -> None:
    hosts = Counter(trajectory.host for trajectory in pool().trajectories)
    assert len(hosts) == 35
    assert max(hosts.values()) <= 0.06 * len(pool().trajectories)
    topics = Counter(topic for trajectory in pool().trajectories for topic in trajectory.topics)
    assert len(topics) >= len(pool().trajectories)
    assert max(topics.values()) <= 0.1 * len(pool().trajectories)


def test_every_address_is_served_and_actions_differ() -> None:
    served = by_host(all_sites())
    for trajectory in pool().trajectories:
        hosts = {urlsplit(step.url).hostname for step in trajectory.episode.steps}
        assert hosts <= served.keys()
        assert trajectory.host in hosts
        assert urlsplit(trajectory.last_url).hostname == trajectory.host
    kinds = Counter(step.action.split(maxsplit=1)[0] for step in steps())
    assert {"goto", "search", "click", "fill", "select", "go", "scroll", "finish"} <= kinds.keys()


def test_hardly_any_step_but_the_last_goes_without_reflection() -> None:
    """As in an agent's own memory: there is no reflection after the last step."""
    silent = 0
    for trajectory in pool().trajectories:
        *before, last = trajectory.episode.steps
        silent += sum(not step.reflection for step in before)
        assert not last.reflection
        assert last.action.startswith("finish with")
    assert silent <= 0.001 * len(steps())


def test_no_field_of_a_phrasing_was_left_open() -> None:
    for step in steps():
        assert not re.search(r'[{}]|""|  | ,|\bNone\b', step.thought + step.reflection), step


def test_amounts_stand_on_the_pages_of_their_site() -> None:
    """Most amounts in an errand's answer are in its reflections or in what it keeps of the pages. (Recording checks all
    of them against the whole pages.)"""
    missing = []
    for trajectory in pool().trajectories:
        told = "\n".join(f"{step.reflection}\n{step.seen}" for step in trajectory.episode.steps)
        answer = trajectory.episode.steps[-1].action
        amounts = " ".join(re.findall(r"\$[0-9.,]*[0-9]", answer))
        missing += [trajectory.id] * bool(ungrounded(amounts, told + trajectory.episode.instruction))
    assert len(missing) <= 0.05 * len(pool().trajectories), missing


AMOUNT = re.compile(r"\$[0-9][0-9,]*(?:\.[0-9]{2})?")
PAIR = re.compile(r'([^;:()"]{2,90}?)"? \((\$[0-9][0-9,]*(?:\.[0-9]{2})?)\)')
"""A name and its price, as the narrator writes them: `GURLI ($6.99)`."""


def value(amount: str) -> float:
    return round(float(amount.strip("$").replace(",", "")), 2)


@cache
def prices(host: str) -> dict[str, set[float]]:
    """Name of each listed item of a site with amounts in its fields -> these amounts."""
    found: dict[str, set[float]] = {}
    for shelf in replica(host).shelves.values():
        money = [name for name, attribute in shelf.fields.items() if attribute.type == "money"]
        for item in shelf.items:
            told = {round(float(item[name]), 2) for name in money if item[name] is not None}
            told |= {value(amount) for name in shelf.fields for amount in AMOUNT.findall(str(item[name] or ""))}
            for name in (item.name, item.fill(shelf.catalogue.card.title)):
                found.setdefault(name, set()).update(told)
    return {name: amounts for name, amounts in found.items() if amounts}


def in_a_table(host: str, name: str, amount: str) -> bool:
    """Whether a row of a table in the site's file begins with this name and has this amount."""
    row = rf'\["?\[?{re.escape(name)}[\],][^\n]*?{re.escape(amount)}'
    return re.search(row, replica(host).file.read_text(encoding="utf-8")) is not None


@pytest.mark.thorough
def test_a_price_beside_a_name_is_its_own() -> None:
    wrong, right = set(), 0
    for trajectory in pool().trajectories:
        known = prices(trajectory.host)
        for step in trajectory.episode.steps:
            for told, amount in PAIR.findall(f"{step.thought} {step.reflection}"):
                name = max((name for name in known if told.strip().endswith(name)), key=len, default="")
                if not name or value(amount) in known[name] or in_a_table(trajectory.host, name, amount):
                    right += bool(name)
                else:
                    wrong.add((trajectory.id, name, amount))
    assert right > 1_000
    assert not wrong, sorted(wrong)


def tasks() -> list[LongContextTask]:
    """The suite's tasks, and for each site of the pool a task with all of its topics, which excludes the most noise."""
    chosen = [task for task in load_tasks().values() if isinstance(task, LongContextTask)]
    for number, host in enumerate(sorted({trajectory.host for trajectory in pool().trajectories})):
        topics = sorted({topic for t in pool().trajectories if t.host == host for topic in t.topics})
        task = TASK.validate_python(long_context(id=f"all_of_site_{number}", host=host, topics=topics))
        assert isinstance(task, LongContextTask)
        chosen.append(task)
    return chosen


@pytest.mark.sampled(60)
@pytest.mark.parametrize("task", tasks(), ids=lambda task: task.id)
def test_enough_is_irrelevant_to_each_task(task: LongContextTask) -> None:
    noise = orthogonal(task, pool())
    least = LEAST_OF_A_SITE if task.id.startswith("all_of_site") else LEAST_TOKENS
    assert sum(trajectory.tokens for trajectory in noise) >= least
    assert registrable_domain(task.host) not in {registrable_domain(trajectory.host) for trajectory in noise}
