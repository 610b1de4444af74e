"""Pairing: the cases of two runs side by side, in the strata within which the test permutes outcomes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from longtrail.errors import UsageError
from longtrail.gate.findings import CaseChange
from longtrail.records.case import LONG
from longtrail.records.grouping import grouped
from longtrail.records.record import Record
from longtrail.records.trajectory import Case, Contender, Provenance, Suite
from longtrail.runs.baseline import Scored, Scores
from longtrail.scoring.catalog import MEASURES, PRIMARY
from longtrail.statistics.paired import Stratum
from longtrail.tasks.cases import RELOCATED, length_name

TWINS = ("raw twin", "hint twin", "explicit twin", "continuous twin", "sessions twin")
CONTROLS = (RELOCATED, *TWINS, "deceptive", "valid")
"""Conditions that are not part of the primary endpoint."""
ORDER = ("raw", "hint", "explicit", "continuous", "sessions", *CONTROLS)
PASSED = "passed"
"""The outcome as a measure; appeals are judged by it."""


@dataclass(frozen=True)
class ContenderCases:
    """One contender's cases in one run."""

    scores: Scores
    contender: Contender
    cases: tuple[Scored, ...]

    @property
    def name(self) -> str:
        """`RUN (CONTENDER)`."""
        return f"{self.scores.name} ({self.contender.label})"

    def of(self, suite: Suite) -> tuple[Scored, ...]:
        return tuple(scored for scored in self.cases if scored.case.suite == suite)

    def provenance(self, scored: Scored) -> Provenance:
        """How a case was made."""
        return self.scores.provenances[scored.provenance]


def contender_cases(scores: Scores, label: str = "") -> ContenderCases:
    """The contender with this label, or the only one. Raises UsageError if there is not exactly one."""
    labels = sorted({contender.label for contender in scores.contenders})
    indices = [i for i, contender in enumerate(scores.contenders) if label in ("", contender.label)]
    if not indices:
        raise UsageError(f"{scores.name} holds {', '.join(labels) or 'no contender'}, not {label or 'any'}")
    if len(indices) > 1:
        raise UsageError(f"{scores.name} has several contenders: {', '.join(labels)}; name one with a unique label")
    return ContenderCases(
        scores, scores.contenders[indices[0]], tuple(case for case in scores.cases if case.contender == indices[0])
    )


def condition(case: Case) -> str:
    """The name of a case's condition: `0`, `relocated`, `25k`, `25k similar noise` / `raw`, `hint`, `explicit`,
    `raw twin`, `deceptive`, `valid`, `lost_guidance hint 25k` / `continuous`, `sessions twin` / `app`."""
    length = length_name(case.noise_tokens or 0)
    if case.suite == "app":
        return "app"
    if case.suite in LONG:
        return RELOCATED if case.relocated else f"{length} {case.setting}".strip()
    if case.placement:
        return f"{case.placement} {case.prompt} {length}"
    return case.appeal or f"{case.shift or case.prompt or 'raw'}{' twin' if case.twin else ''}"


def conditions(suite: Suite, arms: Iterable[ContenderCases]) -> tuple[str, ...]:
    """The conditions of a suite's cases: lengths by number, then the others in the plan's order."""
    return in_order([scored.case for side in arms for scored in side.cases if scored.case.suite == suite])


def in_order(cases: Iterable[Case]) -> tuple[str, ...]:
    """The conditions of cases: lengths by number, then the others in the plan's order."""
    ranked = {(case.noise_tokens or 0, _rank(condition(case)), condition(case)) for case in cases}
    return tuple(dict.fromkeys(name for _, _, name in sorted(ranked)))


def _rank(name: str) -> int:
    return ORDER.index(name) + 1 if name in ORDER else 0


class Endpoint(Record):
    """A measure over some conditions of a suite."""

    suite: Suite
    measure: str
    """A measure of the catalogue, or `passed`."""
    conditions: tuple[str, ...]
    title: str

    def value(self, scored: Scored) -> float | None:
        """A case's value; None if it is invalid or the measure is not defined for it."""
        if scored.outcome == "invalid":
            return None
        return float(scored.outcome == PASSED) if self.measure == PASSED else scored.values.get(self.measure)

    def takes(self, scored: Scored) -> bool:
        return scored.case.suite == self.suite and condition(scored.case) in self.conditions


def primary(suite: Suite, among: Sequence[str]) -> Endpoint:
    """The suite's primary endpoint over its conditions. Controls count only if there are no other conditions."""
    main = tuple(name for name in among if name not in CONTROLS)
    measure = PRIMARY[suite] if main or suite in LONG else PASSED
    return Endpoint(suite=suite, measure=measure, conditions=main or tuple(among), title=measure)


def secondary(suite: Suite, among: Sequence[str]) -> tuple[Endpoint, ...]:
    """Our other rates (those in which more is better), the primary measure under each condition, and the controls."""
    first = primary(suite, among)
    main = first.conditions
    endpoints: list[Endpoint] = []
    if first.measure != PASSED:
        names = [
            name
            for name, measure in MEASURES.items()
            if suite in measure.suites and measure.kind in ("rate", "pair") and not name.startswith("paper_")
        ]
        endpoints += [
            Endpoint(suite=suite, measure=name, conditions=main, title=name) for name in names if name != first.measure
        ]
    word = "at" if suite in LONG else "under"
    for name in among if len(among) > 1 else ():
        measure = PASSED if name in ("deceptive", "valid") else PRIMARY[suite]
        title = f"{measure}, {name}" if name in CONTROLS else f"{measure} {word} {name}"
        endpoints.append(Endpoint(suite=suite, measure=measure, conditions=(name,), title=title))
    return tuple(endpoints)


def strata(
    endpoint: Endpoint, before: ContenderCases, after: ContenderCases, fill: tuple[float, float] | None = None
) -> tuple[Stratum, ...]:
    """The values of an endpoint that both runs have, paired by task.

    Long context: all lengths of one repeat start from the same first part, so they are not independent; their mean is
    one value, and it counts only if all of its lengths are valid. Decision tasks: each condition is a stratum.
    `fill`: values for invalid cases before and after. Without it they are left out, and so is a stratum in which
    one side then has no value.
    """
    common = _cells(endpoint, before) & _cells(endpoint, after)
    first = _values(endpoint, before, common, fill[0] if fill else None)
    second = _values(endpoint, after, common, fill[1] if fill else None)
    return tuple(
        Stratum(key[0], tuple(sorted(first[key])), tuple(sorted(second[key]))) for key in sorted(first.keys() & second)
    )


def _cells(endpoint: Endpoint, side: ContenderCases) -> set[tuple[str, str]]:
    return {(scored.case.task, condition(scored.case)) for scored in side.cases if endpoint.takes(scored)}


def _values(
    endpoint: Endpoint, side: ContenderCases, common: set[tuple[str, str]], fill: float | None
) -> dict[tuple[str, str], list[float]]:
    """(task, condition) -> values of its repeats; the condition is empty where a repeat is one value."""
    joined = endpoint.suite in LONG
    rows: dict[tuple[str, str, int], list[float | None]] = {}
    for scored in side.cases:
        cell = (scored.case.task, condition(scored.case))
        if endpoint.takes(scored) and cell in common:
            value = endpoint.value(scored)
            key = (cell[0], "" if joined else cell[1], scored.case.repeat)
            rows.setdefault(key, []).append(fill if value is None else value)
    values: dict[tuple[str, str], list[float]] = {}
    for (task, name, _), row in sorted(rows.items(), key=lambda item: item[0]):
        defined = [value for value in row if value is not None]
        lengths = sum(cell[0] == task for cell in common) if joined else 1
        if len(defined) == lengths:
            values.setdefault((task, name), []).append(fmean(defined))
    return values


def changes(endpoint: Endpoint, before: ContenderCases, after: ContenderCases) -> tuple[CaseChange, ...]:
    """Every task and condition whose mean differs, largest drop first."""
    changed = []
    sides = [_valued_cases(endpoint, side) for side in (before, after)]
    for task, name in sorted(sides[0].keys() & sides[1].keys()):
        first, second = (side[task, name] for side in sides)
        old, new = (fmean(value for value, _ in values) for values in (first, second))
        if abs(new - old) > 1e-9:
            repeats = len(first), len(second)
            worst = min(second, key=lambda pair: (pair[0], pair[1].case.repeat))[1]
            changed.append(
                CaseChange(task=task, condition=name, before=old, after=new, repeats=repeats, reason=worst.reason)
            )
    return tuple(sorted(changed, key=lambda change: (change.after - change.before, change.task, change.condition)))


def _valued_cases(endpoint: Endpoint, side: ContenderCases) -> dict[tuple[str, str], list[tuple[float, Scored]]]:
    """(task, condition) -> the value of each case that has one, and the case."""
    values = ((endpoint.value(scored), scored) for scored in filter(endpoint.takes, side.cases))
    cases = [(value, scored) for value, scored in values if value is not None]
    return grouped(cases, lambda pair: (pair[1].case.task, condition(pair[1].case)))
