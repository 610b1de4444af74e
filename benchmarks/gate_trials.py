"""How often does the gate fail agents that did not change, and how often does it find a drop? Prints one row per
setting. Every setting is tried without a change, with a drop of 15 points, with a drop as large as the margin (PASS is
wrong then), and with the drop that the gate claims to detect with 80 % power.

python -m benchmarks.gate_trials [--trials 1000]
"""

import argparse
import math

import numpy as np
from scipy.stats import binom

from benchmarks.stochastic_agents import Population, lowered, outcomes, paired
from longtrail.statistics.paired import difference_interval
from longtrail.statistics.permutation import permutation_test
from longtrail.statistics.power import detectable_drop

ALPHA, MARGIN = 0.05, 0.05
TASKS, REPEATS = (56, 250), (1, 3, 5)
POPULATIONS = (Population(0.45, 1), Population(0.45, 4), Population(0.1, 1))
SEED = 11


def trials(
    population: Population, tasks: int, repeats: int, drop: float, number: int, seed: int = SEED
) -> tuple[float, float, float]:
    """Shares of trials that end as REGRESSION and as PASS; mean of the drops that are claimed to be detected with 80 %
    power."""
    draw = np.random.default_rng([seed, tasks, repeats, round(1000 * drop), round(1000 * population.rate)])
    failed = passed = 0
    seen: list[float] = []
    for _ in range(number):
        chances = population.chances(tasks, draw)
        strata = paired(outcomes(chances, repeats, draw), outcomes(lowered(chances, drop), repeats, draw))
        if permutation_test(strata).lower < ALPHA:
            failed += 1
        elif -difference_interval(strata, rate=True, confidence=1 - 2 * ALPHA)[0] < MARGIN:
            passed += 1
        if (found := detectable_drop(strata, ALPHA)) is not None:
            seen.append(found)
    return failed / number, passed / number, float(np.mean(seen)) if seen else math.nan


def most_false_alarms(number: int) -> float:
    """The 99.9 % quantile of the share of false alarms of a gate with a size of exactly alpha."""
    return float(binom.ppf(0.999, number, ALPHA)) / number


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1000)
    number = parser.parse_args().trials
    most = 100 * most_false_alarms(number)
    print(f"{number} trials a row, alpha {ALPHA}, margin {MARGIN}; false alarms by chance at most {most:.1f} %")
    print("rate  conc  tasks  repeats   drop  REGRESSION    PASS  drop detected with 80 % power")
    for population in POPULATIONS:
        for tasks in TASKS:
            for repeats in REPEATS:
                seen = _row(population, tasks, repeats, 0.0, number)
                for drop in (0.15, MARGIN, seen) if population.rate > 0.15 else ():
                    _row(population, tasks, repeats, drop, number)


def _row(population: Population, tasks: int, repeats: int, drop: float, number: int) -> float:
    """Print one line; returns the drop that is claimed to be detected with 80 % power."""
    failed, passed, seen = trials(population, tasks, repeats, drop, number)
    setting = f"{population.rate:4.2f}  {population.concentration:4.0f}  {tasks:5}  {repeats:7}  {100 * drop:5.1f}"
    print(f"{setting}  {100 * failed:10.1f}  {100 * passed:6.1f}  {100 * seen:5.1f}", flush=True)
    return seen


if __name__ == "__main__":
    main()
