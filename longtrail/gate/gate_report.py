"""Gate report: from the scores of a run and of its baseline to the verdict. A pure function."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from longtrail.errors import UsageError
from longtrail.gate import compatibility
from longtrail.gate.findings import TARGET_DROP, EndpointFinding, GateReport, SuiteFindings
from longtrail.gate.looks import baseline_repeats, level_at, repeats_of
from longtrail.gate.pairing import (
    ContenderCases,
    Endpoint,
    changes,
    conditions,
    contender_cases,
    primary,
    secondary,
    strata,
)
from longtrail.options.gate_rules import GateRules, Verdict
from longtrail.records.trajectory import Contender, Suite
from longtrail.runs.baseline import Scored, Scores
from longtrail.runs.manifest import Manifest
from longtrail.statistics.paired import (
    Stratum,
    between_tasks_interval,
    difference,
    means,
    repeated,
    within_tasks_interval,
)
from longtrail.statistics.permutation import detectable_drop, holm, permutation_test, repeats_needed

FILLS = {"worst": (1.0, 0.0), "best": (0.0, 1.0)}
"""Values for invalid cases before and after, to test whether they could change the verdict."""


def conflicts(
    before: Scores, manifest: Manifest, contender: Contender, chosen: str = "", *, variants: bool = False
) -> list[str]:
    """Why this baseline can't gate a run with this manifest. Works before the first case is played. `variants`: it may
    have played another variant of the tasks."""
    reasons = compatibility.of_runs(before.manifest, manifest, variants=variants)
    try:
        old = contender_cases(before, chosen or contender.label)
    except UsageError as error:
        return [*reasons, f"{error}; choose the baseline entry with --baseline-contender"]
    if not chosen:
        differs = compatibility.of_contenders(old.contender, contender)
        differs += compatibility.of_models(before.manifest, manifest)
        reasons += [
            f"{differ} (if the gate should test this change, give --baseline-contender LABEL)" for differ in differs
        ]
    return reasons


def gate_report(
    before: Scores, after: Scores, rules: GateRules, *, chosen: str = "", errors: Sequence[str] = ()
) -> GateReport:
    """Compare a run with its baseline and decide whether it got worse on these tasks.

    `chosen`: label of the baseline's contender; by default it is the run's own, and nothing about it may differ.
    `errors`: cases whose fixtures failed, which leave no record.
    REGRESSION: some suite's primary endpoint dropped, one-sided p <= alpha after Holm's correction over the suites.
    IMPROVED: none dropped and some rose, tested in the same way. PASS: every suite's drop is smaller than the margin
    with high confidence. NO REGRESSION FOUND: none of these. INVALID: the runs can't be compared, cases are missing,
    too many cases are invalid, or the invalid cases could change the exit code. In a sequential run, each look has its
    own level instead of alpha (`gate/looks.py`).
    """
    if not after.cases:
        return refusal(["this run has no cases"], rules, before.name, after.name)
    try:
        new = contender_cases(after)
    except UsageError as error:
        return refusal([str(error)], rules, before.name, after.name)
    if before.manifest.overridden != after.manifest.overridden:  # known only when the run has ended
        names = [", ".join(run.manifest.overridden) or "none" for run in (before, after)]
        return refusal([f"overridden fixtures: {names[0]} before, {names[1]} now"], rules, before.name, new.name)
    if reasons := conflicts(before, after.manifest, new.contender, chosen, variants=rules.variants):
        return refusal(reasons, rules, before.name, new.name)
    old = contender_cases(before, chosen or new.contender.label)
    if reasons := _cases_conflict(old, new, rules, chosen):
        return refusal(reasons, rules, old.name, new.name)
    suites = tuple(dict.fromkeys(scored.case.suite for scored in new.cases))
    level = level_at(repeats_of(new), baseline_repeats(old), len(suites), rules) if rules.sequential else rules.alpha
    findings = _findings(old, new, suites, level)
    verdict = verdict_of(findings, rules, level)
    reasons = _gaps(before, after, errors) + _invalid_cases(findings, rules) + _unmeasured(old, new, suites)
    if not reasons:
        reasons = _invalid_cases_decide(old, new, suites, rules, verdict, level)
    differences = compatibility.notes(old, new)
    if len(before.sources) > 1 or any(source.commit for source in before.sources):
        differences.append(f"the baseline is of {', '.join(map(str, before.sources))}")
    differences += [
        f"{suite.suite}: {suite.primary.endpoint} is 0 in the baseline: it can't drop, so this gate checks nothing"
        for suite in findings
        if suite.primary.tasks and suite.primary.before == 0
    ]
    if chosen:
        differences += compatibility.of_contenders(old.contender, new.contender)
    return GateReport(
        verdict="INVALID" if reasons else verdict,
        exit_code=rules.exit_code("INVALID" if reasons else verdict),
        reasons=tuple(reasons),
        notes=tuple(differences),
        rules=rules,
        level=level if rules.sequential else None,
        before=old.name,
        after=new.name,
        suites=findings,
    )


def refusal(reasons: Sequence[str], rules: GateRules, before: str, after: str) -> GateReport:
    """An INVALID report without a comparison."""
    exit_code = rules.exit_code("INVALID")
    return GateReport(
        verdict="INVALID", exit_code=exit_code, reasons=tuple(reasons), rules=rules, before=before, after=after
    )


def _cases_conflict(old: ContenderCases, new: ContenderCases, rules: GateRules, chosen: str) -> list[str]:
    reasons = compatibility.of_cases(old, new, subset=rules.subset, variants=rules.variants)
    return reasons + ([] if chosen else compatibility.of_models_reported(old, new))


def _gaps(before: Scores, after: Scores, errors: Sequence[str]) -> list[str]:
    """Planned cases without a score, and files that were changed."""
    reasons = []
    for name, run in (("the baseline", before), ("this run", after)):
        reasons += [f"{name}: {problem}" for problem in run.problems if "planned cases" not in problem]
    for name, missing in (("the baseline", before.missing()), ("this run", after.missing())):
        if missing:
            reasons.append(f"{len(missing)} planned cases of {name} have no record, e.g. {missing[0]}")
    if errors:
        reasons.append(f"{len(errors)} cases had an error in their fixtures, e.g. {errors[0]}")
    return reasons


def _invalid_cases(findings: Iterable[SuiteFindings], rules: GateRules) -> list[str]:
    reasons = []
    for suite in findings:
        for side, name in enumerate(("the baseline", "this run")):
            cases, invalid, replayed = suite.cases[side], suite.invalid[side], suite.replayed[side]
            if cases and invalid / cases > rules.invalid_limit:
                limit = f"over the limit of {100 * rules.invalid_limit:g} %"
                reasons.append(f"{suite.suite}: {invalid} of {cases} cases of {name} are invalid, {limit}")
            if rules.too_many_replays(replayed, cases):
                limit = f"over the limit of {100 * rules.replay_limit:g} %"
                count = f"{replayed} of {cases} cases of {name} were played again after trouble"
                reasons.append(f"{suite.suite}: {count}, {limit}")
        if not suite.primary.tasks:
            reasons.append(f"{suite.suite}: no task has a valid case of {suite.primary.endpoint} in both runs")
    return reasons


def _unmeasured(old: ContenderCases, new: ContenderCases, suites: Sequence[Suite]) -> list[str]:
    """Valid cases without a value of the primary endpoint: a faulty scorer must not drop cases unnoticed."""
    reasons = []
    for suite in suites:
        endpoint = primary(suite, conditions(suite, [new]))
        for name, side in (("the baseline", old), ("this run", new)):
            lost = [scored for scored in side.cases if scored.outcome != "invalid" and endpoint.takes(scored)]
            lost = [scored for scored in lost if endpoint.value(scored) is None]
            if lost:
                reasons.append(f"{len(lost)} valid cases of {name} have no {endpoint.measure}, e.g. {lost[0].case.id}")
    return reasons


def _invalid_cases_decide(
    old: ContenderCases, new: ContenderCases, suites: Sequence[Suite], rules: GateRules, verdict: Verdict, level: float
) -> list[str]:
    """Judge again with the invalid cases at their worst and best values: if the exit code then changes, nothing is
    decided."""
    if all(scored.outcome != "invalid" for scored in (*old.cases, *new.cases)):
        return []
    reasons = []
    for name, fill in FILLS.items():
        filled_verdict = verdict_of(_findings(old, new, suites, level, fill), rules, level)
        if rules.exit_code(filled_verdict) != rules.exit_code(verdict):
            reasons.append(f"the verdict is {verdict}, but {filled_verdict} if the invalid cases count at their {name}")
    return reasons


def verdict_of(findings: Sequence[SuiteFindings], rules: GateRules, level: float) -> Verdict:
    """The verdict if nothing is invalid. `level`: the one-sided level of the tests, over all suites."""
    if any(suite.primary.adjusted <= level for suite in findings):
        return "REGRESSION"
    within_margin = all(suite.primary.largest_drop < rules.margin for suite in findings)
    if any(suite.primary.gain <= level for suite in findings) and (within_margin or not rules.strict):
        return "IMPROVED"
    return "PASS" if within_margin else "NO REGRESSION FOUND"


def _findings(
    old: ContenderCases,
    new: ContenderCases,
    suites: Sequence[Suite],
    level: float,
    fill: tuple[float, float] | None = None,
) -> tuple[SuiteFindings, ...]:
    findings = [_suite(old, new, suite, level, fill, len(suites)) for suite in suites]
    drops, gains = (holm([getattr(suite.primary, p) for suite in findings]) for p in ("p", "gain"))
    return tuple(
        suite.model_copy(update={"primary": suite.primary.model_copy(update={"adjusted": drop, "gain": gain})})
        for suite, drop, gain in zip(findings, drops, gains, strict=True)
    )


def _suite(
    old: ContenderCases, new: ContenderCases, suite: Suite, level: float, fill: tuple[float, float] | None, family: int
) -> SuiteFindings:
    among = conditions(suite, [new])
    first = primary(suite, among)
    paired = strata(first, old, new, fill)
    needed = None if fill else repeats_needed(paired, level / family, TARGET_DROP)
    return SuiteFindings(
        primary=finding(first, paired, level),
        secondary=() if fill else family_of(secondary(suite, among), old, new, level),
        detectable=detectable_drop(paired, level / family),
        repeats_needed=needed,
        more_episodes=None if needed is None else _more_episodes(paired, len(new.of(suite)), needed),
        replayed=both(old, new, suite, lambda case: case.attempt > 0),
        **counts_and_changes(old, new, first),
    )


def _more_episodes(paired: Sequence[Stratum], cases: int, repeats: int) -> int:
    """Episodes that a run of so many cases needs in addition, to play each task so often."""
    return max(0, round(cases * repeats / max(len(stratum.after) for stratum in paired)) - cases)


def family_of(
    endpoints: Iterable[Endpoint], old: ContenderCases, new: ContenderCases, alpha: float, *, two_sided: bool = False
) -> tuple[EndpointFinding, ...]:
    """The findings of several endpoints, with Holm's correction over those that both runs have."""
    findings = [
        finding(endpoint, paired, alpha, two_sided=two_sided)
        for endpoint in endpoints
        if (paired := strata(endpoint, old, new))
    ]
    adjusted = holm([tested.p for tested in findings])
    return tuple(tested.model_copy(update={"adjusted": p}) for tested, p in zip(findings, adjusted, strict=True))


def finding(endpoint: Endpoint, paired: Sequence[Stratum], alpha: float, *, two_sided: bool = False) -> EndpointFinding:
    """The finding of an endpoint: one-sided at alpha for a gate, two-sided for a comparison."""
    test = permutation_test(paired)
    confidence = 1 - alpha if two_sided else 1 - 2 * alpha
    within = repeated(paired)
    low, high = (
        within_tasks_interval(paired, confidence)
        if within
        else between_tasks_interval(paired, rate=True, confidence=confidence)
    )
    p = test.two_sided if two_sided else test.lower
    before, after = means(paired)
    return EndpointFinding(
        endpoint=endpoint.title,
        measure=endpoint.measure,
        conditions=endpoint.conditions,
        before=before,
        after=after,
        change=difference(paired),
        low=low,
        high=high,
        scope="these tasks" if within else "such tasks",
        p=p,
        adjusted=p,
        gain=1.0 if two_sided else test.upper,
        method=test.method,
        tasks=len({stratum.task for stratum in paired}),
        pairs=sum(stratum.pairs for stratum in paired),
    )


def counts_and_changes(old: ContenderCases, new: ContenderCases, endpoint: Endpoint) -> dict[str, Any]:
    """The fields of `SuiteSides` besides the findings: an endpoint's suite, its cases, and what changed."""
    moved = changes(endpoint, old, new)
    return {
        "suite": endpoint.suite,
        "cases": both(old, new, endpoint.suite, lambda _: True),
        "invalid": both(old, new, endpoint.suite, lambda case: case.outcome == "invalid"),
        "regressed": tuple(change for change in moved if change.after < change.before),
        "improved": tuple(reversed([change for change in moved if change.after > change.before])),
    }


def both(old: ContenderCases, new: ContenderCases, suite: Suite, counts: Callable[[Scored], bool]) -> tuple[int, int]:
    """How many cases of a suite count, before and after."""
    return sum(map(counts, old.of(suite))), sum(map(counts, new.of(suite)))
