"""Permutation: known answers by hand, by scipy and by counting every arrangement; order and direction."""

import math
from itertools import combinations, product
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from longtrail.statistics import permutation
from longtrail.statistics.paired import Stratum, difference
from longtrail.statistics.permutation import null_variance, permutation_test


def pairs(worse: int, better: int, same: int = 0) -> list[Stratum]:
    """One repeat on each side, binary: tasks that got worse, better, stayed."""
    rows = [(1.0, 0.0)] * worse + [(0.0, 1.0)] * better + [(1.0, 1.0)] * same
    return [Stratum(f"t{i}", (old,), (new,)) for i, (old, new) in enumerate(rows)]


@pytest.mark.parametrize(
    ("worse", "better", "p"),
    [(5, 0, 1 / 32), (4, 0, 1 / 16), (4, 1, 6 / 32), (7, 2, 46 / 512), (0, 0, 1.0), (0, 3, 1.0), (1, 1, 3 / 4)],
)
def test_mcnemar_by_hand(worse: int, better: int, p: float) -> None:
    found = permutation_test(pairs(worse, better, same=11))
    assert found.lower == pytest.approx(p, abs=1e-12)
    assert found.method == "exact"
    if worse + better:
        assert found.lower == pytest.approx(binomtest(worse, worse + better, alternative="greater").pvalue)


def by_counting(strata: list[Stratum]) -> tuple[float, float]:
    """The lower and upper p-value, from every arrangement of every stratum."""
    ways = []
    for one in strata:
        pooled = [*one.before, *one.after]
        chosen = combinations(range(len(pooled)), len(one.after))
        ways.append(
            [
                fmean(pooled[i] for i in after) - fmean(pooled[i] for i in range(len(pooled)) if i not in after)
                for after in chosen
            ]
        )
    observed = sum(one.difference for one in strata)
    totals = [sum(way) for way in product(*ways)]
    lower = sum(total <= observed + 1e-9 for total in totals) / len(totals)
    return lower, sum(total >= observed - 1e-9 for total in totals) / len(totals)


VALUES = st.sampled_from([0.0, 1.0, 0.5, 0.8, 0.8 * 2 / 3, 1 / 3])


def strata_of(values: st.SearchStrategy[float], most: int = 3) -> st.SearchStrategy[list[Stratum]]:
    side = st.lists(values, min_size=1, max_size=3).map(tuple)
    return st.lists(st.tuples(side, side), min_size=1, max_size=most).map(
        lambda rows: [Stratum(f"t{i}", *row) for i, row in enumerate(rows)]
    )


@settings(max_examples=60, deadline=None)
@given(strata_of(VALUES))
def test_it_is_what_counting_gives(strata: list[Stratum]) -> None:
    found = permutation_test(strata)
    lower, upper = by_counting(strata)
    assert (found.lower, found.upper) == pytest.approx((lower, upper), abs=1e-9)


def test_conditions_of_a_task_share_its_weight() -> None:
    """Two conditions of one task count as much as the one condition of another."""
    strata = [
        Stratum("a", (1.0,), (0.0,)),
        Stratum("b", (1.0,), (0.0,)),
        Stratum("b", (0.0,), (1.0,)),
        Stratum("b", (1.0,), (0.0,)),
        Stratum("b", (1.0,), (0.0,)),
    ]
    assert difference(strata) == pytest.approx((-1 + (-1 + 1 - 1 - 1) / 4) / 2)
    arrangements = [(a + b / 4) for a in (-1, 1) for b in (-4, -2, -2, -2, -2, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 4)]
    assert permutation_test(strata).lower == pytest.approx(sum(x <= -1.5 for x in arrangements) / 32)


@settings(max_examples=60, deadline=None)
@given(strata_of(VALUES, most=8), st.randoms(use_true_random=False))
def test_order_is_irrelevant_and_swapping_mirrors(strata: list[Stratum], draw: object) -> None:
    shuffled = list(strata)
    draw.shuffle(shuffled)  # type: ignore[attr-defined]
    shuffled = [Stratum(one.task, one.before[::-1], one.after[::-1]) for one in shuffled]
    assert permutation_test(shuffled).lower == pytest.approx(permutation_test(strata).lower, abs=1e-12)
    assert difference(shuffled) == difference(strata)
    swapped = [Stratum(one.task, one.after, one.before) for one in strata]
    assert difference(swapped) == pytest.approx(-difference(strata), abs=1e-12)
    assert permutation_test(swapped).lower == pytest.approx(permutation_test(strata).upper, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(strata_of(VALUES, most=8))
def test_identical_outcomes_are_never_a_drop(strata: list[Stratum]) -> None:
    same = [Stratum(one.task, one.before, one.before) for one in strata]
    assert permutation_test(same).lower >= 0.5


def test_values_that_are_no_fractions_are_drawn() -> None:
    """A drawn p is near the counted one, the same every time, and never 0."""
    values = [math.sqrt(2) / 2, math.pi / 4, math.e / 3, 0.123456789, 0.987654321, 0.31830988]
    strata = [Stratum(f"t{i}", (value,), (value / 3,)) for i, value in enumerate(values)]
    strata[0] = Stratum("t0", (0.1 * math.sqrt(3),), (0.9 * math.sqrt(1.1),))
    found = permutation_test(strata)
    assert found.method == f"20,000 draws, seed {permutation.SEED}"
    assert found == permutation_test(list(reversed(strata)))
    assert found.lower == pytest.approx(by_counting(strata)[0], abs=0.01)
    sure = [Stratum(f"t{i}", (math.pi / 4 + i / 997,), (math.e / 30 + i / 1009,)) for i in range(40)]
    assert 0 < permutation_test(sure).lower < 1e-4


def test_nothing_to_compare() -> None:
    assert permutation_test([]).lower == 1.0
    assert null_variance([]) == 0.0


def test_the_nulls_variance_is_that_of_all_arrangements() -> None:
    strata = [Stratum("a", (1.0, 0.0), (0.0, 0.0, 1.0)), Stratum("b", (0.5,), (1.0,))]
    pooled = [1.0, 0.0, 0.0, 0.0, 1.0]
    first = [
        fmean(pooled[i] for i in after) - fmean(pooled[i] for i in range(5) if i not in after)
        for after in combinations(range(5), 3)
    ]
    variance = (fmean(x * x for x in first) + 0.25) / 4
    assert null_variance(strata) == pytest.approx(variance)
