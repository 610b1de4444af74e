"""How often does the 95 % interval of a mean over tasks contain the true mean? Prints a row for each setting.

python -m benchmarks.interval_coverage [--trials 2000]
"""

import argparse
import math

import numpy as np

from benchmarks.stochastic_agents import Population, outcomes
from longtrail.statistics.rates import interval

TASKS, REPEATS = (56, 250), (1, 2, 3, 5, 10)
POPULATIONS = (Population(0.45, 1), Population(0.45, 4), Population(0.2, 1))
NOMINAL = (0.93, 0.97)
SEED = 7


def coverage(population: Population, tasks: int, repeats: int, trials: int, seed: int = SEED) -> tuple[float, float]:
    """Share of trials whose interval contains the population's rate: ours, and that of pooled repeats (the papers')."""
    draw = np.random.default_rng([seed, tasks, repeats, round(1000 * population.rate), int(population.concentration)])
    held = pooled = 0
    for _ in range(trials):
        found = outcomes(population.chances(tasks, draw), repeats, draw)
        low, high = interval(found.tolist(), rate=True)
        held += low <= population.rate <= high
        mean = float(found.mean())
        half = 1.96 * math.sqrt(mean * (1 - mean) / found.size)
        pooled += mean - half <= population.rate <= mean + half
    return held / trials, pooled / trials


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=2000)
    trials = parser.parse_args().trials
    print(f"{trials} trials a row; one standard error is {100 * math.sqrt(0.05 * 0.95 / trials):.1f} points")
    print("rate  conc  tasks  repeats   ours  pooled repeats")
    for population in POPULATIONS:
        for tasks in TASKS:
            for repeats in REPEATS:
                ours, pooled = coverage(population, tasks, repeats, trials)
                note = "" if NOMINAL[0] <= ours <= NOMINAL[1] else "  outside 93-97 %"
                setting = f"{population.rate:4.2f}  {population.concentration:4.0f}  {tasks:5}  {repeats:7}"
                print(f"{setting}  {100 * ours:5.1f}  {100 * pooled:14.1f}{note}", flush=True)


if __name__ == "__main__":
    main()
