"""Which entries a history has: one person's, who does not contradict herself; on the own site or desk, if asked for;
and those that resemble the first part (they are played in workshop/tests)."""

from collections.abc import Sequence
from itertools import combinations

import pytest

from longtrail.errors import UsageError
from longtrail.noise.injection import inject
from longtrail.noise.pool import lookalikes, shipped_pool
from longtrail.noise.selection import one_person, similar, traits
from longtrail.options.run_options import Options
from longtrail.pytest_plugin.preflight import check_interference
from longtrail.records.memory import MemoryStep, PastTask
from longtrail.tasks.cases import Conditions, plan
from longtrail.tasks.interference import with_interference
from longtrail.tasks.loading import crossed_selection, load_tasks
from longtrail.tasks.task import DecisionTask, LongContextTask

TASKS = {name: task for name, task in load_tasks().items() if isinstance(task, LongContextTask)}


def contradictions(entries: Sequence[str]) -> list[tuple[str, str, str]]:
    told = [(name, traits().get(name.partition("#")[0], {})) for name in entries]
    return [
        (one, other, trait)
        for (one, mine), (other, theirs) in combinations(told, 2)
        for trait in mine.keys() & theirs.keys()
        if mine[trait] != theirs[trait]
    ]


@pytest.mark.parametrize("kind", ["orthogonal", "similar"])
def test_no_history_contradicts_itself(kind: str) -> None:
    for task in [*TASKS.values()][::27]:
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


def test_every_other_entry_is_a_ticket_of_the_same_desk() -> None:
    task = load_tasks()[min(crossed_selection())]
    assert isinstance(task, DecisionTask)
    history = inject(task, None, shipped_pool, 50_000, 0).history
    assert [name.startswith("ticket_") for name in history.injected[:6]] == [True, False] * 3
    assert set(history.similar) == {name for name in history.injected if name.startswith("ticket_")}
    assert "shopadmin" not in history.last_url


def test_they_are_as_long_as_other_noise_and_come_early() -> None:
    task = TASKS["yahoo_heat_roster"]
    pool = shipped_pool()
    similar_noise = similar(task, pool)
    mean = sum(noise.tokens for noise in similar_noise) / len(similar_noise)
    assert mean == pytest.approx(pool.tokens / len(pool.trajectories), rel=0.3)
    first = PastTask(instruction=task.a1.instruction, steps=(MemoryStep(url=task.start, thought="", action="x"),))
    history = inject(task, first, shipped_pool, 25_000, 0, kind="similar").history
    assert len(history.similar) >= 4
    assert abs(history.tokens - 25_000) <= 250


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
