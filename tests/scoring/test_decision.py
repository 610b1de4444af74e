"""Decision cases: the funnel, what counts as shown and said, and what the whole is worth."""

from typing import Any

import pytest

from longtrail.checks.facts import Fact
from longtrail.records.result import Result
from longtrail.records.trajectory import Change
from longtrail.scoring.score import score
from longtrail.tasks.task import ResponseRule
from tests.made import (
    CUSTOMER,
    GRID,
    ORDER,
    SHOP,
    decide,
    decision_task,
    investigation,
    served,
    solved,
    step,
    trajectory,
)

TASK = decision_task()
SCROLL = {"type": "scroll"}


def values(result: Result) -> dict[str, Any]:
    return {name: metric.value for name, metric in result.metrics.items()}


def judged(*steps: Any, **more: Any) -> dict[str, Any]:
    return values(score(TASK, trajectory(tuple(steps), **more)))


def test_a_careful_agent_proves_the_case() -> None:
    result = score(TASK, solved())
    assert (result.outcome, result.stage, result.category) == ("passed", "proven", "looks_bad_is_good")
    found = values(result)
    assert {name: found[name] for name in ("investigation", "reasoning", "decision", "proven", "executed")} == {
        "investigation": True,
        "reasoning": 1.0,
        "decision": 1.0,
        "proven": 1.0,
        "executed": True,
    }
    assert found["completion"] == "completed"
    assert found["sufficiency"] == "sufficient"
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
    assert found["sufficiency"] == "premature"


def test_looking_without_saying_proves_nothing() -> None:
    found = judged(*investigation(), decide(4, justification="It is fine."))
    assert (found["investigation"], found["reasoning"], found["proven"]) == (True, 0.0, 0.0)


def test_half_of_the_evidence() -> None:
    found = judged(*investigation()[:2], decide(3, url=ORDER, text="15 returns, all size exchanges"))
    assert (found["evidence_share"], found["investigation"], found["reasoning"]) == (0.5, False, 0.5)
    assert found["paper_reasoning"] == 1.0


def test_thoughts_are_the_papers_reasoning_and_not_ours() -> None:
    guess = step(1, {"type": "click", "id": "3"}, to=ORDER, thought="Surely 15 returns, all size exchanges.")
    steps = (guess, *investigation()[1:], decide(4, justification="The net value is $5,879.84."))
    result = score(TASK, trajectory(steps))
    assert (result.metrics["paper_reasoning"].value, result.metrics["reasoning"].value) == (1.0, 0.5)
    assert result.facts[0].reason == "shown at step 3, but the decision does not give it"


def test_a_quote_gives_the_fact_that_stands_in_it() -> None:
    pieces = [
        {"source": "order 600", "quote": "... 15 RETURNS, all  size exchanges"},
        {"source": CUSTOMER, "quote": "net: \u201c$5,879.84\u201d"},
    ]
    assert judged(*investigation(), decide(4, justification="So it is.", evidence=pieces))["reasoning"] == 1.0
    ruled_out = [piece | {"use": "ruled_out"} for piece in pieces]
    end = decide(4, justification="So it is.", evidence=ruled_out)
    assert judged(*investigation(), end)["reasoning"] == 0.0
    known = TASK.model_copy(update={"facts": tuple(fact.model_copy(update={"overruled": True}) for fact in TASK.facts)})
    assert score(known, trajectory((*investigation(), end))).metrics["reasoning"].value == 1.0


def test_a_quote_must_stand_on_a_page_of_the_fact() -> None:
    never = [{"source": CUSTOMER, "quote": "a customer with 15 returns, all size exchanges, who reads a lot"}]
    assert judged(*investigation(), decide(4, justification="So it is.", evidence=never))["reasoning"] == 0.0


def test_what_a_piece_shows_gives_a_fact_too() -> None:
    shows = [
        {
            "source": CUSTOMER,
            "quote": "Orders",
            "shows": "She is worth $5,879.84, and all 15 returns were size exchanges.",
        }
    ]
    assert judged(*investigation(), decide(4, justification="So it is.", evidence=shows))["reasoning"] == 1.0


def test_only_twelve_pieces_and_the_first_characters_count() -> None:
    filler = [{"source": "order 600", "quote": "Orders"}] * 12
    late = [*filler, {"source": CUSTOMER, "quote": "net: $5,879.84"}]
    assert judged(*investigation(), decide(4, justification="So.", evidence=late))["reasoning"] == 0.0
    long = "x " * 1600 + "15 size exchange returns, net value $5,879.84."
    assert judged(*investigation(), decide(4, justification=long))["reasoning"] == 0.0


def test_a_distractor_counts_only_where_a_piece_shows_it() -> None:
    """If there is evidence, prose is not searched for distractors. A piece that is `ruled_out` never counts."""
    said = "15 size exchange returns, net value $5,879.84. She reads the newsletter."
    plain = {"source": CUSTOMER, "quote": "net: $5,879.84"}
    held = plain | {"shows": "She reads the newsletter."}
    free = held | {"use": "ruled_out"}
    assert judged(*investigation(), decide(4, justification=said, evidence=[plain]))["reasoning"] == 1.0
    assert judged(*investigation(), decide(4, justification=said, evidence=[plain, free]))["reasoning"] == 1.0
    assert judged(*investigation(), decide(4, justification=said, evidence=[held]))["reasoning"] == pytest.approx(2 / 3)


def test_facts_that_are_quoted_and_called_a_lie() -> None:
    pieces = [
        {"source": CUSTOMER, "quote": "net: $5,879.84"},
        {"source": "o", "quote": "15 returns, all size exchanges"},
    ]
    said = "It is a lie that all 15 returns were size exchanges. The net value is $5,879.84, which never happened."
    assert judged(*investigation(), decide(4, justification=said, evidence=pieces))["reasoning"] == 0.0


def test_a_question_states_nothing() -> None:
    found = judged(*investigation(), decide(4, justification="Were 15 returns size exchanges? Net is $5,879.84."))
    assert found["reasoning"] == 0.5


def test_distractors_given_as_reasons_cost_their_share() -> None:
    one = judged(
        *investigation(), decide(4, justification="15 size exchange returns, $5,879.84. And a newsletter reader.")
    )
    every = "15 size exchange returns, $5,879.84, newsletter, gift wrap; a parcel was late."
    assert one["reasoning"] == pytest.approx(2 / 3)
    assert judged(*investigation(), decide(4, justification=every))["reasoning"] == 0.0
    denied = "15 size exchange returns, $5,879.84. No newsletter, no gift wrap."
    assert judged(*investigation(), decide(4, justification=denied))["reasoning"] == 1.0


def test_the_opposite_of_a_fact_costs_that_facts_share() -> None:
    task = decision_task(
        facts=(
            Fact(id="clean", says="No chargebacks.", shown=("no chargebacks",), pages=("order:600",)),
            Fact(id="net-value", says="Net.", shown=("net: $5,879.84",), said=("$5,879.84",), pages=("order:600",)),
        )
    )
    shown = step(1, SCROLL, url=ORDER, text="no chargebacks\nnet: $5,879.84")
    good = decide(2, url=ORDER, justification="There are no chargebacks. $5,879.84.")
    bad = decide(2, url=ORDER, justification="There are chargebacks. $5,879.84.")
    assert values(score(task, trajectory((shown, good))))["reasoning"] == 1.0
    assert values(score(task, trajectory((shown, bad))))["reasoning"] == 0.0


def test_a_supporting_fact_is_told_and_never_required() -> None:
    """A further fact that was not found: a required one fails the case, a supporting one is only listed."""
    unseen = TASK.facts[0].model_copy(update={"id": "unseen", "shown": ("nobody has read this",), "said": ()})
    strict = score(decision_task(facts=(*TASK.facts, unseen)), solved())
    assert (strict.outcome, values(strict)["investigation"]) == ("failed", False)
    lenient = score(decision_task(facts=(*TASK.facts, unseen.model_copy(update={"supporting": True}))), solved())
    assert (lenient.outcome, values(lenient)["investigation"]) == ("passed", True)
    assert [(fact.id, fact.supporting, fact.delivered) for fact in lenient.facts][-1] == ("unseen", True, None)
    assert not any(fact.supporting for fact in lenient.facts[:-1])


def test_what_the_agent_wrote_itself_is_no_evidence() -> None:
    note = "15 returns, all size exchanges; net: $5,879.84"
    wrote = step(1, {"type": "fill", "id": "1", "text": note}, url=ORDER, text="Comment", outcome={"value": note})
    echo = decide(2, url=ORDER, text=f"Comments\nMar 17, 2026 {note}")
    fact = TASK.facts[0].model_copy(update={"pages": ("order:600",)})
    task = decision_task(facts=(fact,))
    found = values(score(task, trajectory((wrote, echo))))
    assert (found["evidence_share"], found["proven"]) == (0.0, 0.0)
    pieces = decide(2, url=ORDER, text="Comments\n15 returns\nall size\nexchanges")
    assert values(score(task, trajectory((wrote, pieces))))["evidence_share"] == 0.0
    real = decide(2, url=ORDER, text=f"{note}\nMar 2, 2026: 15 returns, all size exchanges")
    assert values(score(task, trajectory((wrote, real))))["evidence_share"] == 1.0


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
    assert values(score(task, trajectory((went, there, last))))["evidence_share"] == 0.0


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
    found = [values(score(task, solved(changes=changes))) for changes in ((), (memo,), (memo, hold))]
    assert [one["executed"] for one in found] == [False, True, False]
    assert [one["proven_executed"] for one in found] == [0.0, 1.0, 0.0]


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
    assert "response_ok" not in values(score(TASK, solved()))


def test_overdue() -> None:
    """Three observations that were shown before, between the last fact and the decision or first change of the site."""
    texts = ["net: $5,879.84", "Orders", "net: $5,879.84", "Orders", "net: $5,879.84"]
    looks = [step(4 + place, SCROLL, url=CUSTOMER, text=text) for place, text in enumerate(texts)]
    assert judged(*investigation(), *looks[:3], decide(7))["sufficiency"] == "sufficient"
    assert judged(*investigation(), *looks, decide(9))["sufficiency"] == "overdue"
    post = served(f"{SHOP}/sales/order/hold/order_id/600/", method="POST", status=302)
    acts = looks[1].model_copy(update={"requests": (post,)})
    assert judged(*investigation(), looks[0], acts, *looks[2:], decide(9))["sufficiency"] == "sufficient"
