"""Story: the outcome in plain words, also of tasks on own apps: what was never seen or missed, and how near it came."""

from typing import Any

from longtrail.records.result import FactResult, KeyStepResult, Metric
from longtrail.records.trajectory import Step, Trajectory, Trouble
from longtrail.report.trace.story import Story, inner, story
from longtrail.scoring.score import score
from longtrail.tasks.task import TASK, Task
from tests.made import (
    CUSTOMER,
    ORDER,
    TASKS,
    decide,
    decision_task,
    ends,
    first_part,
    investigation,
    long_case,
    long_task,
    second_part,
    solved,
    step,
    trajectory,
)
from tests.report.made_episodes import lost_episode


def told(played: Trajectory, task: Task | None = None) -> Story:
    task = task or decision_task()
    return story(played, score(task, played), task)


def long(*steps: Step, **more: object) -> Story:
    return told(trajectory(steps, long_case(), **{"ends": ends()} | more), long_task())


def test_what_went_well_is_said_in_a_sentence() -> None:
    found = told(solved())
    assert found.text == "Decided APPROVE, which is right. All of the evidence was seen and given as reasons."
    assert found.decisive_step is None
    assert app_told("DENY", "passed").text == "Decided DENY, which is right. The key step was reached."
    broken = told(solved(trouble=Trouble(kind="llm_server", message="503")))
    assert broken.text == "It counts neither way: llm_server: 503"


def test_a_tab_that_was_not_opened_is_the_nearest() -> None:
    grid, order, _ = investigation()
    found = told(
        trajectory((grid, order.model_copy(update={"requests": ()}), decide(3, "DENY", url=ORDER, text="Order")))
    )
    assert "Decided DENY; right was APPROVE." in found.text
    assert "It never saw that all 15 returns were size exchanges (order 600, comments history); nearest it came: " in (
        found.text
    )
    assert "step 2, order 600, without opening order 600, comments history." in found.text
    assert found.decisive_step == 2


def test_a_page_that_was_open_without_telling_it() -> None:
    *before, _ = investigation()
    last = step(3, {"type": "scroll"}, url=ORDER, text="Mar 2, 2026", observation={"truncated": True, "tokens": 1_500})
    found = told(trajectory((*before, last, decide(4, url=ORDER, text="Order"))))
    assert (
        "step 3, order 600, comments history, where it was not shown (the page was cut off at 1,500 tokens)."
        in found.text
    )


def test_a_page_that_names_the_record_and_no_page_at_all() -> None:
    grid = step(1, {"type": "goto", "url": CUSTOMER}, text="000000600 | Diana Foster", to=CUSTOMER)
    found = told(trajectory((grid, decide(2))))
    assert "step 1, list of orders, which names 600, without opening order 600, comments history." in found.text
    nothing = told(trajectory((decide(1, "DENY", url=ORDER, text="Order"),)))
    assert "it opened no page beyond the one where it began." in nothing.text
    assert "never saw that the net value is $5,879.84 (customer 87)" in nothing.text


def test_seen_and_not_given() -> None:
    found = told(trajectory((*investigation(), decide(4, justification="It is due.", evidence=()))))
    assert "It saw that all 15 returns were size exchanges (step 3), but did not give it as a reason." in found.text
    assert found.decisive_step == 3


def test_no_decision() -> None:
    found = told(
        trajectory(investigation(), ends=(ends()[0].model_copy(update={"phase": "main", "reason": "step_limit"}),))
    )
    assert found.text.startswith("Gave no decision (its steps were used up); right was APPROVE.")


def test_key_steps() -> None:
    assert long(*first_part(), *second_part()).text == "All 5 key steps were reached."
    found = long(*first_part(), *second_part(done=False), ends=ends(second="step_limit"))
    assert found.text.startswith("Reached 2 of 5 key steps. Missed first: heart (second part): ")
    assert "The second part ended at step 3: its steps were used up." in found.text
    found = long(*first_part(done=False), ends=ends(first="finish"))
    assert "Missed first: filter (first part)" in found.text
    assert "The last one that it reached was at step 1." in found.text


def test_a_sentence_within_another_keeps_the_capitals_of_names() -> None:
    assert inner("Of these two, only one was refunded.") == "of these two, only one was refunded"
    assert inner("Neither box was opened.") == "neither box was opened"
    assert inner("Order 114 is his.") == "Order 114 is his"
    assert inner("Tim's box came back.") == "Tim's box came back"


def app_told(
    answer: str | None, outcome: str, *, hit: bool = True, delivered: int | None = 1, given: bool = True
) -> Story:
    trajectory, result = lost_episode()
    case = result.case.model_copy(update={"suite": "app"})
    trajectory = trajectory.model_copy(
        update={
            "case": case,
            "steps": tuple(step.model_copy(update={"phase": "main"}) for step in trajectory.steps[:3]),
            "ends": tuple(end.model_copy(update={"phase": "main"}) for end in trajectory.ends[:1]),
        }
    )
    missed = "no page with path /orders/* was opened"
    key = KeyStepResult(name="order-page", phase="main", hit=hit, step=1 if hit else None, reason=missed)
    says = "The carrier has a signature."
    fact = FactResult(id="signed", says=says, delivered=delivered, said=given, counted=given, reason="")
    update: dict[str, Any] = {
        "case": case,
        "outcome": outcome,
        "metrics": {"answer": Metric(value=answer, reason="said so")},
        "key_steps": (key,),
        "facts": (fact,),
    }
    return story(trajectory, result.model_copy(update=update), TASK.validate_python(TASKS["app"]))


def test_a_key_step_of_an_app_is_missing() -> None:
    """There is one part only, and no site with a name."""
    found = app_told("DENY", "failed", hit=False)
    assert found.text.startswith("Decided DENY, which is right. Reached 0 of 1 key steps. Missed first: order page: ")
    assert "second part" not in found.text
    assert "no page with path /orders/* was opened." in found.text
    assert found.decisive_step == 3


def test_all_key_steps_do_not_hide_what_is_missing() -> None:
    found = app_told("APPROVE", "failed", delivered=None, given=False)
    assert found.text.startswith(
        "Decided APPROVE; right was DENY. The key step was reached. It never saw that the carrier"
    )


def test_seen_and_not_given_in_an_app() -> None:
    found = app_told(None, "failed", given=False)
    assert found.text.startswith("Gave no decision (")
    assert "It saw that the carrier has a signature (step 1), but did not give it as a reason." in found.text
    assert found.decisive_step == 1
