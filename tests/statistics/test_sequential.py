"""Levels of several looks and conditional power, with known answers."""

from statistics import NormalDist

import numpy as np
import pytest

from longtrail.statistics.sequential import chance, information, nominal_levels

EQUAL = (0.2, 0.4, 0.6, 0.8, 1.0)


def test_five_equally_spaced_looks_have_the_published_limits() -> None:
    """Lan and DeMets' spending function near Pocock's, two-sided 5 %: as in gsDesign's documentation."""
    limits = [-NormalDist().inv_cdf(level) for level in nominal_levels(EQUAL, 0.025)]
    assert limits == pytest.approx([2.438, 2.427, 2.410, 2.397, 2.386], abs=0.003)


def test_one_look_has_the_whole_level() -> None:
    assert nominal_levels((1.0,), 0.05)[0] == pytest.approx(0.05, abs=1e-4)


@pytest.mark.parametrize("shares", [EQUAL, information(5, range(1, 11)), information(1, range(1, 4))])
def test_equal_agents_fail_at_any_look_with_a_probability_of_alpha(shares: tuple[float, ...]) -> None:
    draw, number = np.random.default_rng(5), 100_000
    steps = np.diff(np.array((0.0, *shares)))
    scores = (draw.standard_normal((number, len(shares))) * np.sqrt(steps)).cumsum(axis=1) / np.sqrt(shares)
    limits = np.array([-NormalDist().inv_cdf(level) for level in nominal_levels(tuple(shares), 0.05)])
    assert (scores >= limits).any(axis=1).mean() == pytest.approx(0.05, abs=0.003)


def test_more_repeats_of_a_small_baseline_add_little() -> None:
    assert information(5, (1, 2, 5, 10)) == pytest.approx((0.25, 0.4286, 0.75, 1.0), abs=1e-4)
    assert information(1, (1, 10))[0] == pytest.approx(0.55)


def test_the_chance_of_the_last_look() -> None:
    """At the start, with an effect that the last look finds with 80 % power, it is 80 %. At the end it is certain."""
    effect = NormalDist().inv_cdf(0.95) + NormalDist().inv_cdf(0.8)
    assert chance(0.0, 0.0, 0.05, effect) == pytest.approx(0.8)
    assert chance(0.0, 0.5, 0.05, effect) < 0.4 < 0.8 < chance(2.0, 0.5, 0.05, effect)
    assert (chance(1.7, 1.0, 0.05, 0.0), chance(1.6, 1.0, 0.05, 0.0)) == (1.0, 0.0)
