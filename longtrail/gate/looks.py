"""Looks: a sequential run is judged after each repeat, and plays another one only while that may change the verdict."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import NormalDist, harmonic_mean

from longtrail.gate.findings import EndpointFinding, GateReport, Look
from longtrail.gate.pairing import ContenderCases
from longtrail.options.gate_rules import GateRules
from longtrail.statistics.permutation import POWER
from longtrail.statistics.sequential import chance, information, nominal_levels

MIN_CHANCE = 0.4
"""Another repeat is played while a drop that all repeats usually find would show with at least this probability. In the
trials of docs/statistics.md, equal agents then need two repeats on average."""
FILE = "looks.json"
"""The looks of a run, in its folder."""


def read_looks(folder: Path) -> tuple[Look, ...]:
    """The looks of a run so far."""
    try:
        return tuple(Look.model_validate(look) for look in json.loads((folder / FILE).read_bytes()))
    except FileNotFoundError:
        return ()


def open_repeats(folder: Path) -> int:
    """How many repeats are to be played, as far as is known."""
    return 1 + sum(look.go_on for look in read_looks(folder))


def repeats_of(side: ContenderCases) -> int:
    """The most repeats of a case that a run has."""
    return 1 + max((scored.case.repeat for scored in side.cases), default=-1)


def baseline_repeats(baseline: ContenderCases) -> float:
    """The harmonic mean over its tasks of how often it played them."""
    highest: dict[str, int] = {}
    for scored in baseline.cases:
        highest[scored.case.task] = max(highest.get(scored.case.task, 0), scored.case.repeat)
    return harmonic_mean([1 + repeat for repeat in highest.values()])


def level_at(repeats: int, baseline: float, suites: int, rules: GateRules) -> float:
    """The one-sided level of the look after so many repeats, over all suites. `baseline`: its repeats."""
    return _levels(baseline, suites, rules)[min(repeats, rules.max_repeats) - 1]


def look(report: GateReport, baseline: float, repeats: int, unaffordable: str = "") -> Look:
    """Decide from the report after so many repeats whether another one is played. `baseline`: its repeats.
    `unaffordable`: why another repeat can't be paid, or an empty text."""
    reason = _reason_to_stop(report, repeats) or unaffordable
    go_on = False
    if not reason:
        go_on, reason = _worth_another_repeat(report, baseline, repeats)
    return Look(
        repeats=repeats,
        verdict=report.verdict,
        p=min((suite.primary.adjusted for suite in report.suites), default=1.0),
        level=report.decided_at,
        go_on=go_on,
        reason=reason,
    )


def most_changed(report: GateReport) -> Mapping[str, float]:
    """Task -> the largest change of one of its cases, in either direction; tasks without a change are left out."""
    changed: dict[str, float] = {}
    for suite in report.suites:
        for change in (*suite.regressed, *suite.improved):
            changed[change.task] = max(changed.get(change.task, 0.0), abs(change.after - change.before))
    return changed


def _reason_to_stop(report: GateReport, repeats: int) -> str:
    """Why no further repeat can matter, or an empty text."""
    if report.verdict == "INVALID":
        return "nothing can be decided"
    if report.verdict == "REGRESSION":
        return "the drop is significant"
    if report.suites and all(suite.primary.largest_drop < report.rules.margin for suite in report.suites):
        return "a drop as large as the margin is ruled out"
    return "all repeats are played" if repeats >= report.rules.max_repeats else ""


def _worth_another_repeat(report: GateReport, baseline: float, repeats: int) -> tuple[bool, str]:
    """Whether another repeat may well change the verdict, and why."""
    rules = report.rules
    share = _information_shares(baseline, rules)[repeats - 1]
    last_level = _levels(baseline, len(report.suites), rules)[-1] / len(report.suites)
    findings = [suite.primary for suite in report.suites]
    regression_chance = max(
        chance(_standard_errors(finding.p), share, last_level, _typical_drop(last_level)) for finding in findings
    )
    usual_drop = f"a drop as large as {rules.max_repeats} repeats usually find"
    if regression_chance >= MIN_CHANCE:
        return True, f"{usual_drop} may still show (chance {100 * regression_chance:.0f} %)"
    if rules.strict:
        pass_chance = min(_chance_of_pass(finding, report, share, last_level) for finding in findings)
        if pass_chance >= MIN_CHANCE:
            return True, f"if nothing changed, the margin may still be ruled out (chance {100 * pass_chance:.0f} %)"
    return False, f"even {usual_drop} would hardly show (chance {100 * regression_chance:.0f} %)"


def _typical_drop(level: float) -> float:
    """The drop that the last look finds with 80 % power, in its standard errors."""
    return NormalDist().inv_cdf(1 - level) + NormalDist().inv_cdf(POWER)


def _chance_of_pass(finding: EndpointFinding, report: GateReport, share: float, last_level: float) -> float:
    """The chance that the last look rules out the margin if nothing changed."""
    error = (finding.change - finding.low) / NormalDist().inv_cdf(1 - report.decided_at)
    margin = report.rules.margin
    return chance((margin + finding.change) / error, share, last_level, margin / (error * share**0.5))


def _standard_errors(p: float) -> float:
    """How many standard errors a drop with this one-sided p is."""
    return -NormalDist().inv_cdf(min(max(p, 1e-12), 1 - 1e-12))


def _information_shares(baseline: float, rules: GateRules) -> tuple[float, ...]:
    return information(baseline, range(1, rules.max_repeats + 1))


def _levels(baseline: float, suites: int, rules: GateRules) -> Sequence[float]:
    """By look. Holm's correction divides them by the number of suites, so they are computed for that part of alpha."""
    return [suites * level for level in nominal_levels(_information_shares(baseline, rules), rules.alpha / suites)]
