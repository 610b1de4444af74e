"""Crossed: the 40 tasks that represent all, and what is told before the noise."""

from collections import Counter

from longtrail.records.trajectory import Case
from longtrail.tasks.briefing import case_prompt, earlier_turns_text, plan_for
from longtrail.tasks.loading import crossed_selection, load_tasks
from longtrail.tasks.task import DecisionTask

TASKS = load_tasks()


def chosen() -> list[DecisionTask]:
    found = [TASKS[name] for name in sorted(crossed_selection())]
    return [task for task in found if isinstance(task, DecisionTask)]


def test_forty_tasks_spread_over_suites_categories_and_decisions() -> None:
    assert Counter(task.suite for task in chosen()) == {"shopping_admin": 20, "reddit": 20}
    categories = {task.category for task in TASKS.values() if isinstance(task, DecisionTask) and not task.hard}
    assert {task.category for task in chosen()} >= categories
    for suite in ("shopping_admin", "reddit"):
        decisions = Counter(task.truth.optimal for task in chosen() if task.suite == suite)
        assert max(decisions.values()) <= 10, "no decision is right in most of them"


def test_half_of_the_evidence_can_come_before_the_noise() -> None:
    for task in chosen():
        assert len(task.required) >= 2
        assert sum(not fact.pictured for fact in task.required) >= len(task.required) // 2


def case(placement: str, prompt: str) -> Case:
    return Case.model_validate(
        {"id": "x", "suite": "shopping_admin", "task": "PW-025", "placement": placement, "prompt": prompt}
    )


def test_guidance_is_told_once_before_the_noise_or_after_it() -> None:
    task = TASKS["PW-025"]
    assert isinstance(task, DecisionTask)
    hint = task.prompts.hint.strip()
    after, before = case("distraction", "hint"), case("lost_guidance", "hint")
    assert hint in case_prompt(task, after)
    assert hint not in case_prompt(task, before)
    assert "told some time ago how to go about this case" in case_prompt(task, before)
    assert hint in earlier_turns_text(task, before)
    assert plan_for(task).strip() in earlier_turns_text(task, case("lost_guidance", "explicit"))
    plain = Case(id="x", suite="shopping_admin", task="PW-025", prompt="hint")
    assert case_prompt(task, plain) == case_prompt(task, after)


def test_who_found_something_before_is_told_so_and_not_what() -> None:
    task = TASKS["PW-025"]
    assert isinstance(task, DecisionTask)
    told = earlier_turns_text(task, case("lost_evidence", "raw")) + case_prompt(task, case("lost_evidence", "raw"))
    assert "began to look into this case" in told
    assert "5,879" not in told
