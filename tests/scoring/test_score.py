"""Score: pure and bounded; trouble that is not the agent's fault never counts as 0."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longtrail.errors import TROUBLE_KINDS, DataError
from longtrail.records.trajectory import Trajectory, Trouble
from longtrail.scoring.catalog import MEASURES
from longtrail.scoring.score import score
from tests.made import (
    CUSTOMER,
    ELSEWHERE,
    GRID,
    ORDER,
    decide,
    decision_task,
    ends,
    first_part,
    long_case,
    long_task,
    second_part,
    solved,
    step,
    trajectory,
)

TASK = decision_task()
SCROLL = {"type": "scroll"}


def judged(*steps: Any, **more: Any) -> dict[str, Any]:
    return score(TASK, trajectory(tuple(steps), **more)).values


@pytest.mark.parametrize("kind", TROUBLE_KINDS)
def test_trouble_is_invalid_except_a_refusal(kind: Any) -> None:
    result = score(TASK, solved(trouble=Trouble(kind=kind, message="it broke")))
    assert result.outcome == ("passed" if kind == "llm_refusal" else "invalid")
    assert result.trouble is not None
    if kind != "llm_refusal":
        assert result.metrics == {}
        assert result.reason == f"{kind}: it broke"


def test_a_refusal_is_the_agents_own_failure() -> None:
    steps = (*first_part(), step(1, SCROLL, phase="a2", url=ELSEWHERE))
    trouble = Trouble(kind="llm_refusal", message="can't help with that")
    result = score(long_task(), trajectory(steps, long_case(), ends=ends("all_key_steps", "refusal"), trouble=trouble))
    assert (result.outcome, result.category) == ("failed", "other")


def test_an_evaluator_that_breaks_fails_the_case_and_names_the_bug() -> None:
    """A text of the agent may have broken it: it must not earn another attempt."""
    result = score(decision_task(truth={"optimal": "PERHAPS"}), solved())
    assert (result.outcome, result.metrics["proven"].value) == ("failed", 0.0)
    assert result.reason.startswith("a bug in the evaluator, please report it: ValueError")
    assert result.trouble is not None
    assert result.trouble.kind == "evaluator_error"
    assert "PERHAPS" in result.reason
    assert "decision_score" in result.trouble.traceback


def test_success_without_a_page_of_the_site_is_an_evaluators_error() -> None:
    only_element = long_task(a2=long_task().a2.model_copy(update={"key_steps": long_task().a2.key_steps[:1]}))
    result = score(only_element, trajectory((*first_part(), second_part()[1]), long_case(), ends=ends()))
    assert result.outcome == "failed"
    assert "TS_RF" in result.reason


def test_an_episode_of_another_task_is_refused() -> None:
    with pytest.raises(DataError, match="PW-025"):
        score(decision_task(id="PW-026"), solved())


def test_values_out_of_bounds_are_not_admitted() -> None:
    for name, value in (("proven", 1.01), ("proven", -0.1), ("proven", float("nan")), ("efficiency", 0.96)):
        assert not MEASURES[name].admits(value)
    assert not MEASURES["harm"].admits("bad")
    assert not MEASURES["proven"].admits("1.0")
    assert MEASURES["proven"].admits(None)


def random_steps() -> st.SearchStrategy[tuple[Any, ...]]:
    pages = st.sampled_from([(GRID, "Orders"), (ORDER, "15 returns, all size exchanges"), (CUSTOMER, "net: $5,879.84")])
    moves = st.sampled_from([{"type": "scroll"}, {"type": "back"}, {"type": "click", "id": "1"}, None])
    thoughts = st.sampled_from(["", "15 returns, size exchange", "no idea", "newsletter"])
    one = st.tuples(pages, moves, st.sampled_from(["", ORDER, CUSTOMER, GRID]), thoughts)
    return st.lists(one, max_size=8).map(
        lambda rows: tuple(
            step(number, move, url=page[0], text=page[1], to=to, thought=thought)
            for number, (page, move, to, thought) in enumerate(rows, 1)
        )
    )


@given(random_steps(), st.sampled_from(["APPROVE", "DENY", "ESCALATE", "MAYBE", None]))
def test_every_value_is_within_its_bounds_and_scoring_is_pure(steps: tuple[Any, ...], word: str | None) -> None:
    if word:
        steps = (*steps, decide(len(steps) + 1, word))
    episode = trajectory(steps)
    result = score(TASK, episode)
    assert result.outcome in ("passed", "failed")
    assert set(result.metrics) <= set(MEASURES)
    assert all(MEASURES[name].admits(metric.value) and metric.reason for name, metric in result.metrics.items())
    again = score(TASK, Trajectory.model_validate_json(episode.model_dump_json()))
    assert again.model_dump_json() == result.model_dump_json()


@given(random_steps())
def test_one_more_page_read_never_lowers_investigation(steps: tuple[Any, ...]) -> None:
    more = step(len(steps) + 1, SCROLL, url=CUSTOMER, text="net: $5,879.84")
    before, after = judged(*steps), judged(*steps, more)
    assert after["evidence_share"] >= before["evidence_share"]
    assert after["paper_investigation"] >= before["paper_investigation"]
    assert after["paper_reasoning"] >= before["paper_reasoning"]
