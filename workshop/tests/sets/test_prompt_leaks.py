"""Prompt leaks: a learner on prompts finds hints that tell the decision; small sets say nothing."""

import pytest

from longtrail.records.case import PATHWAYS
from longtrail.tasks.task import DecisionTask
from longtrail.variants.variant import variant
from tests.authoring.validity.test_faults import SHOP, changed
from workshop.sets.prompt_leaks import MIN_TASKS, prompts_tell_nothing
from workshop.tests.validity.test_shipped import SUITES

LEAKY = {n: changed(task, prompts__hint=f"It is a {task.truth.optimal.lower()} case.") for n, task in SHOP.items()}


@pytest.mark.thorough
@pytest.mark.parametrize("suite", SUITES)
def test_shipped_prompts_tell_nothing(suite: str) -> None:
    assert list(prompts_tell_nothing(SUITES[suite])) == []


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("suite", PATHWAYS)
def test_prompts_of_variants_tell_nothing(suite: str, seed: int) -> None:
    tasks = {n: task for n, task in variant(seed).tasks.items() if isinstance(task, DecisionTask)}
    assert list(prompts_tell_nothing({n: task for n, task in tasks.items() if task.suite == suite})) == []


def test_hints_that_tell_the_decision_are_found() -> None:
    told = [finding.message.partition(" prompts")[0] for finding in prompts_tell_nothing(LEAKY)]
    assert told == ["naive Bayes on hint", "logistic regression on hint"]


def test_a_set_is_large_enough_from_20_tasks_on() -> None:
    names = [*LEAKY][:: len(LEAKY) // MIN_TASKS]
    assert list(prompts_tell_nothing({name: LEAKY[name] for name in names[:MIN_TASKS]}))
    assert not list(prompts_tell_nothing({name: LEAKY[name] for name in names[: MIN_TASKS - 1]}))
