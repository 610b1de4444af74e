"""Comparison: two finished runs, paired by task, with differences by endpoint, condition and task."""

import json
from collections.abc import Sequence
from pathlib import Path

from longtrail.errors import UsageError
from longtrail.gate import compatibility
from longtrail.gate.contamination import Contamination, contamination, seed_of
from longtrail.gate.findings import CaseChange, EndpointFinding, SuiteComparison
from longtrail.gate.formatting import MOST, points
from longtrail.gate.judge import conflicts, family_of, finding
from longtrail.gate.pairing import ContenderCases, arm, changes, condition, conditions, primary, secondary, strata
from longtrail.records.record import Record
from longtrail.records.trajectory import Suite
from longtrail.report.figures import p_value, percent
from longtrail.report.terminal import table
from longtrail.report.text import plain
from longtrail.runs.baseline import Scored, Scores
from longtrail.statistics.holm import holm
from longtrail.statistics.paired import by_task

ALPHA = 0.05
"""Two-sided: intervals are 95 % intervals."""


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
    old, new = arm(before, labels[0]), arm(after, labels[1])
    suites = [suite for suite in dict.fromkeys(one.case.suite for one in new.cases) if conditions(suite, [old])]
    if not suites:
        raise UsageError(f"{old.name} and {new.name} have no suite in common")
    warnings = conflicts(before, after.manifest, new.contender, old.contender.label, variants=True)
    warnings += [f"{side}: {problem}" for side, run in (("A", before), ("B", after)) for problem in run.problems]
    warnings += compatibility.of_cases(old, new, subset=True, variants=True)
    notes = compatibility.of_contenders(old.contender, new.contender) + compatibility.notes(old, new)
    seeds = seed_of(before.manifest), seed_of(after.manifest)
    notes += [] if seeds[0] == seeds[1] else [f"tasks: {_tasks(seeds[0])} in A, {_tasks(seeds[1])} in B"]
    compared = tuple(_suite(old, new, suite) for suite in suites)
    memorized = (contamination(suite.suite, suite.primary, seeds) for suite in compared)
    return Comparison(
        before=old.name,
        after=new.name,
        warnings=tuple(map(_renamed, warnings)),
        notes=tuple(map(_renamed, notes)),
        suites=compared,
        contamination=tuple(one for one in memorized if one is not None),
    )


def _tasks(seed: int | None) -> str:
    return "as they ship" if seed is None else f"variant {seed}"


def _suite(old: ContenderCases, new: ContenderCases, suite: Suite) -> SuiteComparison:
    both = set(conditions(suite, [old])) & set(conditions(suite, [new]))
    among = [name for name in conditions(suite, [old, new]) if name in both]
    first = primary(suite, among)
    paired = strata(first, old, new)
    moved = changes(first, old, new)
    mine = [[one for one in side.cases if one.case.suite == suite] for side in (old, new)]
    cells = [[(one.case.task, condition(one.case)) for one in side] for side in mine]
    single = [
        finding(first, own, ALPHA, two_sided=True).model_copy(update={"endpoint": task})
        for task, own in by_task(paired).items()
    ]
    return SuiteComparison(
        suite=suite,
        primary=finding(first, paired, ALPHA, two_sided=True),
        secondary=family_of(secondary(suite, among), old, new, ALPHA, two_sided=True),
        tasks=tuple(
            one.model_copy(update={"adjusted": p})
            for one, p in zip(single, holm([one.p for one in single]), strict=True)
        ),
        cases=(len(mine[0]), len(mine[1])),
        invalid=(_invalid(mine[0]), _invalid(mine[1])),
        unpaired=(_lonely(cells[0], cells[1]), _lonely(cells[1], cells[0])),
        regressed=tuple(one for one in moved if one.after < one.before),
        improved=tuple(reversed([one for one in moved if one.after > one.before])),
    )


def _invalid(cases: Sequence[Scored]) -> int:
    return sum(one.outcome == "invalid" for one in cases)


def _lonely(cells: Sequence[tuple[str, str]], others: Sequence[tuple[str, str]]) -> int:
    known = set(others)
    return sum(cell not in known for cell in cells)


def _renamed(line: str) -> str:
    """Reword a gate's reason for a comparison of two runs."""
    return line.replace("the baseline", "A").replace("this run", "B")


HEAD = ("", "A", "B", "B - A", "95 %", "tasks", "n", "p", "Holm")


def shown(found: Comparison) -> str:
    """The comparison as plain text."""
    lines = [f"A: {plain(found.before)}", f"B: {plain(found.after)}"]
    lines += [f"not strictly comparable: {plain(line)}" for line in found.warnings]
    lines += [f"note: {plain(line)}" for line in found.notes]
    for suite in found.suites:
        name = suite.suite.replace("_", " ")
        counts = f"{suite.cases[0]} and {suite.cases[1]} cases, {suite.invalid[0]} and {suite.invalid[1]} invalid"
        if any(suite.unpaired):
            counts += f", {suite.unpaired[0]} and {suite.unpaired[1]} without a partner"
        lines += ["", f"{name}: {counts}; p by permutation within tasks ({suite.primary.method})"]
        lines += [_table([suite.primary, *suite.secondary])]
        lines += [_contamination(one) for one in found.contamination if one.suite == suite.suite]
        lines += ["", f"{name}, {suite.primary.endpoint} by task", _table(suite.tasks)]
        for word, moved in (("regressed", suite.regressed), ("improved", suite.improved)):
            if moved:
                lines += ["", f"{word}: {len(moved)}", *_changes(moved)]
    return "\n".join(lines)


def _table(findings: Sequence[EndpointFinding]) -> str:
    rows = []
    for one in findings:
        interval = f"{points(one.low)} to {points(one.high)}"
        figures = [percent(one.before), percent(one.after), points(one.change), interval]
        counts = [str(one.tasks), str(one.pairs)]
        rows.append([plain(one.endpoint), *figures, *counts, p_value(one.p), p_value(one.adjusted)])
    return table(list(HEAD), rows)


def _contamination(one: Contamination) -> str:
    interval = f"{points(one.low)} to {points(one.high)}"
    return (
        f"contamination (shipped - variant {one.variant}, paired by task): {points(one.difference)} points, "
        f"95 % {interval}, {one.tasks} tasks"
    )


def _changes(moved: Sequence[CaseChange]) -> list[str]:
    lines = [
        f"  {plain(one.task)} {one.condition}  {percent(one.before)} -> {percent(one.after)}" for one in moved[:MOST]
    ]
    return lines + ([f"  and {len(moved) - MOST} more"] if len(moved) > MOST else [])


def write_json(found: Comparison, path: Path) -> None:
    """The comparison as JSON. Raises UsageError if the file can't be written."""
    try:
        path.write_text(json.dumps(found.model_dump(mode="json"), indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: can't be written: {error.strerror}") from error
