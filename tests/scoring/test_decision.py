"""Decision cases: the funnel, what counts as shown and said, and what the whole is worth."""

from typing import Any

import pytest

from longtrail.checks.facts import Fact
from longtrail.records.trajectory import Change
from longtrail.scoring.score import score
from longtrail.tasks.task import ResponseRule
from tests.made import (
    CUSTOMER,
    EVIDENCE,
    GRID,
    ORDER,
    decide,
    decision_task,
    investigation,
    solved,
    step,
    trajectory,
)

TASK = decision_task()
SCROLL = {"type": "scroll"}


def judged(*steps: Any, **more: Any) -> dict[str, Any]:
    return score(TASK, trajectory(tuple(steps), **more)).values


def test_a_careful_agent_proves_the_case() -> None:
    result = score(TASK, solved())
    assert (result.outcome, result.stage, result.category) == ("passed", "proven", "looks_bad_is_good")
    found = result.values
    assert {name: found[name] for name in ("investigation", "reasoning", "decision", "proven", "executed")} == {
        "investigation": True,
        "reasoning": 1.0,
        "decision": 1.0,
        "proven": 1.0,
        "executed": True,
    }
    assert found["completion"] == "completed"
    assert found["harm"] == "optimal"
    assert [(fact.id, fact.delivered, fact.said_at, fact.counted) for fact in result.facts] == [
        ("size-exchanges", 3, 4, True),
        ("net-value", 4, 4, True),
    ]
    assert result.steps == 4
    assert result.usage.prompt_tokens == 400


def test_guessing_right_without_looking_proves_nothing() -> None:
    found = judged(decide(1, url=GRID, text="Orders"))
    assert (found["decision"], found["paper_reasoning"]) == (1.0, 1.0)
    assert (found["investigation"], found["reasoning"], found["proven"]) == (False, 0.0, 0.0)


def test_looking_without_citing_proves_nothing() -> None:
    found = judged(*investigation(), decide(4, justification="It is fine.", evidence=()))
    assert (found["investigation"], found["reasoning"], found["proven"]) == (True, 0.0, 0.0)


def test_half_of_the_evidence() -> None:
    found = judged(*investigation()[:2], decide(3, url=ORDER, text="15 returns, all size exchanges"))
    assert (found["evidence_share"], found["investigation"], found["reasoning"]) == (0.5, False, 0.5)
    assert found["paper_reasoning"] == 1.0


def test_prose_is_the_papers_reasoning_and_not_ours() -> None:
    result = score(TASK, trajectory((*investigation(), decide(4, evidence=()))))
    assert (result.metrics["paper_reasoning"].value, result.metrics["reasoning"].value) == (1.0, 0.0)
    assert result.metrics["reasoning"].reason == "the decision has no evidence: only quotations of records count"
    assert result.facts[0].reason == "shown at step 3, but no piece of evidence cites it"


def test_only_for_pieces_give_a_fact_unless_it_is_overruled() -> None:
    ruled_out = decide(4, evidence=[piece | {"use": "ruled_out"} for piece in EVIDENCE])
    assert judged(*investigation(), ruled_out)["reasoning"] == 0.0
    known = TASK.model_copy(update={"facts": tuple(fact.model_copy(update={"overruled": True}) for fact in TASK.facts)})
    assert score(known, trajectory((*investigation(), ruled_out))).metrics["reasoning"].value == 1.0


def test_only_twelve_pieces_count() -> None:
    late = [*[EVIDENCE[0]] * 12, EVIDENCE[1]]
    assert judged(*investigation(), decide(4, evidence=late))["reasoning"] == 0.5


def test_too_many_irrelevant_pieces_cost_everything() -> None:
    stray = [{"source": CUSTOMER, "quote": f"something else {number}"} for number in range(5)]
    assert judged(*investigation(), decide(4, evidence=[*EVIDENCE, *stray[:4]]))["reasoning"] == 1.0
    result = score(TASK, trajectory((*investigation(), decide(4, evidence=[*EVIDENCE, *stray]))))
    assert result.metrics["reasoning"].value == 0.0
    assert "5 pieces cite neither required nor supporting evidence (3, 4, 5, 6, 7;" in result.reason


def test_a_distractors_record_costs_its_share() -> None:
    task = decision_task(distractors=tuple(d.model_copy(update={"pages": ("customer:87",)}) for d in TASK.distractors))
    page = "Lifetime sales, net: $5,879.84\nReads the newsletter every week."
    held = {"source": CUSTOMER, "quote": "Reads the newsletter every week"}
    for piece, expected in ((held, 2 / 3), (held | {"use": "ruled_out"}, 1.0)):
        end = decide(4, text=page, evidence=[*EVIDENCE, piece])
        assert score(task, trajectory((*investigation(), end))).values["reasoning"] == pytest.approx(expected)


def test_a_supporting_fact_is_told_and_never_required() -> None:
    """A further fact that was not found: a required one fails the case, a supporting one is only listed."""
    unseen = TASK.facts[0].model_copy(update={"id": "unseen", "shown": ("nobody has read this",), "said": ()})
    strict = score(decision_task(facts=(*TASK.facts, unseen)), solved())
    assert (strict.outcome, strict.values["investigation"]) == ("failed", False)
    lenient = score(decision_task(facts=(*TASK.facts, unseen.model_copy(update={"supporting": True}))), solved())
    assert (lenient.outcome, lenient.values["investigation"]) == ("passed", True)
    assert [(fact.id, fact.supporting, fact.delivered) for fact in lenient.facts][-1] == ("unseen", True, None)
    assert not any(fact.supporting for fact in lenient.facts[:-1])


def test_what_the_agent_wrote_itself_is_no_evidence() -> None:
    note = "15 returns, all size exchanges; net: $5,879.84"
    wrote = step(1, {"type": "fill", "id": "1", "text": note}, url=ORDER, text="Comment", outcome={"value": note})
    echo = decide(2, url=ORDER, text=f"Comments\nMar 17, 2026 {note}")
    fact = TASK.facts[0].model_copy(update={"pages": ("order:600",)})
    task = decision_task(facts=(fact,))
    found = score(task, trajectory((wrote, echo))).values
    assert (found["evidence_share"], found["proven"]) == (0.0, 0.0)
    pieces = decide(2, url=ORDER, text="Comments\n15 returns\nall size\nexchanges")
    assert score(task, trajectory((wrote, pieces))).values["evidence_share"] == 0.0
    real = decide(2, url=ORDER, text=f"{note}\nMar 2, 2026: 15 returns, all size exchanges")
    assert score(task, trajectory((wrote, real))).values["evidence_share"] == 1.0


def test_a_search_that_repeats_the_words_is_no_evidence() -> None:
    """Neither on the page that repeats the words nor on the fact's own page, even within other text."""
    fact = TASK.facts[0].model_copy(update={"pages": ("order:600",)})
    task = decision_task(facts=(fact,))
    sought = "https://shopadmin.test/admin/sales/order/?search=15+returns%2C+all+size+exchanges"
    went = step(1, {"type": "goto", "url": sought}, url=GRID, to=sought, text="Orders")
    there = step(
        2, {"type": "goto", "url": ORDER}, url=sought, to=ORDER, text="Found for: 15 returns, all size exchanges"
    )
    last = decide(3, url=ORDER, text="You looked for 15 returns, all size exchanges")
    assert score(task, trajectory((went, there, last))).values["evidence_share"] == 0.0


def test_a_fact_counts_on_its_own_pages_only() -> None:
    elsewhere = step(1, SCROLL, url=GRID, text="15 returns, all size exchanges, net: $5,879.84")
    assert judged(elsewhere, decide(2, url=GRID, text="Orders"))["evidence_share"] == 0.0


def test_only_what_was_delivered_before_the_decision_counts() -> None:
    late = step(2, SCROLL, url=CUSTOMER, text="Lifetime sales, net: $5,879.84")
    assert judged(decide(1, url=GRID, text="Orders"), late)["evidence_share"] == 0.0


@pytest.mark.parametrize(
    ("steps", "completion"),
    [
        ((step(1, SCROLL),), "incomplete"),
        ((), "incomplete"),
        ((decide(1, "MAYBE", outcome={"ok": False}), step(2, SCROLL)), "partial"),
        ((step(1, None, raw='{"type": "decide", "decision": "APPR'),), "partial"),
        ((step(1, None, raw="I click on it"),), "incomplete"),
        ((decide(1, "MAYBE", outcome={"ok": False}), decide(2)), "completed"),
    ],
)
def test_completion(steps: tuple[Any, ...], completion: str) -> None:
    found = judged(*steps)
    assert found["completion"] == completion
    assert found["completed"] is (completion == "completed")


def test_the_first_valid_decision_is_the_one_that_counts() -> None:
    assert judged(*investigation(), decide(4, "DENY"), decide(5, "APPROVE"))["answer"] == "DENY"


def test_harm() -> None:
    found = judged(*investigation(), decide(4, "DENY"))
    assert (found["decision"], found["harm"], found["harmful"]) == (0.0, "harmful", True)
    assert judged(step(1, SCROLL))["harm"] is None


def test_paper_investigation_wants_an_action_with_a_critical_page_in_view() -> None:
    """Leaving the page in any way is an action, too."""
    opened = step(1, {"type": "click", "id": "1"}, to=CUSTOMER)
    assert judged(opened)["paper_investigation"] is False
    for action in (SCROLL, {"type": "goto", "url": GRID}, {"type": "back"}):
        assert judged(opened, step(2, action, url=CUSTOMER))["paper_investigation"] is True
    assert judged(opened, decide(2, url=CUSTOMER))["paper_investigation"] is True


def test_executed_needs_the_change_and_no_other() -> None:
    task = decision_task(end_state=({"site": "shopadmin", "table": "memo", "match": {"order_id": 600}},))
    memo = Change(site="shopadmin", table="memo", key="1", before=None, after={"order_id": 600})
    hold = Change(site="shopadmin", table="sales_order", key="1", before={"s": 1}, after={"s": 2})
    found = [score(task, solved(changes=changes)).values for changes in ((), (memo,), (memo, hold))]
    assert [finding["executed"] for finding in found] == [False, True, False]
    assert [finding["proven_executed"] for finding in found] == [0.0, 1.0, 0.0]


def test_a_response_is_checked_where_there_is_a_rule() -> None:
    must = (Fact(id="wait", says="Wait.", shown=("wait for the discharge",), pages=()),)
    task = decision_task(response=ResponseRule(must=must, must_not=TASK.distractors[:1]))
    for text, fine in (
        ("Please wait for the discharge.", True),
        ("Go ahead.", False),
        ("Please wait for the discharge, and read our newsletter.", False),
    ):
        result = score(task, trajectory((*investigation(), decide(4, response=text))))
        assert result.metrics["response_ok"].value is fine
    assert "response_ok" not in score(TASK, solved()).values
