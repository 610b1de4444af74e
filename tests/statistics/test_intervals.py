"""Intervals: Wilson against published values, the task as the unit, and no false certainty."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from longtrail.statistics.rates import cluster, clustered_rate, interval, wilson


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [(25, 56, 0.324, 0.576), (25, 250, 0.069, 0.143), (0, 56, 0.0, 0.064), (56, 56, 0.936, 1.0)],
)
def test_known_answers(k: int, n: int, low: float, high: float) -> None:
    assert wilson(k / n, n) == pytest.approx((low, high), abs=5e-4)


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_it_is_scipys(counts: tuple[int, int]) -> None:
    k, n = counts
    found = binomtest(k, n).proportion_ci(method="wilson")
    assert wilson(k / n, n) == pytest.approx((found.low, found.high), abs=1e-9)


def test_nothing_measured_is_nothing_known() -> None:
    assert wilson(0.0, 0) == (0.0, 1.0)
    assert interval([], rate=True) == (0.0, 1.0)


def test_repeats_are_not_more_tasks() -> None:
    """Ten tasks whose repeats all end alike give about the same interval, however many repeats there are."""
    once = interval([[1.0]] * 5 + [[0.0]] * 5, rate=True)
    often = interval([[1.0] * 10] * 5 + [[0.0] * 10] * 5, rate=True)
    assert often[1] - often[0] > 0.9 * (once[1] - once[0])


def test_students_t_over_task_means() -> None:
    assert cluster([0.0, 0.5, 1.0]) == pytest.approx((0.5 - 4.302653 * 0.5 / 3**0.5, 0.5 + 4.302653 * 0.5 / 3**0.5))
    assert cluster([0.4]) == (0.4, 0.4)


def test_the_clustered_score_interval() -> None:
    """Task means 0, 0.5, 1: mean 0.5, se^2 1/12, so 3 cases' worth; t with 2 degrees of freedom is 4.302653."""
    half = 4.302653 * (0.25 / 3 + 4.302653**2 / 36) ** 0.5 / (1 + 4.302653**2 / 3)
    assert clustered_rate([0.0, 0.5, 1.0]) == pytest.approx((0.5 - half, 0.5 + half))


def test_with_one_outcome_a_task_it_is_wilsons_but_for_t_and_the_samples_variance() -> None:
    means = [1.0] * 75 + [0.0] * 175
    assert clustered_rate(means) == pytest.approx(wilson(0.3, 250), abs=1e-3)


def test_no_variation_is_no_certainty() -> None:
    low, high = interval([[0.0, 0.0, 0.0]] * 56, rate=True)
    assert (low, high) == (0.0, pytest.approx(0.064, abs=5e-4))


@given(st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=4), min_size=1, max_size=20))
def test_rates_stay_within_bounds_and_hold_their_mean(groups: list[list[float]]) -> None:
    low, high = interval(groups, rate=True)
    mean = sum(sum(group) / len(group) for group in groups) / len(groups)
    assert 0 <= low <= mean + 1e-9
    assert mean - 1e-9 <= high <= 1
