"""Reading axtree text as the browser writes it: elements within text, quotes in names, marks."""

import pytest

from longtrail.records.axtree_text import elements, find, words
from tests.tables import tables_of

TABLES = tables_of(__file__)

PAGE = TABLES["page"]


def test_elements_in_document_order() -> None:
    listed = [(each.id, each.role, each.name) for each in elements(PAGE)]
    assert listed[:6] == [
        ("1", "link", "Acme \\ Co"),
        ("2", "searchbox", "Search orders"),
        ("7", "link", "Kevin Zhang"),
        ("8", "link", "his 4 other orders"),
        ("9", "link", "000000635"),
        ("10", "button", 'Say "hello'),
    ]
    assert [each[0] for each in listed] == ["1", "2", "7", "8", "9", "10", "11", "12", "13", "14"]
    assert next(each for each in elements(PAGE) if each.id == "7").rest == "on 3 March,"


@pytest.mark.parametrize(("role", "name", "ids"), TABLES["find_by_role_and_name"])
def test_find_by_role_and_name(role: str, name: str, ids: list[str]) -> None:
    assert list(find(PAGE, role, name)) == ids


def test_words_are_what_a_person_reads() -> None:
    text = words(PAGE)
    assert "Placed by Kevin Zhang on 3 March, his 4 other orders, all shipped." in text
    assert "Order #000000635" in text
    assert "truncated" not in text
    assert "[7]" not in text


def test_words_of_cards() -> None:
    text = 'listitem\n [1] link "Rope"\n deletion "$12.00" $9.00\narticle\n Gone fishing.'
    assert words(text) == "Rope $12.00 $9.00 Gone fishing."


CARDS = TABLES["cards"]


@pytest.mark.parametrize(("name", "within", "ids"), TABLES["the_card_tells_equal_buttons_apart"])
def test_the_card_tells_equal_buttons_apart(name: str, within: str, ids: list[str]) -> None:
    role = "combobox" if name == "Quantity" else "button"
    assert list(find(CARDS, role, name, within)) == ids
