"""Figures: numbers as people read them, at the edges."""

import pytest

from longtrail.report import figures


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, "–"), (0.0, "0"), (1.0, "100"), (0.4615, "46.2"), (0.0004, "0"), (0.9996, "100"), (0.9994, "99.9")],
)
def test_percent(value: float | None, shown: str) -> None:
    assert figures.percent(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (950, "950"), (999.6, "1.00k"), (15_321, "15.3k"), (149_700, "150k"), (999_600, "1.00M"),
     (2_412_000, "2.41M"), (3.2e9, "3.20G"), (5e13, "50000G"), (None, "–")],
)  # fmt: skip
def test_tokens(value: float | None, shown: str) -> None:
    assert figures.tokens(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(None, "unknown"), (0, "$0"), (0.0123, "$0.0123"), (0.5, "$0.50"), (1234.5, "$1,234.50")]
)
def test_usd_tells_unknown_from_nothing(value: float | None, shown: str) -> None:
    assert figures.usd(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.0, "0 ms"), (0.85, "850 ms"), (12.44, "12.4 s"), (59.96, "1 min 00 s"), (185, "3 min 05 s"),
     (7_800, "2 h 10 min"), (3_599.7, "1 h 00 min"), (None, "–")],
)  # fmt: skip
def test_seconds(value: float | None, shown: str) -> None:
    assert figures.seconds(value) == shown


def test_the_rest() -> None:
    assert figures.span(0.381, 0.544) == "38–54"
    assert figures.span(None, 0.5) == ""
    assert figures.context(0) == "0"
    assert figures.context(150_000) == "150k"
    assert figures.context(1_500) == "1500"
    assert figures.whole(12345) == "12\u2009345"
    assert figures.decimal(None) == "–"


def test_stages_are_words() -> None:
    assert figures.part_name("a1") == "first part"
    assert figures.part_name("key_step_rate") == "the key steps"
    assert figures.part_name("decision") == "decision"
