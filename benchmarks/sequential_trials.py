"""What does a sequential gate save, and what does it miss? Simulated runs against the same baselines: the gate with a
fixed number of repeats, and the sequential one. Prints one row per setting: REGRESSION by either, and the episodes that
the sequential gate played, as a share of the fixed number.

python -m benchmarks.sequential_trials [--trials 1000] [--tasks 12 56 250] [--repeats 5] [--most 10]
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.stochastic_agents import Population, lowered, outcomes, paired
from longtrail.gate.findings import GateReport, SuiteFindings
from longtrail.gate.gate_report import finding, verdict_of
from longtrail.gate.looks import level_at, look
from longtrail.gate.pairing import Endpoint
from longtrail.options.gate_rules import GateRules, Verdict
from longtrail.statistics.paired import Stratum
from longtrail.statistics.permutation import permutation_test

TASKS = (12, 56, 250)
DROPS = (0.0, 0.15, 0.25, -0.25)
POPULATIONS = (Population(0.45, 1), Population(0.45, 4), Population(0.1, 1))
ENDPOINT = Endpoint(suite="app", measure="success", conditions=("app",), title="success")
SEED = 13


@dataclass(frozen=True)
class SequentialShares:
    """Shares of trials, and the mean number of repeats."""

    fixed: float
    """REGRESSION by the gate with a fixed number of repeats."""
    regression: float
    improved: float
    passed: float
    repeats: float


def trials(
    population: Population, tasks: int, drop: float, number: int, rules: GateRules, fixed: int = 5, seed: int = SEED
) -> SequentialShares:
    """Simulated runs against a baseline of `fixed` repeats; a negative drop is a gain."""
    draw = np.random.default_rng([seed, tasks, round(1000 * (1 + drop)), round(1000 * population.rate)])
    verdicts: list[Verdict] = []
    red = repeats = 0
    for _ in range(number):
        chances = population.chances(tasks, draw)
        before = outcomes(chances, fixed, draw)
        after = outcomes(lowered(chances, drop), rules.max_repeats, draw)
        red += permutation_test(paired(before, after[:, :fixed])).lower <= rules.alpha
        verdict, played = sequential(before, after, rules)
        verdicts.append(verdict)
        repeats += played
    shares = [verdicts.count(verdict) / number for verdict in ("REGRESSION", "IMPROVED", "PASS")]
    return SequentialShares(red / number, shares[0], shares[1], shares[2], repeats / number)


def sequential(before: np.ndarray, after: np.ndarray, rules: GateRules) -> tuple[Verdict, int]:
    """The verdict of a sequential gate, and the repeats that it played. Outcomes by task and repeat."""
    for repeats in range(1, after.shape[1] + 1):
        level = level_at(repeats, before.shape[1], 1, rules)
        report = _report(paired(before, after[:, :repeats]), rules, level)
        if not look(report, before.shape[1], repeats).go_on:
            return report.verdict, repeats
    raise AssertionError("the last look always ends the run")


def _report(strata: Sequence[Stratum], rules: GateRules, level: float) -> GateReport:
    primary = finding(ENDPOINT, strata, level)
    suites = (SuiteFindings(suite="app", primary=primary),)
    verdict = verdict_of(suites, rules, level)
    return GateReport(verdict=verdict, exit_code=0, rules=rules, level=level, before="", after="", suites=suites)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--tasks", type=int, nargs="+", default=TASKS)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--most", type=int, default=10)
    given = parser.parse_args()
    rules = GateRules(sequential=True, max_repeats=given.most)
    print(f"{given.trials} trials a row, alpha {rules.alpha}, margin {rules.margin}, baseline {given.repeats} repeats")
    print("rate  conc  tasks   drop  fixed: REGRESSION  sequential: REGRESSION  IMPROVED   PASS  repeats  episodes")
    for population in POPULATIONS:
        for tasks in given.tasks:
            for drop in DROPS if population.rate > 0.15 else (0.0,):
                shares = trials(population, tasks, drop, given.trials, rules, given.repeats)
                setting = f"{population.rate:4.2f}  {population.concentration:4.0f}  {tasks:5}  {100 * drop:5.1f}"
                verdicts = f"{100 * shares.regression:22.1f}  {100 * shares.improved:8.1f}  {100 * shares.passed:5.1f}"
                cost = f"{shares.repeats:7.2f}  {100 * shares.repeats / given.repeats:6.0f} %"
                print(f"{setting}  {100 * shares.fixed:17.1f}  {verdicts}  {cost}", flush=True)


if __name__ == "__main__":
    main()
