"""Site state: required, allowed and unwanted changes."""

from typing import Any

from longtrail.checks.site_state import StateCheck, evaluate
from longtrail.records.trajectory import Change

MEMO = StateCheck(site="shopadmin", table="sales_creditmemo", match={"order_id": 600, "grand_total": 152.27})
COMMENT = StateCheck(
    site="shopadmin",
    table="sales_order_status_history",
    match={"parent_id": 600, "comment": "*escalat*"},
    says="comment",
)


def change(table: str, after: dict[str, Any] | None, before: dict[str, Any] | None = None, key: str = "1") -> Change:
    return Change(site="shopadmin", table=table, key=key, before=before, after=after)


REFUND = change("sales_creditmemo", {"order_id": 600, "grand_total": 152.27000001})
NOTE = change("sales_order_status_history", {"parent_id": 600, "comment": "Escalated to review."})


def test_what_was_due_was_done() -> None:
    verdict = evaluate([MEMO, COMMENT], [], [NOTE, REFUND])
    assert verdict.executed
    assert verdict.done == (MEMO.label, "comment")
    assert "done" in verdict.reason


def test_what_is_missing_is_named() -> None:
    verdict = evaluate([MEMO, COMMENT], [], [REFUND])
    assert not verdict.executed
    assert verdict.missing == ("comment",)
    assert "missing: comment" in verdict.reason


def test_another_row_is_not_the_one_meant() -> None:
    for after in ({"order_id": 601, "grand_total": 152.27}, {"order_id": 600, "grand_total": 15.22}, {"order_id": 600}):
        assert not evaluate([MEMO], [], [change("sales_creditmemo", after)]).executed
    assert not evaluate([MEMO], [], [change("sales_order", {"order_id": 600, "grand_total": 152.27})]).executed
    assert not evaluate(
        [MEMO], [], [change("sales_creditmemo", None, {"order_id": 600, "grand_total": 152.27})]
    ).executed


def test_unwanted_changes_are_listed_and_spoil_it() -> None:
    held = change("sales_order", {"status": "holded"}, {"status": "processing"}, key="600")
    verdict = evaluate([MEMO], [], [REFUND, held, change("review", None, {"id": 3}), change("review", {"id": 4})])
    assert not verdict.executed
    assert verdict.unwanted == (
        "shopadmin.sales_order 600: status 'processing' -> 'holded'",
        "shopadmin.review 1: deleted",
        "shopadmin.review 1: new",
    )


def test_a_second_refund_is_not_covered_by_the_first() -> None:
    assert not evaluate([MEMO], [], [REFUND, REFUND]).executed
    assert evaluate([MEMO, MEMO], [], [REFUND, REFUND]).executed


def test_allowed_changes_are_neither_due_nor_unwanted() -> None:
    grid = StateCheck(site="shopadmin", table="sales_order")
    held = change("sales_order", {"status": "closed"}, {"status": "complete"})
    assert evaluate([MEMO], [grid], [REFUND, held]).executed
    assert evaluate([MEMO], [grid], [REFUND]).executed


def test_more_than_a_check_allows_is_unwanted() -> None:
    """Guide 7.6: one question to the member."""
    question = StateCheck(site="shopadmin", table="message", match={"receiver": "fenna"}, at_most=1)
    messages = [
        change("message", {"receiver": "fenna", "body": body}, key=key) for key, body in (("1", "a"), ("2", "b"))
    ]
    assert evaluate([], [question], messages[:1]).executed
    assert evaluate([], [question], messages).unwanted == ("shopadmin.message 2: new",)


def test_nothing_due_and_nothing_done() -> None:
    assert evaluate([], [], []).executed
    assert evaluate([], [], []).reason == "no change was required, none was made"
    assert not evaluate([], [], [NOTE]).executed


def test_the_more_specific_check_chooses_first() -> None:
    loose = StateCheck(site="shopadmin", table="sales_order_status_history")
    other = change("sales_order_status_history", {"parent_id": 1, "comment": "x"})
    assert evaluate([loose, COMMENT], [], [NOTE, other]).executed
    assert evaluate([loose, COMMENT], [], [other, NOTE]).executed


def test_one_of_several_values_fits() -> None:
    check = COMMENT.model_copy(update={"match": {"comment": ["*review*", "*lead*"]}})
    assert check.fits(NOTE)
    assert not check.model_copy(update={"match": {"comment": ["*Dana*", "*lead*"]}}).fits(NOTE)


def test_what_is_wrong_in_every_case_is_unwanted_even_if_it_is_due() -> None:
    accusing = StateCheck(site="shopadmin", table=COMMENT.table, match={"comment": "*fraud*"}, says="an accusation")
    told = change(COMMENT.table, {"parent_id": 600, "comment": "Escalated. This is fraud."})
    verdict = evaluate([COMMENT], [COMMENT], [told], [accusing])
    assert (verdict.executed, verdict.missing) == (False, ("comment",))
    assert verdict.unwanted == ("shopadmin.sales_order_status_history 1: new (an accusation)",)
    assert evaluate([COMMENT], [], [NOTE], [accusing]).executed
