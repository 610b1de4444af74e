"""How often does the gate fail agents that did not change, and how often does it find a drop? Prints one row per
setting. Every setting is tried without a change, with drops of 15 and 25 points, with a drop as large as the margin
(PASS is wrong then), with a gain of 25 points, and with the drop that the gate claims to detect with 80 % power.

python -m benchmarks.gate_trials [--trials 1000] [--tasks 12 56 250]
"""

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import binom

from benchmarks.stochastic_agents import Population, lowered, outcomes, paired
from longtrail.statistics.paired import Stratum, between_tasks_interval, repeated, within_tasks_interval
from longtrail.statistics.permutation import detectable_drop, permutation_test

ALPHA, MARGIN = 0.05, 0.05
TASKS, REPEATS = (12, 56, 250), (1, 3, 5)
POPULATIONS = (Population(0.45, 1), Population(0.45, 4), Population(0.1, 1))
SEED = 11


@dataclass(frozen=True)
class Shares:
    """Shares of trials by verdict, and the mean of the drops that are claimed to be detected with 80 % power."""

    regression: float
    improved: float
    within_margin: float
    """Neither of these, and a drop as large as the margin is ruled out."""
    detectable: float


def trials(population: Population, tasks: int, repeats: int, drop: float, number: int, seed: int = SEED) -> Shares:
    """Pairs of simulated runs; a negative drop is a gain."""
    draw = np.random.default_rng([seed, tasks, repeats, round(1000 * (1 + drop)), round(1000 * population.rate)])
    regressions = improvements = passes = 0
    detectable: list[float] = []
    for _ in range(number):
        chances = population.chances(tasks, draw)
        strata = paired(outcomes(chances, repeats, draw), outcomes(lowered(chances, drop), repeats, draw))
        test = permutation_test(strata)
        if test.lower <= ALPHA:
            regressions += 1
        elif test.upper <= ALPHA:
            improvements += 1
        elif -_lowest(strata) < MARGIN:
            passes += 1
        if (found := detectable_drop(strata, ALPHA)) is not None:
            detectable.append(found)
    mean = float(np.mean(detectable)) if detectable else math.nan
    return Shares(regressions / number, improvements / number, passes / number, mean)


def _lowest(strata: Sequence[Stratum]) -> float:
    """The lower limit of the change, as the gate has it."""
    if repeated(strata):
        return within_tasks_interval(strata, 1 - 2 * ALPHA)[0]
    return between_tasks_interval(strata, rate=True, confidence=1 - 2 * ALPHA)[0]


def most_false_alarms(number: int) -> float:
    """The 99.9 % quantile of the share of false alarms of a gate with a size of exactly alpha."""
    return float(binom.ppf(0.999, number, ALPHA)) / number


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--tasks", type=int, nargs="+", default=TASKS)
    given = parser.parse_args()
    most = 100 * most_false_alarms(given.trials)
    print(f"{given.trials} trials a row, alpha {ALPHA}, margin {MARGIN}; false alarms by chance at most {most:.1f} %")
    print("rate  conc  tasks  repeats   drop  REGRESSION  IMPROVED    PASS  drop detected with 80 % power")
    for population in POPULATIONS:
        for tasks in given.tasks:
            for repeats in REPEATS:
                seen = _row(population, tasks, repeats, 0.0, given.trials)
                for drop in (0.15, 0.25, MARGIN, -0.25, seen) if population.rate > 0.15 else (MARGIN,):
                    if not math.isnan(drop):
                        _row(population, tasks, repeats, drop, given.trials)


def _row(population: Population, tasks: int, repeats: int, drop: float, number: int) -> float:
    """Print one line; returns the drop that is claimed to be detected with 80 % power."""
    shares = trials(population, tasks, repeats, drop, number)
    setting = f"{population.rate:4.2f}  {population.concentration:4.0f}  {tasks:5}  {repeats:7}  {100 * drop:5.1f}"
    figures = f"{100 * shares.regression:10.1f}  {100 * shares.improved:8.1f}  {100 * shares.within_margin:6.1f}"
    print(f"{setting}  {figures}  {100 * shares.detectable:5.1f}", flush=True)
    return shares.detectable


if __name__ == "__main__":
    main()
