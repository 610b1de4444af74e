"""Given: a decision gives a fact by quoting it, by citing its record, or by stating it in words of its own."""

import pytest

from longtrail.checks.facts import Fact
from longtrail.clock import NOW
from longtrail.records.action import Evidence
from longtrail.scoring.measures.delivery import ShownPage
from longtrail.scoring.measures.evidence import Reasons, given
from longtrail.text.alternatives import Atoms

ORDER = "https://shopadmin.test/admin/sales/order/view/order_id/623/"
FACT = Fact(
    id="trace",
    says="The inquiry with the Postal Service is open, nothing has come back.",
    shown=(Atoms(words=("postmaster of Providence", "nothing back")),),
    pages=("order:623",),
)
PAGE = "\n".join(
    (
        "Order #000000623",
        "Grand Total: $80.45",
        "Slip of the sign-in team: new password on Feb 28.",
        "Mar 11, 2026, 9:12 AM",
        "Inquiry with the postmaster of Providence. Nothing back so far, neither yes nor no.",
        "Written by Tamsin",
        "Mar 2, 2026, 4:10 PM",
        "Customer rang about the postage. Nothing refunded.",
    )
)
PAGES = (ShownPage(1, frozenset({"order:623"}), PAGE, ()),)


def how(quote: str = "", shows: str = "", prose: str = "") -> str:
    pieces = (Evidence(source=ORDER, quote=quote, shows=shows),) if quote or shows else ()
    return given(FACT, Reasons(pieces, tuple(text for text in (shows, prose) if text)), PAGES, NOW)


def test_a_quotation_of_the_passage() -> None:
    assert how("the postmaster of Providence. Nothing back so far").startswith("quoted")


@pytest.mark.parametrize(
    ("quote", "shows"),
    [
        ("nothing back so far, neither yes nor no", "The postmaster has not replied to the inquiry of March 11."),
        ("Nothing back so far, neither yes nor no.", "Nobody has answered our inquiry yet."),
        ("Mar 11, 2026, 9:12 AM", "The inquiry with the post is from that day, and nothing has come back."),
    ],
)
def test_a_piece_that_quotes_the_record_and_says_what_it_shows(quote: str, shows: str) -> None:
    assert how(quote, shows)


@pytest.mark.parametrize(
    ("quote", "shows"),
    [
        ("nothing back so far, neither yes nor no", "This bears the decision out."),  # says nothing of it
        ("nothing back so far, neither yes nor no", "The postmaster has replied to the inquiry."),  # the opposite
        ("Grand Total: $80.45", "The inquiry was about this amount."),  # another record
        ("Customer rang about the postage", "She rang about an inquiry with the Postal Service."),
        ("Mar 12, 2026, 9:12 AM", "The inquiry with the post is of that day."),  # another day
        ("nothing was ever said by the postmaster", "The inquiry of March 11 was not answered."),  # not on the page
    ],
)
def test_a_piece_that_does_not(quote: str, shows: str) -> None:
    assert how(quote, shows) == ""


def test_a_sentence_in_words_of_the_page() -> None:
    assert how(prose="The inquiry with the postmaster is open; so far nothing has come back from Providence.")


@pytest.mark.parametrize(
    "prose",
    [
        "The inquiry with the Postal Service is not open, and nothing has come back.",
        "The inquiry with the postmaster of March 3 is open.",  # another day
        "Is the inquiry with the Postal Service open, has nothing come back?",
        "Nothing was refunded.",
    ],
)
def test_a_sentence_that_denies_it_or_has_other_values_or_is_of_something_else(prose: str) -> None:
    assert how(prose=prose) == ""
