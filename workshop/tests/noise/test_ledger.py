"""The ledger: counts sentences by their form, so that none is used too often."""

from workshop.noise.ledger import OFTEN, Ledger, form, forms
from workshop.noise.narrator import Narrator
from workshop.noise.phrasebook import Deck, phrasebook
from workshop.tests.noise.test_errand import errand
from workshop.tests.noise.test_narrator import deed
from workshop.tests.noise.test_page_summary import DETAIL, LIST, of


def test_the_form_is_what_does_not_differ_from_page_to_page() -> None:
    assert form('On "Rugs" I see LOHALS ($49.99) and 12 more.') == form('On "Sofas" I see KIVIK ($799.00) and 3 more.')
    assert form("It costs $5.") != form("It cost $5.")
    assert len(forms('It opened. "Rugs" is its title. Then 12 follow.')) == 3


def test_the_most_frequent_form_of_a_text_counts() -> None:
    ledger = Ledger(["The page is open. It worked.", "It worked."])
    assert ledger.uses("The page is open.") == 1
    assert ledger.uses("The page is open. It worked.") == 2
    assert ledger.uses("Nothing of the kind.") == 0
    ledger.add("It worked. It worked.")
    assert ledger.uses("It worked.") == 4


def test_a_deck_says_nothing_rather_than_what_was_said_too_often() -> None:
    ledger, phrasings = Ledger(), ("It [worked|went well].",)
    told = [Deck(f"d{number}", ledger).deal(phrasings, {}, set()) for number in range(12)]
    assert sorted(filter(None, told)) == sorted(["It worked.", "It went well."] * (OFTEN - 1))
    assert told[-1] == ""


def test_words_of_one_meaning_are_exchanged_and_fields_are_not() -> None:
    book = phrasebook()
    deck = Deck("a", None, book)
    told = {deck.worded("I'm looking at {several} entries, right now") for _ in range(200)}
    assert len(told) > 4
    assert all("{several}" in text for text in told)
    assert {"I am", "I'm"} == {text.split(" looking")[0] for text in told}


def test_many_errands_over_the_same_pages_wear_no_sentence_out() -> None:
    ledger = Ledger()
    for number in range(60):
        narrator = Narrator(errand(id=f"e{number}"), phrasebook(), ledger)
        step = deed(of(LIST), why=f"Errand {number} has a reason of its own, as every errand has.")
        narrator.thought(step)
        narrator.reflection(step, of(DETAIL))
    worn = {text: uses for text, uses in ledger.counted().items() if uses >= OFTEN and "reason" not in text}
    assert not worn
