"""A sheet on which people rate justifications, and their agreement with each other and with the measures.

The sheet is CSV with one row per case, in an order that the seed determines. Every person fills in
`factual`, `coherent`, `complete` (0 to 3) and `acceptable` (the decision: 1 yes, 0 no) in a
separate copy.
"""

import csv
import io
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Annotated

from pydantic import Field, ValidationError

from longtrail.errors import DataError
from longtrail.paths import write_file
from longtrail.records.action import Decide
from longtrail.records.record import Record
from longtrail.records.result import Result
from longtrail.records.trajectory import Trajectory
from longtrail.report.text import no_formula, plain
from longtrail.runs.store import Run
from longtrail.statistics.agreement import cohen_kappa, fleiss_kappa, pearson, spearman
from longtrail.tasks.cases import in_turns
from longtrail.tasks.task import DecisionTask, Task

RUBRIC = {
    "factual": "0 invented or wrong, 1 mostly wrong, 2 small errors, 3 the evidence supports everything",
    "coherent": "0 no argument, 1 gaps or contradictions, 2 hard to follow, 3 the evidence leads to the decision",
    "complete": "0 none, 1 some, 2 most, 3 all of the facts that decide the case",
}
"""What each mark means; printed above the table."""
MARKS = tuple(RUBRIC)
SHOWN = ("case", "category", "trigger", "facts", "decision given", "justification", "evidence")
FILLED = (*MARKS, "acceptable")


class RaterMarks(Record):
    """One person's marks for one case."""

    factual: Annotated[int, Field(ge=0, le=3)]
    coherent: Annotated[int, Field(ge=0, le=3)]
    complete: Annotated[int, Field(ge=0, le=3)]
    acceptable: Annotated[int, Field(ge=0, le=1)]

    @property
    def total(self) -> float:
        """The mean of the rubric's marks, scaled to [0, 1]."""
        return fmean((self.factual, self.coherent, self.complete)) / 3


class AgreementReport(Record):
    """The agreement of people with each other and with the measures."""

    cases: int
    people: int
    cohen: dict[str, float]
    """Mark -> mean of Cohen's kappa over pairs of people."""
    fleiss: dict[str, float]
    """Mark -> Fleiss' kappa over all people."""
    pearson: float | None
    """Correlation of `reasoning` with the people's mean total; None if one of them is constant."""
    spearman: float | None
    equivalence: float | None
    """Of the decisions that score 0.8, the share that a majority of the people calls acceptable;
    None: no such case."""
    equivalent_cases: int


def sample(results: Sequence[Result], size: int, seed: int = 0) -> tuple[Result, ...]:
    """Decided cases without an appeal, taken in turn from the strata (suite, category, prompt,
    score of the decision)."""
    strata: dict[tuple[str, ...], list[Result]] = defaultdict(list)
    for result in sorted(results, key=lambda result: (result.case.id, result.contender.label)):
        if result.outcome != "invalid" and result.number("completed") == 1.0 and not result.case.appeal:
            worth = f"{result.number('decision') or 0:g}"
            strata[result.case.suite, result.category, result.case.prompt or "", worth].append(result)
    draw = random.Random(f"annotation:{seed}")  # noqa: S311 (a seeded choice, no secret)
    chosen = in_turns([strata[key] for key in sorted(strata)], draw)[:size]
    draw.shuffle(chosen)
    return tuple(chosen)


def sheet_text(
    results: Sequence[Result], trajectories: Mapping[str, Trajectory], facts: Mapping[str, Sequence[str]]
) -> str:
    """The sheet as CSV. `trajectories`: by case id. `facts`: task id -> what a complete answer says."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["# " + "; ".join(f"{name}: {says}" for name, says in RUBRIC.items())])
    writer.writerow([*SHOWN, *FILLED])
    for result in results:
        row = _row(result, trajectories[result.case.id], facts.get(result.case.task, ()))
        writer.writerow([*(no_formula(plain(text)) for text in row), *("" for _ in FILLED)])
    return out.getvalue()


def write_sheet(run: Run, tasks: Mapping[str, Task], path: Path, size: int, seed: int) -> int:
    """Write a sheet of a finished run's cases and return their number. Raises DataError, UsageError."""
    chosen = sample(list(run.results()), size, seed)
    if not chosen:
        raise DataError(run.folder, "", "has no case with a decision to annotate")
    wanted = {result.case.id for result in chosen}
    trajectories = {trajectory.case.id: trajectory for trajectory in run.episodes() if trajectory.case.id in wanted}
    facts = {name: [f.says for f in task.required] for name, task in tasks.items() if isinstance(task, DecisionTask)}
    write_file(path, sheet_text(chosen, trajectories, facts))
    return len(chosen)


def _row(result: Result, trajectory: Trajectory, facts: Sequence[str]) -> list[str]:
    final = next((s.action for s in reversed(trajectory.phase("main")) if isinstance(s.action, Decide)), None)
    decision, why = (final.decision, final.justification) if final else ("", "")
    evidence = " | ".join(f"{e.source}: {e.quote}" for e in final.evidence) if final else ""
    trigger = trajectory.prompt.split("\n\n", maxsplit=1)[0]
    return [result.case.id, result.category, trigger, " | ".join(facts), decision, why, evidence]


def read_sheet(path: Path) -> dict[str, RaterMarks]:
    """Read a completed sheet: case id -> marks. Rows without any mark are left out. Raises DataError."""
    try:
        rows = list(csv.reader(path.read_text(encoding="utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(path, "", f"can't be read: {error}") from error
    head = next((number for number, row in enumerate(rows) if row[:1] == ["case"]), None)
    if head is None or any(name not in rows[head] for name in FILLED):
        raise DataError(path, "", f"is not a sheet: expected the columns case, {', '.join(FILLED)}")
    marks_of: dict[str, RaterMarks] = {}
    for number, row in enumerate(rows[head + 1 :], head + 2):
        cells = dict(zip(rows[head], row, strict=False))
        marks = {name: cells.get(name, "").strip() for name in FILLED}
        if any(marks.values()):
            marks_of[cells["case"].removeprefix("'")] = _marks(marks, path, number)
    return marks_of


def _marks(marks: Mapping[str, str], path: Path, number: int) -> RaterMarks:
    try:
        return RaterMarks.model_validate(marks)
    except ValidationError as error:
        first = error.errors()[0]
        raise DataError(path, f"line {number}.{first['loc'][0]}", first["msg"]) from error


def measure_agreement(sheets: Sequence[Mapping[str, RaterMarks]], results: Iterable[Result]) -> AgreementReport:
    """Agreement on the cases that everybody marked. Raises DataError if there is none."""
    cases = sorted(set.intersection(*(set(marks) for marks in sheets))) if sheets else []
    if not cases:
        raise DataError("sheets", "", "no case was marked by everybody")
    by_id = {result.case.id: result for result in results}
    if missing := [case for case in cases if case not in by_id]:
        raise DataError("sheets", missing[0], "is not a case of this run")
    marked = {name: [[int(getattr(s[case], name)) for s in sheets] for case in cases] for name in FILLED}
    totals = [fmean(s[case].total for s in sheets) for case in cases]
    reasoning = [by_id[case].number("reasoning") or 0.0 for case in cases]
    near = [case for case in cases if by_id[case].number("decision") == 0.8]
    agreed = [fmean(s[case].acceptable for s in sheets) > 0.5 for case in near]
    pairs = list(combinations(range(len(sheets)), 2))
    return AgreementReport(
        cases=len(cases),
        people=len(sheets),
        cohen={
            name: fmean(cohen_kappa([(row[a], row[b]) for row in rows]) for a, b in pairs)
            for name, rows in marked.items()
            if pairs
        },
        fleiss={name: fleiss_kappa(rows) for name, rows in marked.items() if pairs},
        pearson=pearson(reasoning, totals),
        spearman=spearman(reasoning, totals),
        equivalence=fmean(agreed) if agreed else None,
        equivalent_cases=len(near),
    )


def agreement_text(agreement: AgreementReport) -> str:
    """As text."""

    def number(value: float | None) -> str:
        return "not defined" if value is None else f"{value:.3f}"

    lines = [f"{agreement.cases} cases, {agreement.people} people"]
    for name in agreement.fleiss:
        cohen, fleiss = agreement.cohen[name], agreement.fleiss[name]
        lines.append(f"  {name:<11} Cohen's kappa {cohen:.3f}  Fleiss' kappa {fleiss:.3f}")
    lines.append(f"  reasoning and people: Pearson {number(agreement.pearson)}, Spearman {number(agreement.spearman)}")
    share = number(agreement.equivalence)
    lines.append(f"  decisions worth 0.8 called acceptable: {share} of {agreement.equivalent_cases}")
    return "\n".join(lines)
