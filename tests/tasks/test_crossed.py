"""Crossed: the 40 tasks that represent all, and what is told before the noise."""

from longtrail.records.trajectory import Case
from longtrail.tasks.briefing import case_prompt, earlier_turns_text, guidance_plan_of
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask

TASKS = load_tasks()


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
    assert guidance_plan_of(task).strip() in earlier_turns_text(task, case("lost_guidance", "explicit"))
    plain = Case(id="x", suite="shopping_admin", task="PW-025", prompt="hint")
    assert case_prompt(task, plain) == case_prompt(task, after)


def test_who_found_something_before_is_told_so_and_not_what() -> None:
    task = TASKS["PW-025"]
    assert isinstance(task, DecisionTask)
    told = earlier_turns_text(task, case("lost_evidence", "raw")) + case_prompt(task, case("lost_evidence", "raw"))
    assert "began to look into this case" in told
    assert "5,879" not in told
