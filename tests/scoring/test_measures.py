"""Measures and their formulas: by hand, undefined, properties for any values, and the tables of docs/metrics.md."""

from pathlib import Path
from typing import Any

import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st

from longtrail.scoring.catalog import MEASURES, table
from longtrail.statistics.agreement import cohen_kappa, fleiss_kappa, pearson, spearman
from longtrail.statistics.paired import Stratum
from longtrail.statistics.permutation import detectable_drop
from longtrail.statistics.rates import pass_power

MARKS = st.sampled_from("abc")
VALUES = st.lists(st.floats(-50, 50), min_size=3, max_size=20)


@pytest.mark.parametrize(
    ("passed", "repeats", "k", "chance"),
    [(3, 4, 1, 0.75), (3, 4, 2, 0.5), (3, 4, 4, 0.0), (4, 4, 4, 1.0), (0, 5, 1, 0.0)],
)
def test_pass_power_by_hand(passed: int, repeats: int, k: int, chance: float) -> None:
    assert pass_power(passed, repeats, k) == pytest.approx(chance)


@given(st.integers(1, 12).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n), st.integers(1, n))))
def test_more_draws_are_never_easier(case: tuple[int, int, int]) -> None:
    passed, repeats, k = case
    assert 0 <= pass_power(passed, repeats, k) <= pass_power(passed, repeats, 1) == passed / repeats


@given(st.lists(st.tuples(MARKS, MARKS), min_size=1, max_size=30))
def test_kappa_is_symmetric_bounded_and_one_for_agreement(pairs: list[tuple[str, str]]) -> None:
    kappa = cohen_kappa(pairs)
    assert -1 - 1e-12 <= kappa <= 1
    assert kappa == pytest.approx(cohen_kappa([(b, a) for a, b in pairs]))
    assert cohen_kappa([(a, a) for a, _ in pairs]) == 1.0
    assert fleiss_kappa([(a, a, a) for a, _ in pairs]) == pytest.approx(1.0)
    assert fleiss_kappa(pairs) <= 1


def test_nobody_agrees_on_nothing() -> None:
    with pytest.raises(ValueError, match="no items"):
        cohen_kappa([])


@given(VALUES, st.randoms(use_true_random=False))
def test_correlations_are_scipys(xs: list[float], random: Any) -> None:
    ys = random.sample(xs, len(xs))
    assume(max(xs) - min(xs) > 1e-3)
    assert pearson(xs, ys) == pytest.approx(scipy.stats.pearsonr(xs, ys).statistic, abs=1e-6)
    assert spearman(xs, ys) == pytest.approx(scipy.stats.spearmanr(xs, ys).statistic, abs=1e-6)
    assert pearson([1.0] * len(xs), xs) is None


def test_a_run_of_four_pairs_sees_no_drop() -> None:
    """At alpha 0.05, at least five pairs must change."""
    four = [Stratum(task=str(n), before=(1.0,), after=(1.0,)) for n in range(4)]
    assert detectable_drop(four, 0.05) is None
    assert detectable_drop([Stratum(task="a", before=(0.0,), after=(0.0,))] * 60, 0.05) is None


TEXT = (Path(__file__).parents[2] / "docs" / "metrics.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("suite", ["long_context", "hard_shop", "shift_shop"])
def test_the_tables_of_the_docs_are_made_from_the_measures(suite: str) -> None:
    """If it fails, put the output of `python -m longtrail.scoring.catalog` into docs/metrics.md."""
    assert table(suite) in TEXT  # type: ignore[arg-type]


def test_every_measure_says_its_formula_and_labels() -> None:
    for measure in MEASURES.values():
        assert len(measure.says) > 10
        assert all(f"`{label}`" in measure.says for label in measure.labels)
