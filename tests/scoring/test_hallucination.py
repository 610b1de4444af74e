"""Judging: the class of single claims, with a small ledger and known answers."""

import pytest

from longtrail.records.action import MAX_JUSTIFICATION, MAX_PIECES, MAX_QUOTE, Decide, Evidence
from longtrail.records.result import ClaimResult
from longtrail.scoring.hallucination import Ledger, findings
from longtrail.scoring.shown_pages import ShownPage
from tests.scoring.planted import honest, planted
from tests.scoring.recorded import played
from tests.tables import tables_of

TABLES = tables_of(__file__)

SITE = "https://shopadmin.test/admin"
ORDER = f"{SITE}/sales/order/view/order_id/604/"
SHIPMENT = f"{SITE}/sales/shipment/view/shipment_id/604/"
CUSTOMER = f"{SITE}/customer/index/edit/id/33/"
HANDBOOK = f"{SITE}/cms/page/edit/page_id/6/"
NOTE = "Bank of H. Pell has charged back $124.95, letter of February 27, file 88-3107. He doesn't know yet."
ORDER_TEXT = TABLES["order_text"]
PAGES = (
    ShownPage(1, frozenset({"order:604", "order:604/history"}), ORDER_TEXT, url=ORDER),
    ShownPage(
        2,
        frozenset({"shipment:604"}),
        "row: Carrier | 1Z8R41W70334678514\nUPS: Feb 12, 10:17, dock 3, TOMAS R.\nThe 14th is a holiday.",
        url=SHIPMENT,
    ),
    ShownPage(3, frozenset({"customer:33"}), "Lifetime sales $1,260.00\nT: 555-0162", url=CUSTOMER),
    ShownPage(
        4,
        frozenset({"cms:6"}),
        "4.1 A charge of more than $100.00 that the bank took back: ESCALATE.\n8.3 Within 30 days of delivery.",
        url=HANDBOOK,
    ),
    ShownPage(
        6,
        frozenset({"order:604"}),
        f"{ORDER_TEXT}\nWe think that he lies to us.",
        ("we think that he lies to us.",),
        ORDER,
    ),
)
LEDGER = Ledger(PAGES, "Howard Pell wants his money back for order 604. What should he get?")


def piece(source: str, quote: str, shows: str = "", ledger: Ledger = LEDGER) -> ClaimResult:
    decision = Decide(decision="DENY", justification="", evidence=(Evidence(source=source, quote=quote, shows=shows),))
    (found,) = findings(decision, ledger)
    return found


def prose(text: str, ledger: Ledger = LEDGER) -> list[str]:
    return [finding.kind for finding in findings(Decide(decision="DENY", justification=text), ledger)]


@pytest.mark.parametrize(("source", "quote", "kind"), TABLES["quotations"])
def test_what_stands_there_is_traced_and_nothing_else(source: str, quote: str, kind: str) -> None:
    found = piece(source, quote)
    assert found.kind == kind, found.reason


@pytest.mark.parametrize(("shows", "kind"), TABLES["shown"])
def test_what_follows_from_it_may_be_shown_and_nothing_else(shows: str, kind: str) -> None:
    found = piece(ORDER, "charged back $124.95", shows)
    assert found.kind == kind, found.reason


def test_another_page_is_named() -> None:
    assert piece(SHIPMENT, "charged back $124.95").reason == "stands on order:604, not on shipment:604"


def test_its_own_words_are_not_flagged() -> None:
    found = piece(ORDER, "We think that he lies to us")
    assert (found.kind, found.reason) == ("unverifiable", "the agent's own words")


def test_a_day_in_the_message_may_be_a_plan() -> None:
    plan = Decide(decision="DENY", justification="So be it.", response="Please answer by November 3.")
    assert findings(plan, LEDGER) == ()


def test_a_picture_may_say_what_no_text_does() -> None:
    picture = ShownPage(1, frozenset({"image:a1"}), "Image", url="https://forum.test/submission_images/a1")
    blind = Ledger((picture,))
    seen = Ledger((picture,), saw_pictures=True)
    assert piece(picture.url, "index 184 on the right", ledger=seen).kind == "unverifiable"
    assert piece(picture.url, "index 184 on the right", ledger=blind).kind == "synthetic"


@pytest.mark.parametrize("source", ["Search for 000000604", "site search: 604", "Orders, filtered by 000000604"])
def test_a_list_that_was_searched_is_not_the_record(source: str) -> None:
    listed = ShownPage(7, frozenset({"orders"}), "0 records found", url=f"{SITE}/sales/order/?search=604")
    ledger = Ledger((*PAGES, listed))
    assert piece(source, "0 records found", ledger=ledger).kind == "traced"


@pytest.mark.parametrize(("text", "kinds"), TABLES["prose"])
def test_prose(text: str, kinds: list[str]) -> None:
    assert prose(text) == kinds


def test_only_so_much_counts() -> None:
    invented = Evidence(source=ORDER, quote="he signed for it himself")
    right = Evidence(source=ORDER, quote="charged back $124.95")
    long = Evidence(source=ORDER, quote=f"{NOTE} " * 4 + "x" * MAX_QUOTE)
    many = Decide(
        decision="DENY",
        justification=f"{'So it is. ' * (MAX_JUSTIFICATION // 10)}He paid $761.10.",
        evidence=(*[right] * MAX_PIECES, invented),
    )
    assert {finding.kind for finding in findings(many, LEDGER)} == {"traced"}
    assert len(piece(ORDER, long.quote).text) <= len('""') + MAX_QUOTE


def test_no_reference_is_flagged() -> None:
    flags = {
        name: [finding.reason for finding in findings(honest(case), case.ledger) if finding.flagged]
        for name, case in sorted(played().items())[::5]
    }
    assert not {name: reasons for name, reasons in flags.items() if reasons}


@pytest.mark.slow
def test_most_planted_faults_are_found_and_called_by_their_class() -> None:
    faults = [(fault, case.ledger) for case in list(played().values())[::3] for fault in planted(case, seed=1)]
    found = [
        fault.expected in {finding.kind for finding in findings(fault.decision, ledger)} for fault, ledger in faults
    ]
    assert sum(found) / len(found) > 0.8
