"""Copying pages back is no reasoning; quoting from them is."""

from hypothesis import given
from hypothesis import strategies as st

from longtrail.scoring.measures.copied import BUDGET, grams, own_words

SENTENCES = [" ".join(f"word{20 * row + place}" for place in range(20)) + "." for row in range(50)]
PAGE = " ".join(SENTENCES)
SEEN = grams([PAGE])
PAGES = [PAGE]
OWN = "The parcel was late, and that settles it."


def test_quotations_are_left_as_they_are() -> None:
    said = "The page says so. " + " ".join(SENTENCES[: BUDGET // 20])
    assert own_words([said, OWN], PAGES) == [said, OWN]


def test_a_paste_is_cut_out() -> None:
    kept = own_words([f"I looked at it. {PAGE}\n{OWN}"], PAGES)[0]
    assert kept.split() == ["I", "looked", "at", "it.", *OWN.split()]


def test_one_budget_for_all_texts() -> None:
    """A paste in pieces is a paste."""
    parts = [" ".join(SENTENCES[start : start + 5]) for start in range(0, 25, 5)]
    assert own_words([*parts, OWN], PAGES) == [""] * 5 + [OWN]


def test_disguises_do_not_hide_a_paste() -> None:
    words = PAGE.split()
    for disguised in (
        ", ".join(word.upper() for word in words),
        " ".join(f"{word[:2]}\u200b{word[2:]}" if place % 4 == 0 else word for place, word in enumerate(words)),
        " ".join(word if place % 5 else f"indeed {word}" for place, word in enumerate(words)),
        "\u00a0".join(words),
        PAGE.replace("w", "\uff57"),
    ):
        assert not any("500" in text for text in own_words([disguised], PAGES)), disguised[:60]


def test_own_words_are_never_cut() -> None:
    said = " ".join(f"mine{number}" for number in range(3000))
    assert own_words([said, PAGE], PAGES)[0] == said


@given(st.lists(st.sampled_from([*SENTENCES[:30], OWN]), max_size=60))
def test_what_is_left_is_own_or_quoted(picked: list[str]) -> None:
    said = " ".join(picked)
    (kept,) = own_words([said], PAGES)
    assert kept == said or not grams([kept]) & SEEN
    assert set(kept.split()) <= set(said.split())
