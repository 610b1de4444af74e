"""Comparison: two finished runs, paired by task, with differences by endpoint, condition and task."""

from collections.abc import Sequence

from longtrail.errors import UsageError
from longtrail.gate import compatibility
from longtrail.gate.findings import SuiteComparison
from longtrail.gate.gate_report import conflicts, counts_and_changes, family_of, finding
from longtrail.gate.pairing import ContenderCases, condition, conditions, contender_cases, primary, secondary, strata
from longtrail.records.record import Record
from longtrail.records.trajectory import Suite
from longtrail.runs.baseline import Scores
from longtrail.runs.manifest import Manifest
from longtrail.statistics.paired import between_tasks_interval, by_task, difference
from longtrail.statistics.permutation import holm

ALPHA = 0.05
"""Two-sided: intervals are 95 % intervals."""


class Contamination(Record):
    """The difference shipped - variant of a suite's primary endpoint, paired by task; in [-1, 1]."""

    suite: Suite
    variant: int
    """The variant's seed."""
    difference: float
    low: float
    high: float
    """Its 95 % interval over tasks."""
    tasks: int


class Comparison(Record):
    """Two contenders, before and after."""

    form: int = 1
    before: str
    after: str
    warnings: tuple[str, ...] = ()
    """Reasons why the runs are not strictly comparable; a gate would refuse them."""
    notes: tuple[str, ...] = ()
    suites: tuple[SuiteComparison, ...] = ()
    contamination: tuple[Contamination, ...] = ()
    """The difference by suite, if one run played a variant and the other the tasks as they ship."""


def compare(before: Scores, after: Scores, labels: tuple[str, str] = ("", "")) -> Comparison:
    """Compare the runs' contenders (or those with these labels) on their common cases. Raises UsageError if there are
    none."""
    old, new = contender_cases(before, labels[0]), contender_cases(after, labels[1])
    suites = [suite for suite in dict.fromkeys(scored.case.suite for scored in new.cases) if conditions(suite, [old])]
    if not suites:
        raise UsageError(f"{old.name} and {new.name} have no suite in common")
    warnings = conflicts(before, after.manifest, new.contender, old.contender.label, variants=True)
    warnings += [f"{side}: {problem}" for side, run in (("A", before), ("B", after)) for problem in run.problems]
    warnings += compatibility.of_cases(old, new, subset=True, variants=True)
    notes = compatibility.of_contenders(old.contender, new.contender) + compatibility.notes(old, new)
    seeds = seed_of(before.manifest), seed_of(after.manifest)
    notes += [] if seeds[0] == seeds[1] else [f"tasks: {_tasks(seeds[0])} in A, {_tasks(seeds[1])} in B"]
    compared = tuple(_suite(old, new, suite) for suite in suites)
    memorized = (_contamination(old, new, suite, seeds) for suite in suites)
    return Comparison(
        before=old.name,
        after=new.name,
        warnings=tuple(map(_renamed, warnings)),
        notes=tuple(map(_renamed, notes)),
        suites=compared,
        contamination=tuple(row for row in memorized if row is not None),
    )


def _tasks(seed: int | None) -> str:
    return "as they ship" if seed is None else f"variant {seed}"


def _suite(old: ContenderCases, new: ContenderCases, suite: Suite) -> SuiteComparison:
    among = _common_conditions(old, new, suite)
    first = primary(suite, among)
    paired = strata(first, old, new)
    cells = [[(result.case.task, condition(result.case)) for result in side.of(suite)] for side in (old, new)]
    single = [
        finding(first, strata_of_task, ALPHA, two_sided=True).model_copy(update={"endpoint": task})
        for task, strata_of_task in by_task(paired).items()
    ]
    return SuiteComparison(
        primary=finding(first, paired, ALPHA, two_sided=True),
        secondary=family_of(secondary(suite, among), old, new, ALPHA, two_sided=True),
        tasks=tuple(
            finding.model_copy(update={"adjusted": p})
            for finding, p in zip(single, holm([finding.p for finding in single]), strict=True)
        ),
        unpaired=(_lonely(cells[0], cells[1]), _lonely(cells[1], cells[0])),
        **counts_and_changes(old, new, first),
    )


def _lonely(cells: Sequence[tuple[str, str]], other_cells: Sequence[tuple[str, str]]) -> int:
    partners = set(other_cells)
    return sum(cell not in partners for cell in cells)


def _renamed(line: str) -> str:
    """Reword a gate's reason for a comparison of two runs."""
    return line.replace("the baseline", "A").replace("this run", "B")


def seed_of(manifest: Manifest) -> int | None:
    """The seed of a run's variant; None for the tasks as they ship."""
    seed: int | None = manifest.options.get("variant")
    return seed


def _contamination(
    old: ContenderCases, new: ContenderCases, suite: Suite, seeds: tuple[int | None, int | None]
) -> Contamination | None:
    """From both runs and their seeds; None unless exactly one is a variant, or without a common task."""
    paired = strata(primary(suite, _common_conditions(old, new, suite)), old, new)
    before, after = seeds
    if (before is None) == (after is None) or not paired:
        return None
    change, (low, high) = difference(paired), between_tasks_interval(paired, rate=True)
    if after is not None:
        change, low, high = -change, -high, -low
    seed = before if after is None else after
    assert seed is not None
    tasks = len({stratum.task for stratum in paired})
    return Contamination(suite=suite, variant=seed, difference=change, low=low, high=high, tasks=tasks)


def _common_conditions(old: ContenderCases, new: ContenderCases, suite: Suite) -> list[str]:
    both = set(conditions(suite, [old])) & set(conditions(suite, [new]))
    return [name for name in conditions(suite, [old, new]) if name in both]
