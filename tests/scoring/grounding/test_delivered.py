"""Delivered: the ledger of a trajectory, and what the measures of hallucination make of it."""

from longtrail.records.action import Decide, Evidence
from longtrail.records.trajectory import Contender
from longtrail.scoring.decision_view import DecisionView
from longtrail.scoring.hallucination import delivered, grounding
from tests.made import CUSTOMER, CUSTOMER_ORDERS, GRID, ORDER, case, decision_task, step, tab, trajectory


def view(*evidence: Evidence, justification: str = "") -> DecisionView:
    decide = Decide(decision="APPROVE", justification=justification, evidence=evidence).model_dump()
    steps = (
        step(1, {"type": "goto", "url": ORDER}, to=ORDER),
        step(2, {"type": "goto", "url": f"{CUSTOMER}#tab"}, url=ORDER, text="15 returns of Ida Lund", to=CUSTOMER),
        step(3, {"type": "click", "id": "3"}, url=CUSTOMER, text="Ida Lund", requests=(tab(CUSTOMER_ORDERS),)),
        step(
            4, {"type": "fill", "id": "4", "text": "Dear Ida, you get $12.00"}, url=CUSTOMER, text="Order 600 | $80.95"
        ),
        step(5, decide, url=CUSTOMER, text="Order 600 | $80.95"),
    )
    return DecisionView.of(decision_task(), trajectory(steps, case(prompt="raw"), contender=Contender(agent="x")))


def test_pages_have_their_names_texts_and_steps() -> None:
    ledger = delivered(view())
    assert [reading.step for reading in ledger.readings] == [0, 1, 2, 3, 4, 5]
    assert ledger.keys >= {"prompt", "orders", "order:600", "customer:87", "customer:87/orders"}
    assert [reading.step for reading in ledger.of_key("customer:87/orders")][:2] == [4, 5]
    assert [reading.step for reading in ledger.of_key("customer:87")] == [3, 4, 5]
    assert [reading.step for reading in ledger.of_address(GRID)] == [1]
    assert ledger.typed == "Dear Ida, you get $12.00"
    assert "$80.95" in ledger.readings[-1].text


def test_the_reason_counts() -> None:
    metrics, claims = grounding(
        view(
            Evidence(source=ORDER, quote="15 returns"),
            Evidence(source=ORDER, quote="16 returns"),
            Evidence(source=CUSTOMER, quote="15 returns"),
            Evidence(source=f"{CUSTOMER_ORDERS}", quote="$80.95", shows="One order."),
            Evidence(source="order 999", quote="nothing of the kind"),
            justification="I paid $12.00. I know it.",
        )
    )
    assert [claim.kind for claim in claims] == [
        "traced",
        "synthetic",
        "misattribution",
        "traced",
        "fabricated_source",
        "traced",
    ]
    assert metrics["hallucinates"].value is True
    assert metrics["hallucinates"].reason.startswith("3 of 6 pieces not found: ")
    counts = [metrics[name].value for name in ("fabricated_sources", "misattributions", "synthetics")]
    assert counts == [1, 1, 1]
    assert claims[3].text == 'One order.: "$80.95"'
    assert claims[3].source == CUSTOMER_ORDERS


def test_no_decision_no_verdict() -> None:
    steps = (step(1, {"type": "finish", "answer": ""}),)
    metrics, claims = grounding(DecisionView.of(decision_task(), trajectory(steps, case(prompt="raw"))))
    assert metrics["hallucinates"].value is None
    assert claims == ()
