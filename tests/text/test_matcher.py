"""The matcher: the examples of its data file, and its guarantees about spans. It reads no meaning."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from longtrail.clock import NOW
from longtrail.text.folding import fold, offsets
from longtrail.text.matcher import Atoms, matches
from longtrail.yaml_file import read_yaml

GROUPS = read_yaml(Path(__file__).parent / "data" / "match_cases.yaml")


def alternative(says: Any) -> str | Atoms:
    return says if isinstance(says, str) else Atoms.model_validate(says)


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group["topic"])
def test_it_finds_what_a_text_says_and_nothing_else(group: dict[str, Any]) -> None:
    says = alternative(group["says"])
    missed = [text for text in group["yes"] if matches(says, text, NOW) is None]
    wrong = {text: matches(says, text, NOW) for text in group["no"]}
    assert not missed
    assert not {text: span.text for text, span in wrong.items() if span}


def test_the_data_file_is_large_and_balanced() -> None:
    assert sum(len(group["yes"]) for group in GROUPS) >= 200
    assert sum(len(group["no"]) for group in GROUPS) >= 150


TEXTS = st.text(
    st.one_of(
        st.sampled_from(" \n.,:;!?'\"-$%#0123456789"),
        st.sampled_from(list("aeinorstAEINORST")),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=200,
)


@given(TEXTS)
def test_any_text_can_be_searched(text: str) -> None:
    for group in GROUPS[::7]:
        span = matches(alternative(group["says"]), text, NOW)
        assert span is None or text[span.start : span.end] == span.text


@given(st.sampled_from([(g["says"], text) for g in GROUPS for text in g["yes"]]), TEXTS)
def test_other_lines_around_change_nothing(pair: tuple[Any, str], other: str) -> None:
    says, text = pair
    span = matches(alternative(says), f"{text}\n{other}", NOW)
    assert span is not None
    later = matches(alternative(says), f"?\n{text}", NOW)
    assert later is not None
    assert (later.start, later.end, later.text) == (span.start + 2, span.end + 2, span.text)


@given(st.text(st.sampled_from("abc \n.,'’é—–ﬁ²ßøİ１⁄Ⅷ")))
def test_folding_keeps_track_of_where_things_stood(text: str) -> None:
    index = offsets(text)
    folded = fold(text)
    assert folded.count("\n") == text.count("\n")
    if index is None:
        assert folded == text.lower()
    else:
        assert len(index) == len(folded)
        assert index == sorted(index)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Straße № 5 – “Zoë’s” café", "Zoë’s” café"),
        ("ﬁrst: ZOE'S CAFE!", "ZOE'S CAFE"),
        ("x² — Zoë's café²", "Zoë's café"),
    ],
)
def test_spans_are_those_of_the_text_as_given(text: str, found: str) -> None:
    span = matches("zoe's cafe", text, NOW)
    assert span is not None
    assert span.text == text[span.start : span.end] == found


def test_a_denial_is_a_word_like_any_other() -> None:
    assert matches("account takeover", "There is no account takeover.", NOW)
    assert matches("no account takeover", "This is an account takeover.", NOW) is None


@pytest.mark.parametrize(
    "wrong", [{}, {"date": ["27 January"]}, {"date": ["2026-02-30"]}, {"moneys": [3]}, {"money": ["a lot"]}]
)
def test_atoms_that_say_nothing_are_refused_when_they_are_loaded(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Atoms.model_validate(wrong)


def test_a_duration_that_is_none_is_an_error() -> None:
    with pytest.raises(ValueError, match="49 days"):
        matches(Atoms(duration=("soon",)), "soon", NOW)
