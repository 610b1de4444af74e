"""Prompt leaks: a learner on prompts finds hints that tell the decision; small sets say nothing."""

import pytest

from tests.authoring.validity.test_faults import SHOP, changed
from workshop.sets.prompt_leaks import MIN_TASKS, prompts_tell_nothing
from workshop.tests.validity.test_shipped import SUITES

LEAKY = {n: changed(task, prompts__hint=f"It is a {task.truth.optimal.lower()} case.") for n, task in SHOP.items()}


@pytest.mark.slow
@pytest.mark.parametrize("suite", SUITES)
def test_shipped_prompts_tell_nothing(suite: str) -> None:
    assert list(prompts_tell_nothing(SUITES[suite])) == []


def test_hints_that_tell_the_decision_are_found() -> None:
    told = [finding.message.partition(" prompts")[0] for finding in prompts_tell_nothing(LEAKY)]
    assert told == ["naive Bayes on hint", "logistic regression on hint"]


def test_a_set_is_large_enough_from_20_tasks_on() -> None:
    names = [*LEAKY][:: len(LEAKY) // MIN_TASKS]
    assert list(prompts_tell_nothing({name: LEAKY[name] for name in names[:MIN_TASKS]}))
    assert not list(prompts_tell_nothing({name: LEAKY[name] for name in names[: MIN_TASKS - 1]}))
