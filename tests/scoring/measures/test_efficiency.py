"""Efficiency: known answers, bounds, and that irrelevant steps never raise it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longtrail.scoring.measures.catalog import MEASURES
from longtrail.scoring.measures.efficiency import efficiency, paper_efficiency_cumulative

CRITICAL, RELEVANT = frozenset({"order:600"}), frozenset({"orders"})
C, R, X = CRITICAL, RELEVANT, frozenset({"dashboard"})
TRAILS = st.lists(st.sampled_from([C, R, X, C | R, frozenset()]), max_size=30)


def ours(*trail: frozenset[str]) -> float:
    return efficiency(trail, CRITICAL, RELEVANT)


def papers(*trail: frozenset[str], start: str | None = "dashboard") -> float:
    return paper_efficiency_cumulative(trail, CRITICAL, RELEVANT, start)


def test_known_answers() -> None:
    assert ours(C) == 0.95
    assert ours(X, X, X) == 0.0
    assert ours() == 0.0
    assert ours(X, C) == pytest.approx(0.95**2 / 2)
    assert ours(R) == pytest.approx(0.095)
    assert ours(C | R) == 0.95


def test_known_answers_of_the_papers_tables() -> None:
    assert papers(C) == 1.0
    assert papers(X, C) == pytest.approx(0.1 + 0.95)
    assert papers(X, R, C) == pytest.approx(0.1 + 0.95 * 0.5 + 0.95**2)
    assert papers(X, X, start=None) == 0.0
    assert papers() == 0.0
    assert papers(*[C] * 40) == papers(*[C] * 25) == pytest.approx((1 - 0.95**25) / 0.05)


@given(TRAILS)
def test_bounds(trail: list[frozenset[str]]) -> None:
    assert MEASURES["efficiency"].admits(ours(*trail))
    assert MEASURES["paper_efficiency_cumulative"].admits(papers(*trail))


@given(TRAILS, st.integers(0, 30))
def test_one_more_irrelevant_step_never_raises_it(trail: list[frozenset[str]], place: int) -> None:
    place = min(place, len(trail))
    assert ours(*trail[:place], X, *trail[place:]) <= ours(*trail) + 1e-12
