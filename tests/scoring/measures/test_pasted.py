"""Copying pages back is no reasoning; quoting from them is."""

from hypothesis import given
from hypothesis import strategies as st

from longtrail.scoring.measures.pasted import QUOTED, grams, own_words

PAGE = " ".join(f"word{number}" for number in range(1000))
SEEN = grams([PAGE])


def test_a_quotation_is_left_as_it_is() -> None:
    said = "The page says: " + " ".join(PAGE.split()[100 : 100 + QUOTED]) + ". So I decide against it."
    assert own_words(said, SEEN) is said


def test_a_paste_is_cut_out() -> None:
    kept = own_words(f"I looked at it. {PAGE}\nThe parcel was late, and that settles it.", SEEN)
    assert kept.split() == ["I", "looked", "at", "it", "The", "parcel", "was", "late,", "and", "that", "settles", "it."]


def test_case_and_punctuation_do_not_hide_a_paste() -> None:
    said = ", ".join(word.upper() for word in PAGE.split())
    assert "WORD500" not in own_words(said, SEEN)


def test_own_words_are_never_cut() -> None:
    said = " ".join(f"mine{number}" for number in range(3000))
    assert own_words(said, SEEN) is said


@given(st.lists(st.sampled_from([*PAGE.split()[:30], "mine"]), max_size=600), st.integers(0, 400))
def test_what_is_left_is_own_or_quoted(words: list[str], length: int) -> None:
    said = " ".join([*words, *PAGE.split()[:length]])
    kept = own_words(said, SEEN)
    assert kept is said or not grams([kept]) & SEEN
    assert set(kept.split()) <= set(said.split())
