"""App story: the outcome of a task on a user's own app, in words."""

from typing import Any

from longtrail.records.result import FactResult, KeyStepResult, Metric
from longtrail.report.trace.story import Story, story
from longtrail.tasks.task import TASK
from tests.report.made_episodes import lost_episode

TASK_OF_AN_APP = TASK.validate_python(
    {
        "suite": "app",
        "id": "parcel",
        "app": {"address": "http://127.0.0.1:8000"},
        "instruction": "Was the parcel delivered?",
        "key_steps": [{"kind": "url", "name": "order-page", "paths": ["/orders/*"]}],
        "decision": {"options": {"APPROVE": "pay", "DENY": "do not"}, "optimal": "DENY"},
        "facts": [{"id": "signed", "says": "The carrier has a signature.", "shown": ["signed for"]}],
    }
)


def told(answer: str | None, outcome: str, *, hit: bool = True, delivered: int | None = 1, given: bool = True) -> Story:
    trajectory, result = lost_episode()
    case = result.case.model_copy(update={"suite": "app"})
    trajectory = trajectory.model_copy(
        update={
            "case": case,
            "steps": tuple(step.model_copy(update={"phase": "main"}) for step in trajectory.steps[:3]),
            "ends": tuple(end.model_copy(update={"phase": "main"}) for end in trajectory.ends[:1]),
        }
    )
    key = KeyStepResult(
        name="order-page",
        phase="main",
        hit=hit,
        step=1 if hit else None,
        reason="no page with path /orders/* was opened",
    )
    fact = FactResult(
        id="signed",
        says="The carrier has a signature.",
        delivered=delivered,
        said=given,
        counted=given,
        reason="",
    )
    update: dict[str, Any] = {
        "case": case,
        "outcome": outcome,
        "metrics": {"answer": Metric(value=answer, reason="said so")},
        "key_steps": (key,),
        "facts": (fact,),
    }
    return story(trajectory, result.model_copy(update=update), TASK_OF_AN_APP)


def test_a_key_step_is_missing() -> None:
    """There is one part only, and no site with a name."""
    found = told("DENY", "failed", hit=False)
    assert found.text.startswith("Decided DENY, which is right. Reached 0 of 1 key steps. Missed first: order page: ")
    assert "second part" not in found.text
    assert "no page with path /orders/* was opened." in found.text
    assert found.decisive_step == 3


def test_all_key_steps_do_not_hide_what_is_missing() -> None:
    found = told("APPROVE", "failed", delivered=None, given=False)
    assert found.text.startswith(
        "Decided APPROVE; right was DENY. The key step was reached. It never saw that the carrier"
    )


def test_seen_and_not_given() -> None:
    found = told(None, "failed", given=False)
    assert found.text.startswith("Gave no decision (")
    assert "It saw that the carrier has a signature (step 1), but did not give it as a reason." in found.text
    assert found.decisive_step == 1


def test_what_went_well() -> None:
    assert told("DENY", "passed").text == "Decided DENY, which is right. The key step was reached."
