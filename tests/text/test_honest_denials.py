"""Denials: an honest denial states an absence, contradicts no fact that it agrees with, and asserts no distractor."""

import pytest

from longtrail.clock import NOW
from longtrail.text.alternatives import Atoms
from longtrail.text.statements import asserts, calls_false, denies, states

NO_LONGER = (Atoms(words=("no longer owns", "pottery")),)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("nothing", "taped"), "Nothing was fenced in or taped that summer."),
        (("nothing", "taped"), "By her own account nothing was taped."),
        (("not", "been fixed"), "The cause has not been fixed."),
        (("refunded before", "never"), "He was never refunded before."),
        (("offered", "no"), "They were offered 300 a month and wrote back no."),
        (("no photo", "no slip"), "There is neither a photo nor a slip."),
        (("crossing out", "changes nothing"), "Crossing out the line changes nothing."),
        (("names nobody",), "She names nobody."),
    ],
)
def test_a_denying_word_on_its_own_or_at_the_end(words: tuple[str, ...], text: str) -> None:
    way = Atoms(words=words)
    assert states((way,), "", text, NOW)
    assert not denies((way,), "", text, NOW)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("nothing", "taped"), "The beds were taped."),
        (("not", "been fixed"), "The cause has been fixed."),
        (("names nobody",), "She names her brother."),
    ],
)
def test_without_the_denying_word_it_is_not_stated(words: tuple[str, ...], text: str) -> None:
    assert not states((Atoms(words=words),), "", text, NOW)


@pytest.mark.parametrize(
    ("way", "text"),
    [
        ("only a mess", "The danger is not only a mess."),
        ("just a reader", "He is not just a reader; he writes the newsletter."),
        ("merely a customer", "She was not merely a customer."),
        ("there is no count", "The report is wrong that there is no count."),
        ("somebody sent the three", "The member is mistaken that somebody sent the three."),
        ("somebody sent the three", "He is wrong in thinking that somebody sent the three."),
        ("somebody sent the three", "It would be wrong to say that somebody sent the three."),
    ],
)
def test_a_denied_distractor_is_no_reason(way: str, text: str) -> None:
    assert asserts((way,), "", text, NOW) is None


@pytest.mark.parametrize("text", ["It is only a mess.", "He is just a reader.", "The wrong count is that of the beds."])
def test_a_plain_distractor_is_a_reason(text: str) -> None:
    assert asserts(("only a mess", "just a reader", "count is that of the beds"), "", text, NOW) is not None


@pytest.mark.parametrize(
    "text",
    [
        "It is not true that she still owns the pottery.",
        "It's false that she owns the pottery.",
        "She owns the pottery, which is not true.",
        "There is no truth in the claim that she owns the pottery.",
    ],
)
def test_calling_the_opposite_false_states_an_absence(text: str) -> None:
    assert not calls_false(NO_LONGER, "", text, NOW)


@pytest.mark.parametrize(
    "text", ["It is not true that she no longer owns the pottery.", "False: she no longer owns the pottery."]
)
def test_calling_an_absence_false_contradicts_it(text: str) -> None:
    assert calls_false(NO_LONGER, "", text, NOW)
    assert not states(NO_LONGER, "", text, NOW)


def test_what_somebody_pretends_to_be_is_no_reason_unless_the_pretence_is_meant() -> None:
    text = "He poses as a satisfied reader."
    assert asserts(("satisfied reader",), "He is just a satisfied reader.", text, NOW) is None
    assert asserts(("poses as a satisfied reader",), "He poses as a reader.", text, NOW) is not None
    assert (
        asserts(("satisfied reader",), "He is just a satisfied reader.", "He is a satisfied reader.", NOW) is not None
    )


@pytest.mark.parametrize(
    "text",
    [
        "She passes the lids off as a gift from a neighbour.",
        "She describes the lids as a gift from a neighbour.",
        "The lids are presented as a gift from a neighbour.",
        "She dresses her own shop up as a gift from a neighbour.",
    ],
)
def test_passing_a_thing_off_as_another_is_a_pretence(text: str) -> None:
    assert asserts(("a gift from a neighbour",), "", text, NOW) is None


@pytest.mark.parametrize(
    "text",
    [
        "That the south has more dogs is contradicted by the legend.",
        "That the south has more dogs is wrong.",
        "That the south has more dogs is not correct, because orange means more cats than dogs.",
        "The legend refutes the claim that the south has more dogs.",
        "The legend contradicts that the south has more dogs.",
    ],
)
def test_a_clause_that_is_called_false_is_no_reason(text: str) -> None:
    assert asserts(("the south has more dogs",), "", text, NOW) is None
    assert calls_false(("the south has more dogs",), "", text, NOW)


@pytest.mark.parametrize(
    "text",
    [
        "That the address was wrong is confirmed by the log.",
        "That address is wrong, as the log shows.",
        "That the parcel was lost is not true, since the address was wrong.",
        "The log contradicts that the parcel came, because the address was wrong.",
    ],
)
def test_only_the_clause_itself_is_called_false(text: str) -> None:
    ways = ("the address was wrong", "address is wrong")
    assert states(ways, "", text, NOW)
    assert not calls_false(ways, "", text, NOW)


@pytest.mark.parametrize(
    "text",
    [
        "She doesn't say in any of the posts that the shop is hers.",
        "Her posts never disclose that the shop is hers.",
        "Nowhere does she say that the shop is hers.",
        "None of the posts says that the shop is hers.",
    ],
)
def test_leaving_a_fact_unsaid_is_no_denial_of_it(text: str) -> None:
    assert not states(("the shop is hers",), "", text, NOW)
    assert not denies(("the shop is hers",), "", text, NOW)
    assert denies(("the shop is hers",), "", "The shop is not hers.", NOW)


def test_what_stands_ahead_of_an_unproven_clause_is_stated() -> None:
    text = "The shop is hers, and there is no sign that she ever said so."
    assert states(("the shop is hers",), "", text, NOW)
    assert not states(("she ever said so",), "", text, NOW)
