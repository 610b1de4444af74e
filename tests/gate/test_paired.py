"""Paired differences: tasks as units, intervals without a seen difference, Holm's correction, the detectable drop."""

import math
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longtrail.statistics.paired import (
    Stratum,
    between_tasks_interval,
    difference,
    means,
    repeated,
    within_tasks_interval,
)
from longtrail.statistics.permutation import detectable_drop, holm, repeats_needed


def one_each(rows: list[tuple[float, float]]) -> list[Stratum]:
    return [Stratum(f"t{i}", (old,), (new,)) for i, (old, new) in enumerate(rows)]


def test_repeats_do_not_outweigh_tasks() -> None:
    strata = [Stratum("a", (1.0,) * 10, (0.0,) * 10), Stratum("b", (0.0,), (0.0,))]
    assert difference(strata) == -0.5
    assert means(strata) == (0.5, 0.0)


def test_students_t_by_hand() -> None:
    """Differences -1, 0, 0.5, -0.5: mean -0.25, sd 0.6455; t(3, 0.975) = 3.18245."""
    strata = one_each([(1, 0), (1, 1), (0.5, 1), (1, 0.5)])
    low, high = between_tasks_interval(strata, rate=False)
    assert (low, high) == pytest.approx((-0.25 - 3.18245 * 0.645497 / 2, -0.25 + 3.18245 * 0.645497 / 2), abs=1e-5)
    assert between_tasks_interval(strata, rate=True) == (-1.0, pytest.approx(high))


@pytest.mark.parametrize(("tasks", "upper"), [(6, 0.3107), (14, 0.1619), (56, 0.0461), (250, 0.0107)])
def test_nothing_seen_is_not_nothing_there(tasks: int, upper: float) -> None:
    """Tango's score interval without a discordant pair: z^2 / (n + z^2), here one-sided 95 %."""
    low, high = between_tasks_interval(one_each([(1, 1)] * tasks), rate=True, confidence=0.9)
    assert (low, high) == pytest.approx((-upper, upper), abs=1e-4)


def test_repeats_make_it_narrower() -> None:
    same = [Stratum(f"t{i}", (1.0,) * 5, (1.0,) * 3) for i in range(14)]
    assert between_tasks_interval(same, rate=True, confidence=0.9)[1] == pytest.approx(2.7055 / (42 + 2.7055), abs=1e-4)


def test_the_score_interval_against_its_authors_example() -> None:
    """56/70 - 48/80 = 0.2: 0.0528 to 0.3382 (Newcombe, 1998, table II, method 3, Miettinen and Nurminen's)."""
    stratum = Stratum("t", (1.0,) * 48 + (0.0,) * 32, (1.0,) * 56 + (0.0,) * 14)
    assert within_tasks_interval([stratum]) == pytest.approx((0.0528, 0.3382), abs=1e-4)
    assert between_tasks_interval([stratum], rate=True) == within_tasks_interval([stratum])
    assert within_tasks_interval([]) == (-1.0, 1.0)


def test_what_differs_between_tasks_is_no_noise() -> None:
    """Half of the tasks lose everything, the others nothing: sure on these tasks, unsure on such tasks."""
    strata = [Stratum(f"t{i}", (1.0,) * 10, (float(i % 2),) * 10) for i in range(12)]
    within, between = within_tasks_interval(strata), between_tasks_interval(strata, rate=True)
    assert between[0] < within[0] < -0.5 < within[1] < between[1]
    assert within[1] - within[0] < (between[1] - between[0]) / 2


def test_repeats_make_it_narrower_on_these_tasks() -> None:
    widths = [
        within_tasks_interval([Stratum(f"t{i}", (1.0, 0.0) * n, (1.0, 0.0) * n) for i in range(12)])[1] for n in (1, 4)
    ]
    assert widths[1] == pytest.approx(widths[0] / 2, rel=0.15)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=6))
def test_the_score_interval_holds_the_difference_and_mirrors(rows: list[tuple[int, int]]) -> None:
    def side(passed: int) -> tuple[float, ...]:
        return (1.0,) * passed + (0.0,) * (4 - passed)

    strata = [Stratum(f"t{i}", side(old), side(new)) for i, (old, new) in enumerate(rows)]
    low, high = within_tasks_interval(strata)
    assert -1 <= low <= difference(strata) <= high <= 1
    swapped = [Stratum(one.task, one.after, one.before) for one in strata]
    assert within_tasks_interval(swapped) == pytest.approx((-high, -low), abs=1e-6)


def test_noise_is_known_from_repeats_of_most_tasks() -> None:
    once, twice = Stratum("a", (1.0,), (1.0,)), Stratum("b", (1.0, 1.0), (1.0,))
    assert (repeated([once, once, twice]), repeated([once, twice, twice])) == (False, True)


def test_nothing_measured_is_nothing_known() -> None:
    assert between_tasks_interval([], rate=True) == (-1.0, 1.0)
    assert between_tasks_interval([], rate=False) == (-math.inf, math.inf)
    assert between_tasks_interval([Stratum("t", (3.0,), (4.0,))], rate=False) == (-math.inf, math.inf)


@pytest.mark.parametrize(
    ("p", "adjusted"),
    [
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.5], [0.5]),
        ([0.02, 0.02, 0.9], [0.06, 0.06, 0.9]),
        ([0.4, 0.6, 0.001], [0.8, 0.8, 0.003]),
        ([], []),
    ],
)
def test_holm_by_hand(p: list[float], adjusted: list[float]) -> None:
    assert holm(p) == pytest.approx(adjusted)


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_never_lowers_and_keeps_order(p: list[float]) -> None:
    found = holm(p)
    assert all(old <= new <= 1 for old, new in zip(p, found, strict=True))
    assert all(found[i] <= found[j] for i in range(len(p)) for j in range(len(p)) if p[i] < p[j])


def test_the_drop_that_can_be_seen() -> None:
    """n = (z_a sqrt(v + d) + z_b sqrt(v + d - d^2))^2 / d^2 with a share v of discordant pairs (Connor, 1987)."""
    drop = detectable_drop(one_each([(1, 1)] * 56 + [(0, 1), (1, 0)] * 22), 0.05)
    assert drop is not None
    v, z = 44 / 100, NormalDist().inv_cdf
    needed = (z(0.95) * math.sqrt(v + drop) + z(0.8) * math.sqrt(v + drop * (1 - drop))) ** 2 / drop**2
    assert needed == pytest.approx(100)


def test_a_small_run_needs_five_pairs_to_change() -> None:
    """Five of eight: the binomial chance of 5 or more is 80 % at 0.7068; four pairs give p = 1/16 at best."""
    drop = detectable_drop(one_each([(1, 1)] * 8), 0.05)
    assert drop is not None
    assert sum(math.comb(8, k) * drop**k * (1 - drop) ** (8 - k) for k in range(5, 9)) >= 0.8 - 1e-9
    assert detectable_drop(one_each([(1, 1)] * 4), 0.05) is None


def test_more_is_seen_with_more_repeats_and_less_noise() -> None:
    def drop(tasks: int, repeats: int, noisy: bool) -> float:
        after = (1.0, 0.0) if noisy else (1.0, 1.0)
        found = detectable_drop(
            [Stratum(f"t{i}", (1.0, *after[1:]) * repeats, after * repeats) for i in range(tasks)], 0.05
        )
        assert found is not None
        return found

    assert drop(56, 3, True) < drop(56, 1, True) < drop(14, 1, True)
    assert drop(56, 1, False) < drop(56, 1, True)


@pytest.mark.parametrize("strata", [[], one_each([(1, 1)] * 3), one_each([(0, 0)] * 200)], ids=["none", "few", "zero"])
def test_a_comparison_that_sees_nothing_says_so(strata: list[Stratum]) -> None:
    assert detectable_drop(strata, 0.05) is None


def test_the_repeats_that_find_a_drop_find_it() -> None:
    strata = [Stratum(f"t{i}", (1.0, 0.0), (1.0, 0.0)) for i in range(12)]
    needed = repeats_needed(strata, 0.05, 0.1)
    assert needed is not None
    assert needed > 2
    for repeats, found in ((needed - 1, False), (needed, True)):
        drop = detectable_drop(strata, 0.05, size=repeats / 2)
        assert (drop is not None and drop <= 0.1) == found
    assert repeats_needed([], 0.05, 0.1) is None
    assert repeats_needed([Stratum("t", (0.0,), (0.0,))], 0.05, 0.1) is None
