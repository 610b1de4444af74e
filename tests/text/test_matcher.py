"""The matcher: the examples of its data file, and its guarantees about lines. It reads no meaning."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from longtrail.clock import NOW
from longtrail.text.matcher import Atoms, matches
from longtrail.yaml_file import read_yaml

GROUPS = read_yaml(Path(__file__).parent / "data" / "match_cases.yaml")


def alternative(says: Any) -> str | Atoms:
    return says if isinstance(says, str) else Atoms.model_validate(says)


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group["topic"])
def test_it_finds_what_a_text_says_and_nothing_else(group: dict[str, Any]) -> None:
    says = alternative(group["says"])
    missed = [text for text in group["yes"] if matches(says, text, NOW) is None]
    assert not missed
    assert not [text for text in group["no"] if matches(says, text, NOW)]


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
        line = matches(alternative(group["says"]), text, NOW)
        assert line is None or line in text.split("\n")


@given(st.sampled_from([(g["says"], text) for g in GROUPS for text in g["yes"]]), TEXTS)
def test_other_lines_around_change_nothing(pair: tuple[Any, str], other: str) -> None:
    says, text = pair
    line = matches(alternative(says), f"{text}\n{other}", NOW)
    assert line is not None
    assert matches(alternative(says), f"?\n{text}", NOW) == line


@pytest.mark.parametrize("line", ["Straße № 5 – “Zoë’s” café", "ﬁrst: ZOE'S CAFE!", "x² — Zoë's café²"])
def test_a_line_is_returned_as_given(line: str) -> None:
    assert matches("zoe's cafe", f"Zoe\n{line}\nanother café", NOW) == line


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
