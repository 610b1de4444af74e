"""The narrator: its text agrees with the page, is always the same for an errand, and doesn't repeat itself."""

import re

import pytest

from longtrail.records.trajectory import Target
from longtrail.tasks.task import SEARCH_PAGE
from workshop.noise.bearing import ungrounded
from workshop.noise.errand import NoiseTaskStep
from workshop.noise.narrator import Narrator
from workshop.noise.page_summary import PageSummary
from workshop.noise.phrasebook import FIELDS, Deck, fields, phrasebook
from workshop.noise.played_step import PlayedStep
from workshop.noise.slips import MOST, SlipMaker
from workshop.tests.noise.test_errand import errand
from workshop.tests.noise.test_page_summary import ARTICLE, DETAIL, FORM, LIST, of

WHY = "Rugs lie on floors, and floors are what this is about."


def deed(page: PageSummary, role: str = "link", name: str = "LOHALS", **more: object) -> PlayedStep:
    move = NoiseTaskStep.model_validate({"click": {"role": role, "name": name}, "why": WHY, **more})
    return PlayedStep(move, page, Target(role=role, name=name), aim="find a rug", aim_after="buy the rug")


def test_every_phrasing_can_be_filled_in() -> None:
    book = phrasebook()
    assert len(book.every()) >= 700
    known = dict.fromkeys(FIELDS, "value")
    for phrasing in book.every():
        assert not re.search(r"[{}]", phrasing.format_map(known))
    assert len(set(book.every())) == len(book.every())


def test_a_deck_deals_each_phrasing_once_and_only_what_is_known() -> None:
    deck = Deck("a")
    phrasings = ("On {heading}.", "It costs {price}.", "Well.")
    dealt = {deck.deal(phrasings, {"heading": "Rugs", "price": ""}, set()) for _ in range(2)}
    assert dealt == {"On Rugs.", "Well."}
    assert deck.deal(phrasings, {"heading": "Rugs", "price": ""}, set()) == ""
    spoken = {"heading"}
    assert Deck("b").deal(("On {heading}.",), {"heading": "Rugs"}, spoken) == ""
    assert fields("{aim} and {plan}") == {"aim", "plan"}


def test_equal_errands_are_told_in_equal_words() -> None:
    def told(name: str) -> list[str]:
        narrator = Narrator(errand(id=name), phrasebook())
        step = deed(of(LIST))
        return [narrator.thought(step), narrator.reflection(step, of(DETAIL))]

    assert told("one") == told("one")
    assert told("one") != told("two")


def test_what_is_said_stands_on_the_page() -> None:
    """Forty errands over the same pages: no figure, quotation or name that the pages do not show."""
    for number in range(40):
        narrator = Narrator(errand(id=f"e{number}"), phrasebook())
        step = deed(of(LIST), then="It is flatwoven.")
        thought, reflection = narrator.thought(step), narrator.reflection(step, of(DETAIL))
        assert WHY in thought
        assert "It is flatwoven." in reflection
        seen = f"{LIST} {DETAIL} Shop Rugs"
        assert ungrounded(thought, seen) == ()
        assert ungrounded(reflection, seen) == ()


@pytest.mark.parametrize(
    ("page", "role", "name", "intent"),
    [
        (LIST, "link", "LOHALS", "item"),
        (LIST, "link", "Contact us", "follow"),
        (LIST, "checkbox", "gray", "filter"),
        (LIST.replace("unchecked", "checked"), "checkbox", "gray", "unfilter"),
        (DETAIL, "button", "Add to bag", "add"),
        (DETAIL, "button", "Save to favorites", "save"),
        (LIST, "button", "Save to favorites, LOHALS", "save"),
        (DETAIL, "button", "Bookmark", "save"),
        (DETAIL, "button", "Remove", "remove"),
        ('main\n [5] button "More+" collapsed\n', "button", "More+", "menu"),
        (FORM, "button", "Send", "submit"),
        (LIST, "link", "Page 2", "page"),
    ],
)
def test_what_a_click_is_for(page: str, role: str, name: str, intent: str) -> None:
    assert deed(of(page), role, name).intent == intent


def test_complaints_and_empty_lists_are_noticed() -> None:
    book = phrasebook()
    for number in range(10):
        narrator = Narrator(errand(id=f"e{number}"), book)
        refused = narrator.reflection(deed(of(ARTICLE), "button", "Send"), of(FORM))
        assert "Your name is required" in refused
        empty = of('main\n heading "Search" level=1\n No page matches your search.\n')
        told = narrator.reflection(deed(of(LIST)), empty)
        assert any(wording in told.lower() for phrasing in book.judge["empty"] for wording in wordings(phrasing))


def wordings(phrasing: str) -> set[str]:
    """The different wordings, in lower case, in two hundred draws of a phrasing without fields."""
    deck = Deck("wordings", None, phrasebook())
    return {deck.worded(phrasing).lower() for _ in range(200)}


def test_alternatives_are_drawn_each_time() -> None:
    deck = Deck("a")
    told = {deck.worded("[I'm|I am] on {heading}[ now|].") for _ in range(60)}
    assert told == {f"{who} on {{heading}}{when}." for who in ("I'm", "I am") for when in (" now", "")}
    assert all(not re.search(r"[\[\]|]", deck.worded(phrasing)) for phrasing in phrasebook().every())


def slips_of(page: PageSummary, move: NoiseTaskStep, errands: int = 300) -> list[tuple[NoiseTaskStep, ...]]:
    """The slips that many errands make before a move on a page. Checks that no errand makes too many."""
    made = []
    for number in range(errands):
        maker = SlipMaker(errand(id=f"e{number}"), phrasebook())
        found = [maker.before(move, page, "find a rug") for _ in range(30)]
        assert sum(bool(one) for one in found) <= MOST
        assert maker.before(move, of(FORM), "find a rug") == ()
        made += [one for one in found if one]
    return made


def test_a_slip_takes_a_link_that_the_errand_has_no_use_for() -> None:
    """Over many errands: some slips, none on a form, none with the errand's own links."""
    page = of(DETAIL)
    clicked = [one for one in slips_of(page, errand().moves[0]) if one[0].click is not None]
    assert clicked
    for one in clicked:
        assert one[0].click is not None
        assert one[0].click.name in page.links
        assert one[0].click.name not in str(errand().moves)
        assert one[-1].back


def test_slips_of_all_kinds_are_made() -> None:
    """A wrong link, the page once more, a guessed address, a search for the aim, a needless scroll. A slip that leaves
    the page also goes back."""
    page = of(LIST.replace("main\n", 'search\n [99] searchbox "Search"\nmain\n', 1))
    made = slips_of(page, errand().moves[0])
    guessed = [one for one in made if one[0].goto not in (None, page.url)]
    searched = [one for one in made if one[0].fill is not None]
    assert guessed
    assert searched
    assert any(one[0].goto == page.url and len(one) == 1 for one in made)
    assert any(one[0].scroll == "down" and len(one) == 1 for one in made)
    assert all(one[1].back for one in (*guessed, *searched))
    assert all(one[0].fill is not None and one[0].fill.text == "find a rug" for one in searched)


def test_a_search_is_mistyped_first_and_then_made() -> None:
    move = NoiseTaskStep.model_validate(
        {"fill": {"role": "searchbox", "name": "Search", "text": "flatwoven", "enter": True}, "why": WHY}
    )
    typed = [one[0].fill for one in slips_of(of(LIST), move) if one[0].fill is not None]
    assert typed
    for field in typed:
        assert field is not None
        assert field.text != "flatwoven"
        assert sorted(field.text) == sorted("flatwoven")


def test_some_errands_begin_with_a_needless_web_search() -> None:
    start = of('heading "Search" level=1\n [1] searchbox "Search the web"', url=SEARCH_PAGE)
    makers = [SlipMaker(errand(id=f"e{number}"), phrasebook()) for number in range(90)]
    begun = [maker.before(errand().moves[0], start, "find a rug") for maker in makers]
    assert 10 <= sum(bool(one) for one in begun) <= 30
    assert all(one[0].search == "find a rug" for one in begun if one)
