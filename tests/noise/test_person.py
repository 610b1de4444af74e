"""A history is one person's: its entries don't contradict each other about who asks, and nothing is asked twice."""

from collections.abc import Sequence
from itertools import combinations

import pytest

from longtrail.noise.injection import inject
from longtrail.noise.pool import shipped_pool
from longtrail.noise.selection import one_person, traits
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import LongContextTask

TASKS = [task for task in load_tasks().values() if isinstance(task, LongContextTask)]


def contradictions(entries: Sequence[str]) -> list[tuple[str, str, str]]:
    told = [(name, traits().get(name.partition("#")[0], {})) for name in entries]
    return [
        (one, other, trait)
        for (one, mine), (other, theirs) in combinations(told, 2)
        for trait in mine.keys() & theirs.keys()
        if mine[trait] != theirs[trait]
    ]


def test_every_id_with_traits_is_an_entry_or_a_task() -> None:
    assert traits().keys() <= {*(noise.id for noise in shipped_pool().trajectories), *(task.id for task in TASKS)}


@pytest.mark.parametrize("kind", ["orthogonal", "similar"])
def test_no_history_contradicts_itself(kind: str) -> None:
    for task in TASKS[::27]:
        injected = inject(task, None, shipped_pool, 150_000, 0, kind=kind).history.injected  # type: ignore[arg-type]
        assert len(injected) > 30
        assert contradictions((task.id, *injected)) == []


def test_whoever_lives_in_boston_does_not_live_in_tampa() -> None:
    entries = {noise.id: noise for noise in shipped_pool().trajectories}
    names = (
        "last_boat_from_charlestown",
        "storm_before_july",
        "old_phone_for_a_voucher",
        "before_the_odyssey",
        "july_odyssey",
    )
    own, others = one_person(entries[name] for name in names)
    assert one_person([entries["storm_before_july"]], "mbta_orange_line") == ([], [entries["storm_before_july"]])
    assert [noise.id for noise in own] == [
        "last_boat_from_charlestown",
        "old_phone_for_a_voucher",
        "before_the_odyssey",
    ]
    assert [noise.id for noise in others] == ["storm_before_july", "july_odyssey"]
    assert contradictions(names) == [
        ("last_boat_from_charlestown", "storm_before_july", "home"),
        ("storm_before_july", "old_phone_for_a_voucher", "home"),
        ("before_the_odyssey", "july_odyssey", "once 2"),
    ]
