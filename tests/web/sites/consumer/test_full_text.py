"""Full-text search: inflected, split, joined and misspelt words; texts with all words come before those with most."""

import pytest

from longtrail.web.sites.consumer.full_text import FullText
from tests.tables import tables_of

TABLES = tables_of(__file__)

TEXTS = TABLES["texts"]


@pytest.fixture(scope="module")
def texts() -> FullText:
    return FullText({"name": 8.0, "rest": 1.0}, TEXTS)


def names(texts: FullText, query: str) -> list[str]:
    return [TEXTS[row][0] for row in texts.find(query).rows]


@pytest.mark.parametrize(("query", "found"), TABLES["what_is_meant_is_found"])
def test_what_is_meant_is_found(texts: FullText, query: str, found: list[str]) -> None:
    assert names(texts, query) == found


@pytest.mark.parametrize(("query", "instead", "first"), TABLES["a_close_spelling_is_corrected"])
def test_a_close_spelling_is_corrected(texts: FullText, query: str, instead: str, first: str) -> None:
    found = texts.find(query)
    assert found.instead == instead
    assert TEXTS[found.rows[0]][0] == first


@pytest.mark.parametrize("query", ["chair", "air pods", "dota2", "oak poeple2", "oak"])
def test_what_is_spelt_rightly_is_not_corrected(texts: FullText, query: str) -> None:
    assert not texts.find(query).instead


def test_a_correction_that_no_text_holds_with_the_rest_is_left_out(texts: FullText) -> None:
    found = texts.find("dota tabel")
    assert not found.instead
    assert [TEXTS[row][0] for row in found.rows] == ["Dota 2"]


def test_only_some_texts_count(texts: FullText) -> None:
    assert texts.find("chair", among=lambda row: row == 2).rows == (2,)
    assert texts.find("green oak chair", among=lambda row: row != 2).rows == (0, 1)


def test_filler_of_a_page_says_nothing(texts: FullText) -> None:
    assert texts.find("game coffee", filler=("coffee",)).rows == (3,)
    assert texts.find("coffee", filler=("coffee",)).rows == (5,)
    assert texts.find("submarine coffee", filler=("coffee",)).rows == (5,)


def test_all_words_are_asked_for_and_none_by_a_shorter_beginning(texts: FullText) -> None:
    assert texts.all_of("Concord, CA") == {6}
    assert texts.all_of("North Carolina") == {5}
    assert texts.all_of("concord helicopter") == texts.all_of("") == frozenset()
