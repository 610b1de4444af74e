"""The cause of a failure: the agent's own error, or what most of its steps failed with."""

import pytest
from pydantic import BaseModel, ValidationError

from longtrail.agents.own_agent import in_one_line
from longtrail.checks.key_steps import Hit
from longtrail.records.action import Click
from longtrail.records.observation import Observation
from longtrail.records.result import FailureCause, Result
from longtrail.records.trajectory import AGENT_FAILED, MODEL_REFUSED, End, Outcome, Step
from longtrail.report.terminal import cause_lines
from longtrail.scoring.long_context import error_category
from longtrail.scoring.verdict import cause, malformed_metrics
from tests.report.factory import LONG_TASKS, long_context

USED_UP = End(reason="step_limit", phase="main", detail="4 steps")
GARBAGE = "this was no valid action: the answer has no JSON object"


def step(number: int, error: str = "", *, acts: bool = True, cut_off: bool = False) -> Step:
    action = Click(type="click", id="1") if acts else None
    outcome = Outcome(ok=not error, error=error)
    return Step(
        number=number,
        phase="main",
        observation=Observation(url="", title="", text=""),
        action=action,
        raw="" if acts else "I click on the link.",
        cut_off=cut_off,
        outcome=outcome,
    )


def test_an_episode_of_garbage_answers() -> None:
    steps = [step(1), *(step(number, GARBAGE, acts=False) for number in (2, 3, 4))]
    assert cause(USED_UP, steps) == FailureCause(
        kind="no_valid_action", message=GARBAGE, steps=3, of=4, example="I click on the link."
    )
    metrics = malformed_metrics(steps)
    assert (metrics["malformed_answers"].value, metrics["cut_off_answers"].value) == (0.75, 0)
    assert error_category([([Hit(name="cart", step=None, reason="")], steps, USED_UP)]) == (
        "no_valid_action",
        "3 of 4 answers had no valid action; cart missing",
    )
    assert malformed_metrics(())["malformed_answers"].value is None


def test_an_episode_of_answers_that_were_cut_off() -> None:
    error = "this was no valid action: the answer was cut off at its maximum length, 1024 tokens"
    steps = [step(1), *(step(number, error, acts=False, cut_off=True) for number in (2, 3, 4))]
    reason = cause(USED_UP, steps)
    assert reason is not None
    assert (reason.kind, reason.steps, reason.of) == ("cut_off", 3, 4)
    assert malformed_metrics(steps)["cut_off_answers"].value == 0.75
    failed = next(result for result in long_context(1, LONG_TASKS[:2]) if result.outcome == "failed")
    (line,) = cause_lines([failed.model_copy(update={"cause": reason})])
    assert "most answers were cut off at their maximum length" in line
    assert "(3 of 4 answers, such as 'I click on the link.')" in line
    assert "give a larger --model-arg max_tokens=N" in line


def test_a_refusal_is_no_malformed_answer() -> None:
    assert not step(1, MODEL_REFUSED, acts=False).malformed
    assert not step(1, AGENT_FAILED, acts=False).malformed


def test_an_episode_whose_actions_failed() -> None:
    steps = [step(1, "a time-out after 15 s"), step(2, "a time-out after 15 s"), step(3, "no such link"), step(4)]
    assert cause(USED_UP, steps) == FailureCause(kind="failed_actions", message="a time-out after 15 s", steps=2, of=4)


def test_the_steps_were_used_up_or_the_agent_ended_it() -> None:
    assert cause(USED_UP, [step(1), step(2, "no such link"), step(3)]) == FailureCause(kind="step_limit")
    assert cause(End(reason="finish", phase="main"), [step(1, "no such link")]) is None
    raised = End(reason="agent_error", phase="main", detail="KeyError: 'id'")
    assert cause(raised, []) == FailureCause(kind="agent_error", message="KeyError: 'id'")


def test_an_exception_is_told_with_its_whole_message() -> None:
    class Answer(BaseModel):
        decision: int

    with pytest.raises(ValidationError) as caught:
        Answer.model_validate({"decision": "MAYBE"})
    line = in_one_line(caught.value)
    assert line.startswith("ValidationError: 1 validation error for Answer decision Input should be a valid integer")
    assert "For further information" not in line
    assert in_one_line(ValueError()) == "ValueError"


def test_the_summary_names_the_commonest_cause_of_each_kind() -> None:
    results = [result for result in long_context(1, LONG_TASKS[:2]) if result.outcome == "failed"][:4]

    def because(result: Result, kind: str, message: str) -> Result:
        given = FailureCause.model_validate({"kind": kind, "message": message})
        return result.model_copy(update={"cause": given})

    cut, none = "cut off at max_tokens=1024", "no JSON"
    kinds = [("agent_error", "KeyError: 'id'"), *(("no_valid_action", message) for message in (cut, none, cut))]
    told = [because(result, *kind) for result, kind in zip(results, kinds, strict=True)]
    first, second = cause_lines(told)
    assert first.startswith("failed: 3 x most answers had no valid action")
    assert "most often (2 x) cut off at max_tokens=1024. To do: look at the answers" in first
    assert second.startswith("failed: 1 x the agent raised an error, most often (1 x) KeyError: 'id'. To do: mend")
    assert cause_lines(results) == []
