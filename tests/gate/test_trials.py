"""Small trials, with fixed seeds, of what docs/statistics.md claims; `benchmarks/` has the full ones."""

import pytest

from benchmarks.gate_trials import most_false_alarms, trials
from benchmarks.interval_coverage import coverage
from benchmarks.sequential_trials import trials as sequential_trials
from benchmarks.stochastic_agents import Population
from longtrail.options.gate_rules import GateRules

EVEN, BIMODAL, RARE = Population(0.45, 4), Population(0.45, 1), Population(0.1, 1)


@pytest.mark.parametrize(
    ("tasks", "repeats"), [(12, 3), (56, 1), (56, 5), pytest.param(250, 3, marks=pytest.mark.slow)]
)
def test_equal_agents_seldom_fail(tasks: int, repeats: int) -> None:
    assert trials(EVEN, tasks, repeats, drop=0.0, number=200).regression <= most_false_alarms(200)


def test_twelve_tasks_with_three_repeats_are_a_gate() -> None:
    """Equal agents are green in 95 of 100 trials, a drop of 25 points is red in about 80, and a gain is never red."""
    assert trials(BIMODAL, 12, 3, drop=0.0, number=200).regression <= 0.05
    assert trials(BIMODAL, 12, 3, drop=0.25, number=200).regression >= 0.75
    assert trials(BIMODAL, 12, 3, drop=-0.25, number=200).regression == 0


def test_a_real_drop_is_found() -> None:
    shares = trials(BIMODAL, 250, 1, drop=0.15, number=100)
    assert (shares.regression >= 0.95, shares.within_margin) == (True, 0)


def test_a_drop_as_large_as_the_margin_seldom_passes() -> None:
    assert trials(EVEN, 56, 3, drop=0.05, number=200).within_margin <= most_false_alarms(200)


def test_the_drop_that_is_said_to_be_seen_is_seen() -> None:
    """A drop as large as the printed one is found with a power of 70 to 90 %; 80 % is intended."""
    seen = trials(EVEN, 56, 3, drop=0.0, number=50).detectable
    assert 0.7 <= trials(EVEN, 56, 3, drop=seen, number=200).regression <= 0.9


def test_a_sequential_gate_plays_less() -> None:
    """Equal agents seldom fail and need about two of five repeats; a drop of 25 points is found in fewer than three."""
    rules = GateRules(sequential=True)
    equal = sequential_trials(BIMODAL, 12, 0.0, 100, rules)
    assert equal.regression <= most_false_alarms(100)
    assert equal.repeats <= 2.3
    dropped = sequential_trials(BIMODAL, 12, 0.25, 100, rules)
    assert dropped.regression >= 0.85
    assert dropped.repeats <= 2.6
    assert sequential_trials(BIMODAL, 12, -0.25, 50, rules).regression == 0


@pytest.mark.parametrize(("population", "tasks", "repeats"), [(BIMODAL, 56, 1), (EVEN, 56, 3), (BIMODAL, 250, 5)])
def test_intervals_hold_what_they_promise(population: Population, tasks: int, repeats: int) -> None:
    ours, pooled = coverage(population, tasks, repeats, trials=400)
    assert 0.92 <= ours <= 0.98
    assert repeats == 1 or pooled < 0.92, "pooling repeats should be seen to fail"
