"""Tasks in a variant: the references get the full score there, too, and long-context tasks ask for other things than
the shipped ones, so that a remembered route fails. Other seeds are played at night (docs/variants.md)."""

from collections.abc import Iterator
from typing import Any

import pytest

from longtrail.agents import oracle
from longtrail.agents.spec import ORACLE
from longtrail.paths import TASKS
from longtrail.scoring.score import score
from longtrail.tasks.cases import Conditions, plan
from longtrail.tasks.loading import read_entries, task_files
from longtrail.variants import shipped_tasks
from longtrail.variants.variant import Variant
from tests.pytest_plugin.laboratory import CASES, Laboratory, opened
from tests.pytest_plugin.test_every_task import MAXIMAL, mixed

SEEDS = (1, 2, 3, 4, 5)
PLAYED = 1
"""The seed of the variant that is played."""
SHIPPED: dict[str, dict[str, Any]] = {
    name: entry
    for file in task_files(TASKS)
    if file.parent.name in ("long_context", "discovered")
    for name, entry in read_entries(file)
}
SAMPLE = ("viator_cancun_ideas", "koa_california_campgrounds", "imdb_director_of_best", "seatgeek_cheapest_act")


@pytest.mark.parametrize("seed", SEEDS)
def test_nine_of_ten_tasks_have_other_key_steps(seed: int) -> None:
    """Compared before numbers and names are substituted: other things are to be found, not the same things renamed."""
    varied = Variant(seed)._entries
    entries = {**varied["long_context"], **varied["discovered"]}
    assert entries.keys() == SHIPPED.keys()
    for part, least in ((("a1", "a2"), 0.9), (("a2",), 0.9)):
        other = [
            name
            for name, entry in entries.items()
            if any(entry[each]["key_steps"] != SHIPPED[name][each]["key_steps"] for each in part)
        ]
        assert len(other) >= least * len(SHIPPED), sorted(SHIPPED.keys() - {*other})


@pytest.mark.thorough
def test_seeds_choose_differently() -> None:
    chosen = [Variant(seed)._entries["long_context"] for seed in SEEDS]
    several = [name for name in chosen[0] if len(SHIPPED[name]["choices"]) > 1]
    assert len(several) >= 45
    same = [name for name in several if all(entries[name] == chosen[0][name] for entries in chosen)]
    assert len(same) <= len(several) / 4


@pytest.fixture(scope="module")
def varied() -> Iterator[Laboratory]:
    with opened(PLAYED) as laboratory:
        yield laboratory


@pytest.mark.slow
@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", SAMPLE)
def test_the_public_solution_fails_where_the_reference_succeeds(name: str, varied: Laboratory) -> None:
    conditions = Conditions(lengths=(0,), relocated=False, prompts=("raw",), variant=PLAYED)
    (planned,) = plan({name: shipped_tasks(PLAYED)[name]}, conditions)
    results = {agent: score(planned.task, varied.play(planned, agent)) for agent in ("oracle", "lookup")}
    assert {agent: result.number("success") for agent, result in results.items()} == {"oracle": 1, "lookup": 0}


@pytest.mark.slow
@pytest.mark.sampled(12, ci=96)
@pytest.mark.parametrize("task", mixed(CASES))
def test_the_oracle_scores_full_marks_in_a_variant(task: str, varied: Laboratory) -> None:
    conditions = Conditions(lengths=(0,), relocated=False, prompts=("raw",), variant=PLAYED)
    (planned,) = plan({task: shipped_tasks(PLAYED)[task]}, conditions)
    assert f"-v{PLAYED}-" in planned.case.id
    result = score(planned.task, varied.play(planned, ORACLE, shots=oracle.needs_screenshots(planned.task)))
    assert result.outcome == "passed", result.reason
    for name in MAXIMAL[result.case.suite]:
        assert result.number(name) == 1.0, f"{name}: {result.metrics[name].reason}"
