"""Composed shifts: the shipped plans, their twins, and the ledger's rules."""

from dataclasses import replace

import pytest

from longtrail.tasks.shifts.compose import DOMAINS as DOMAIN_MODULES
from longtrail.tasks.shifts.compose import compose
from longtrail.tasks.shifts.families import Memo
from longtrail.tasks.shifts.ledger import Ledger, Matter
from longtrail.tasks.shifts.plans import generate, load_shifts
from longtrail.tasks.shifts.shift import ShiftTask, twin_of_shift
from longtrail.tasks.shifts.shift_site import reference_of


@pytest.mark.parametrize("task", [task for task in load_shifts().values() if task.size <= 24], ids=lambda task: task.id)
def test_a_twin_changes_only_later_decisions(task: ShiftTask) -> None:
    shift, twin = compose(task), compose(twin_of_shift(task))
    assert [(t.subject, t.text, t.sender) for t in shift.tickets] == [
        (t.subject, t.text, t.sender) for t in twin.tickets
    ]
    flipped = [a for a, b in zip(shift.tickets, twin.tickets, strict=True) if a.truth != b.truth]
    assert flipped
    assert all(ticket.dependent for ticket in flipped)
    independent = sum(not ticket.dependent for ticket in shift.tickets)
    assert (0.3 if task.hard else 0.35) * task.size <= independent <= 0.65 * task.size
    assert len(reference_of(shift).moves) <= task.step_limit


def test_another_seed_is_another_shift() -> None:
    one, other = (compose(generate("shop", 12, seed, "shift-shop-12-x")) for seed in (901, 902))
    assert {ticket.text for ticket in one.tickets}.isdisjoint(ticket.text for ticket in other.tickets)


def damaged(amount: float) -> Matter:
    return Matter("damaged", amount, "LM-X", "APPROVE", "11.2")


def test_a_memo_holds_until_it_is_taken_back() -> None:
    ledger = Ledger()
    assert ledger.ruling_on("T1", damaged(150)).truth == "APPROVE"
    ledger.announce("M1", Memo(part="memo", limit=100))
    assert ledger.ruling_on("T2", damaged(150)).truth == "ESCALATE"
    assert ledger.ruling_on("T3", damaged(90)).truth == "APPROVE"
    ledger.revoke("M1")
    assert ledger.ruling_on("T4", damaged(150)).truth == "APPROVE"


def test_courtesies_are_counted() -> None:
    ledger = Ledger()
    courtesy = Matter("not_received", 30, "LM-X", "APPROVE", "8.3", counts="courtesy")
    refused = Matter("not_received", 30, "LM-X", "DENY", "8.5", counts="courtesy")
    matters = (courtesy, refused, courtesy, courtesy)
    truths = [ledger.ruling_on(f"T{n}", matter).truth for n, matter in enumerate(matters)]
    assert truths == ["APPROVE", "DENY", "APPROVE", "ESCALATE"]


def test_a_memo_about_one_warehouse_goes_first_and_an_older_one_holds_again() -> None:
    ledger = Ledger()
    reno, savannah = (replace(damaged(150), house=house) for house in ("Reno", "Savannah"))
    ledger.announce("M1", Memo(part="all", limit=120))
    ledger.announce("M2", Memo(part="house", limit=250, house="a"), "Reno")
    ledger.announce("M3", Memo(part="more", limit=165))
    exception = ledger.ruling_on("T1", reno)
    assert (exception.truth, exception.rivals) == ("APPROVE", ("M1",))
    assert ledger.ruling_on("T2", savannah).truth == "APPROVE"
    ledger.revoke("M3")
    assert (ledger.ruling_on("T3", reno).memo, ledger.ruling_on("T4", savannah).memo) == ("M2", "M1")
    assert ledger.ruling_on("T5", savannah).truth == "ESCALATE"
    ledger.revoke("M2")
    assert ledger.ruling_on("T6", reno).truth == "ESCALATE"


def test_findings_that_decide_nothing_are_told_apart() -> None:
    """Where the warnings are used up, a newcomer's post goes like anybody's; a pause of sales asks for no pass."""
    ledger, warned = Ledger(), []
    tone = Matter("tone", 0, "knitting", "ADD_WARNING_COMMENT", "Q3", counts="warning")
    for number in range(3):
        warned.append(ledger.ruling_on(f"T{number}", tone, otherwise=DOMAIN_MODULES["forum"].otherwise(tone)))
    assert [(ruling.truth, ruling.settled) for ruling in warned] == [
        ("ADD_WARNING_COMMENT", False),
        ("ADD_WARNING_COMMENT", False),
        ("REMOVE", True),
    ]
    sale = Matter("sale", 0, "knitting", "REMOVE", "Q4")
    ledger.announce("M1", Memo(part="pause", claim="sale", matter="APPROVE->REMOVE"), "knitting")
    ruling = ledger.ruling_on("T4", sale, otherwise=DOMAIN_MODULES["forum"].otherwise(sale))
    assert (ruling.truth, ruling.memo, ruling.settled, ruling.instead) == ("REMOVE", "", True, "M1")


def test_a_shop_never_asks_for_more_than_a_recall_needs() -> None:
    ledger = Ledger()
    ledger.announce("M1", Memo(part="recall", recall="b"), "LM-X")
    thrown_away = Matter("damaged", 80, "LM-X", "DENY", "11.3")
    ruling = ledger.ruling_on("T1", thrown_away, otherwise=DOMAIN_MODULES["shop"].otherwise(thrown_away))
    assert (ruling.truth, ruling.memo, ruling.settled) == ("APPROVE", "M1", True)
    late = Matter("not_received", 80, "LM-Y", "APPROVE", "8.6", days=11)
    ledger.announce("M2", Memo(part="strike", transit=15))
    ruling = ledger.ruling_on("T2", late, otherwise=DOMAIN_MODULES["shop"].otherwise(late))
    assert (ruling.truth, ruling.settled) == ("DENY", False)


def test_a_float_is_used_up_and_a_smaller_refund_still_fits() -> None:
    ledger = Ledger()
    ledger.announce("M1", Memo(part="memo", quota=100, claim="changed_mind"))
    rulings = [
        ledger.ruling_on(f"T{n}", Matter("changed_mind", n, "", "APPROVE", "11.4", person=str(n))) for n in (80, 30, 20)
    ]
    assert [ruling.truth for ruling in rulings] == ["APPROVE", "ESCALATE", "APPROVE"]
    assert (rulings[1].memo, rulings[1].earlier, rulings[0].earlier) == ("M1", ("T80",), ())
    ledger.announce("M2", Memo(part="refill", quota=50, claim="changed_mind"))
    assert ledger.ruling_on("T50", Matter("changed_mind", 50, "", "APPROVE", "11.4")).truth == "APPROVE"


@pytest.mark.parametrize(("field", "rule"), [("person", "S8"), ("home", "S10")])
def test_an_account_and_an_address_get_one_refund(field: str, rule: str) -> None:
    ledger = Ledger()
    denied, granted, again, other = (
        replace(Matter("not_received", 150, "", truth, "8.2"), **{field: who})  # type: ignore[arg-type]
        for truth, who in (("DENY", "1"), ("APPROVE", "1"), ("APPROVE", "1"), ("APPROVE", "2"))
    )
    rulings = [ledger.ruling_on(f"T{n}", matter) for n, matter in enumerate((denied, granted, again, other))]
    assert [ruling.truth for ruling in rulings] == ["DENY", "APPROVE", "ESCALATE", "APPROVE"]
    assert (rulings[2].rule, rulings[2].earlier) == (rule, ("T1",))
