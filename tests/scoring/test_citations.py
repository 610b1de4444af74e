"""Citations: which quotations give a fact, and which don't; all recorded references give theirs."""

from collections.abc import Sequence

import pytest

from longtrail.agents.readers import WORDS
from longtrail.checks.decisions import decision_table
from longtrail.checks.facts import Distractor, Fact
from longtrail.records.action import Decide, Evidence
from longtrail.scoring.citations import MOST_IRRELEVANT, Citations
from longtrail.scoring.shown_pages import ShownPage, delivered
from longtrail.text.matcher import Atoms
from tests.scoring.recorded import Played, played
from tests.tables import grouped, tables_of

TABLES = tables_of(__file__)

ORDER = "https://shopadmin.test/admin/sales/order/view/order_id/623/"
TWIN = "https://shopadmin.test/admin/sales/order/view/order_id/624/"
LOG = "https://shopadmin.test/admin/logging/event/"
FACT = Fact(
    id="trace",
    says="The inquiry of March 11 is open.",
    shown=(Atoms(words=("postmaster of Providence", "nothing back")),),
    deciding=("neither yes nor no",),
    pages=("order:623",),
)
PAGE = TABLES["page"]
ROWS = "\n".join(
    (
        "row: Jan 14, 2026, 7:55 AM | Login | care.mbrandt | Signed in",
        "row: Jan 15, 2026, 7:58 AM | Login | care.mbrandt | Signed in",
        "row: Jan 16, 2026, 7:51 AM | Login | care.mbrandt | Signed in",
        "row: Jan 19, 2026, 8:02 AM | Login | care.mbrandt | Signed in",
    )
)
PAGES = (
    ShownPage(1, frozenset({"order:623"}), PAGE, url=ORDER),
    ShownPage(2, frozenset({"order:624"}), "Inquiry with the postmaster of Providence. Nothing back so far.", url=TWIN),
    ShownPage(3, frozenset({"log"}), ROWS, url=LOG),
)


def cited(quote: str, shows: str = "", *, source: str = ORDER, fact: Fact = FACT) -> bool:
    pieces = (Evidence(source=source, quote=quote, shows=shows),)
    decision = Decide(decision="DENY", justification="", evidence=pieces)
    return Citations(decision, PAGES).given_by(fact) == 1


def test_an_empty_search_is_a_record() -> None:
    """Of what was searched for, and only if it was the right thing."""
    none = Fact(id="none", says="No post links it.", shown=("0 results",), pages=("forum:search/160256",))
    search = "https://forum.test/search?q="
    pages = [ShownPage(1, frozenset({"forum:search"}), "Search\n0 results", url=f"{search}call")]
    decision = Decide(decision="DENY", justification="", evidence=(Evidence(source="search", quote="0 results"),))
    assert delivered(none, pages) is Citations(decision, tuple(pages)).given_by(none) is None
    pages.append(ShownPage(2, frozenset({"forum:search/160256"}), "Search\n0 results", ("160256",), f"{search}160256"))
    assert delivered(none, pages) == 2
    assert Citations(decision, tuple(pages)).given_by(none) == 1


@pytest.mark.parametrize(("fact", "quote"), grouped(TABLES["quotations"]))
def test_a_quotation_of_the_record_gives_the_fact_and_another_does_not(fact: str, quote: str) -> None:
    assert cited(quote) is (fact == "given")
    assert cited(quote, "The inquiry of March 11 has the file 88-3107.") is (fact == "given")


def test_words_of_its_own_give_nothing() -> None:
    assert not cited("Customer rang about the postage", FACT.says)


@pytest.mark.parametrize("shows", ["The file is 88-3109.", "The inquiry is of November 3.", "It is of March 29, 2026."])
def test_a_typed_value_must_not_disagree(shows: str) -> None:
    assert not cited("the postmaster of Providence. Nothing back so far", shows)


def test_records_with_the_same_words_are_told_apart_by_their_page() -> None:
    quote = "Inquiry with the postmaster of Providence. Nothing back so far"
    assert cited(quote, source=ORDER)
    assert cited(quote, source="the notes")
    assert not cited(quote, source=TWIN)


def test_a_short_quotation_of_many_rows_needs_to_say_which() -> None:
    fact = Fact(
        id="signed-in",
        says="Mara Brandt was signed in on January 14.",
        shown=(Atoms(date=("2026-01-14",), words=("care.mbrandt",)),),
        pages=("log",),
    )
    assert cited("Jan 14, 2026, 7:55 AM | Login | care.mbrandt", source=LOG, fact=fact)
    assert not cited("care.mbrandt", source=LOG, fact=fact)
    assert cited("care.mbrandt", "She was there on January 14.", source=LOG, fact=fact)
    assert not cited("Jan 15, 2026, 7:58 AM | Login | care.mbrandt", source=LOG, fact=fact)


def test_a_head_belongs_to_what_is_below_it() -> None:
    """A fact of author and date is given by any passage of the comment."""
    fact = Fact(id="rang", says="She rang.", shown=("Mar 2, 2026 4:10:00 PM",), pages=("order:623",))
    assert cited("The box is at home.", fact=fact)
    assert not cited("Nothing back so far, neither", fact=fact)


def test_a_picture_is_cited_by_what_it_shows() -> None:
    picture = "https://forum.test/submission_images/a1b2c3"
    fact = Fact(id="map", says="It is of 1998.", shown=("Edition of June 1998",), pages=("image:a1b2c3",))
    page = ShownPage(
        1, frozenset({"forum:submission/160251", "image:a1b2c3"}), "A map", url="https://forum.test/f/maps/160251"
    )
    for quote, seen, expected in (
        ("small print: Edition of June 1998", frozenset({"image:a1b2c3"}), 1),
        ("a map of the county", frozenset({"image:a1b2c3"}), None),
        ("small print: Edition of June 1998", frozenset[str](), None),
    ):
        decision = Decide(decision="X", justification="", evidence=(Evidence(source=picture, quote=quote),))
        assert Citations(decision, (page,), seen).given_by(fact) == expected


def test_distractors_count_where_their_record_is_quoted() -> None:
    distractor = Distractor(id="postage", says="It is about postage.", said=("the postage",), pages=("order:623",))
    quote = Evidence(source=ORDER, quote="Customer rang about the postage")
    for piece, expected in ((quote, 1), (quote.model_copy(update={"use": "ruled_out"}), 0)):
        decision = Decide(decision="X", justification="", evidence=(piece,))
        assert len(Citations(decision, PAGES).distractors((distractor,), (FACT,))) == expected


@pytest.mark.parametrize("name", sorted(played()))
def test_every_reference_cites_its_facts(name: str) -> None:
    case = played()[name]
    rules = frozenset(page.casefold() for page in decision_table(case.task.suite).rules)
    citations = Citations(case.decision, case.pages, pictures(case))
    assert not [fact.id for fact in case.task.required if not fact.pictured and not citations.given_by(fact)]
    assert len(citations.irrelevant(case.task.investigation_facts, rules)) <= MOST_IRRELEVANT


def proves(case: Played, quotations: Sequence[tuple[str, str]]) -> bool:
    """Whether these quotations (source, words) give all facts without too many irrelevant ones, after the whole
    investigation."""
    pieces = tuple(Evidence(source=source, quote=quote) for source, quote in quotations)
    rules = frozenset(page.casefold() for page in decision_table(case.task.suite).rules)
    citations = Citations(case.decision.model_copy(update={"evidence": pieces}), case.pages, pictures(case))
    given = all(citations.given_by(fact) for fact in case.task.required)
    return given and len(citations.irrelevant(case.task.investigation_facts, rules)) <= MOST_IRRELEVANT


@pytest.mark.parametrize("name", sorted(played())[::10])
def test_quoting_without_choosing_proves_nothing(name: str) -> None:
    """Twelve common words; twelve long pieces of several records."""
    case = played()[name]
    assert not proves(case, [(case.pages[0].url, word) for word in WORDS])
    assert not proves(case, [(page.url, page.text[at : at + 400]) for page in case.pages for at in (0, 400, 800)])


def test_the_longest_lines_prove_next_to_nothing() -> None:
    """The twelve longest lines of all pages."""
    proven = []
    for case in list(played().values())[::10]:
        lines = {line.strip()[:400]: page.url for page in case.pages for line in page.lines}
        proven.append(proves(case, [(lines[line], line) for line in sorted(lines, key=len, reverse=True)[:12]]))
    assert sum(proven) <= 0.05 * len(proven)


def pictures(case: Played) -> frozenset[str]:
    return frozenset(key for page in case.pages for key in page.keys if key.startswith("image:"))


@pytest.mark.parametrize(
    "text", ["$" + "9" * 4_000, "one hundred " * 330, "\u00bd \u2153 \u00b2 " * 660, "0" * 4_000, "#" * 4_000]
)
def test_no_text_makes_it_raise_or_proves_a_fact(text: str) -> None:
    """Texts without bound: long numbers, number words, fractions."""
    evidence = (Evidence(source=text[:2_000], quote=text[:4_000], shows=text[:4_000]),) * 12
    citations = Citations(Decide(decision="X", justification=text, evidence=evidence), PAGES)
    assert citations.given_by(FACT) is None
