"""Why an episode failed: its cause and error category, how a part ended, loops, and repetitions that are none."""

import pytest
from pydantic import BaseModel, ValidationError

from longtrail.agents.own_agent import in_one_line
from longtrail.checks.key_steps import Hit
from longtrail.records.action import Click
from longtrail.records.observation import Observation
from longtrail.records.result import FailureCause, Result
from longtrail.records.trajectory import AGENT_FAILED, MODEL_REFUSED, End, Outcome, Step
from longtrail.report.terminal import cause_lines
from longtrail.scoring.long_context import Signature, error_category, loop, signature
from longtrail.scoring.verdict import cause, malformed_metrics
from tests.made import CHEAP, ELSEWHERE, OFFERS, step
from tests.report.factory import LONG_TASKS, long_context
from tests.tables import tables_of

TABLES = tables_of(__file__)


def signatures(letters: str) -> list[Signature]:
    return [("click", letter, "", "https://x.test/", "0") for letter in letters]


@pytest.mark.parametrize(("letters", "is_loop"), TABLES["known_answers"])
def test_known_answers(letters: str, is_loop: bool) -> None:
    assert bool(loop(signatures(letters))) is is_loop


def test_repeats_with_something_new_in_the_second_half_are_no_loop() -> None:
    letters = signatures("ABCDABDC")
    assert loop(letters)
    assert loop(letters, {1, 4})
    assert not loop(letters, {5})
    assert not loop(letters, {8})


def test_a_tail_that_repeats_is_a_loop_whatever_was_hit() -> None:
    assert loop(signatures("XAAA"), {4})


def search(number: int, url: str, query: str = "lamps") -> Step:
    return step(number, {"type": "search", "query": query}, url=url, text=f"page {url}")


def test_the_same_query_on_three_pages_is_no_loop() -> None:
    steps = [search(n, url) for n, url in enumerate((OFFERS, CHEAP, ELSEWHERE), 1)]
    assert not loop([signature(played_step) for played_step in steps])
    assert loop([signature(search(n, OFFERS)) for n in (1, 2, 3)])


def test_what_makes_two_steps_the_same() -> None:
    click = {"type": "click", "id": "4"}
    played_step = step(1, click, target=("link", "Offers"))
    assert signature(played_step) == signature(step(2, {"type": "click", "id": "77"}, target=("link", "Offers")))
    assert signature(played_step) != signature(step(2, click, target=("link", "Fares")))
    assert signature(played_step) != signature(step(2, click, target=("link", "Offers"), text="another page"))
    assert signature(played_step) != signature(step(2, click, target=("link", "Offers"), url=OFFERS))
    up, down = ({"type": "scroll", "direction": way} for way in ("up", "down"))
    assert signature(step(1, up)) != signature(step(2, down))
    assert signature(step(1, None, raw="one")) == signature(step(2, None, raw="two"))
    assert signature(step(1, click)) != signature(step(2, {"type": "click", "id": "5"}))


def test_scrolling_down_a_long_page_is_no_loop() -> None:
    steps = [step(n, {"type": "scroll"}, text=f"part {n}") for n in range(1, 11)]
    assert not loop([signature(played_step) for played_step in steps])


USED_UP = End(reason="step_limit", phase="main", detail="4 steps")
GARBAGE = "this was no valid action: the answer has no JSON object"


def acted(number: int, error: str = "", *, acts: bool = True, cut_off: bool = False) -> Step:
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
    steps = [acted(1), *(acted(number, GARBAGE, acts=False) for number in (2, 3, 4))]
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
    steps = [acted(1), *(acted(number, error, acts=False, cut_off=True) for number in (2, 3, 4))]
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
    assert not acted(1, MODEL_REFUSED, acts=False).malformed
    assert not acted(1, AGENT_FAILED, acts=False).malformed


def test_an_episode_whose_actions_failed() -> None:
    steps = [acted(1, "a time-out after 15 s"), acted(2, "a time-out after 15 s"), acted(3, "no such link"), acted(4)]
    assert cause(USED_UP, steps) == FailureCause(kind="failed_actions", message="a time-out after 15 s", steps=2, of=4)


def test_the_steps_were_used_up_or_the_agent_ended_it() -> None:
    assert cause(USED_UP, [acted(1), acted(2, "no such link"), acted(3)]) == FailureCause(kind="step_limit")
    assert cause(End(reason="finish", phase="main"), [acted(1, "no such link")]) is None
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
