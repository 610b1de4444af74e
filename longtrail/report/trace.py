"""Trace: one page per episode. What was asked, what the agent saw, thought and did, and what each metric made of it."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from longtrail.records.action import Decide
from longtrail.records.memory import describe
from longtrail.records.result import Metric, Result
from longtrail.records.trajectory import Change, End, Phase, Step, Trajectory
from longtrail.report.template_page import render, write
from longtrail.runs.store import file_stem
from longtrail.tasks.task import LongContextTask, Task

MarkKind = Literal["key", "delivered", "said", "violation", "failed", "held"]
PHASES: dict[Phase, str] = {"a1": "First part", "a2": "Second part", "main": "Investigation", "appeal": "Appeal"}


@dataclass(frozen=True, slots=True)
class StepMark:
    """Something that counted, at the step where it happened."""

    kind: MarkKind
    text: str


@dataclass(frozen=True, slots=True)
class TraceStep:
    """A step as the page shows it."""

    step: Step
    anchor: str
    words: str
    decision: Decide | None
    shot: str | None
    """Relative address of the screenshot."""
    marks: tuple[StepMark, ...]

    @property
    def tone(self) -> str:
        """The one mark that the path's dot shows: what was gained, before what went wrong."""
        kinds = {mark.kind for mark in self.marks}
        order: tuple[MarkKind, ...] = ("violation", "key", "delivered", "said", "failed")
        return next((kind for kind in order if kind in kinds), "")


@dataclass(frozen=True, slots=True)
class TracePhase:
    """The steps of one phase, and how it ended."""

    phase: Phase
    title: str
    instruction: str
    stops: tuple[TraceStep, ...]
    end: End | None


@dataclass(frozen=True, slots=True)
class RowDifference:
    """One changed row of a site, column by column: (column, before, after)."""

    change: Change
    verb: str
    columns: tuple[tuple[str, str, str], ...]


def write_trace(trajectory: Trajectory, result: Result, task: Task | None, folder: Path) -> Path:
    """Write the page into `folder` (a run's `traces/`; screenshots are looked for in `../shots/`).

    With the task at hand, its title and the first part's instruction are shown too.
    """
    own, paper = _families(result)
    page = render(
        "trace.html",
        trajectory=trajectory,
        result=result,
        title=getattr(task, "title", "") or trajectory.case.task,
        legs=_legs(trajectory, result, task),
        own=own,
        paper=paper,
        differences=tuple(map(_difference, trajectory.changes)),
        violations=sum(len(step.outcome.violations) for step in trajectory.steps),
        usage=trajectory.usage,
    )
    return write(folder / f"{file_stem(trajectory.case.id)}.html", page)


def _legs(trajectory: Trajectory, result: Result, task: Task | None) -> tuple[TracePhase, ...]:
    marks = _marks(trajectory, result)
    legs = []
    for phase, title in PHASES.items():
        steps = trajectory.phase(phase)
        end = trajectory.end(phase)
        if steps or end:
            first = task.a1.instruction if phase == "a1" and isinstance(task, LongContextTask) else ""
            title = "Task" if trajectory.case.suite == "app" and phase == "main" else title
            stops = tuple(_stop(step, marks[phase, step.number]) for step in steps)
            legs.append(TracePhase(phase, title, first, stops, end))
    return tuple(legs)


def _stop(step: Step, marks: Iterable[StepMark]) -> TraceStep:
    target = step.outcome.target
    decision = step.action if isinstance(step.action, Decide) else None
    words = (
        f"decide {decision.decision}"
        if decision
        else describe(step.action, target.role if target else "", target.name if target else "")
    )
    return TraceStep(
        step=step,
        anchor=f"{step.phase}-{step.number}",
        words=words,
        decision=decision,
        shot=_shot(step.observation.screenshot),
        marks=tuple(marks),
    )


def _shot(name: str | None) -> str | None:
    """Where the picture is, seen from the page; a name that leads out of `shots/` is none."""
    if not name or name.startswith(("/", "\\")) or ".." in Path(name).parts or ":" in name:
        return None
    return f"../shots/{name}"


def _marks(trajectory: Trajectory, result: Result) -> defaultdict[tuple[Phase, int], list[StepMark]]:
    marks: defaultdict[tuple[Phase, int], list[StepMark]] = defaultdict(list)
    for key in result.key_steps:
        if key.step is not None:
            marks[key.phase, key.step].append(StepMark("key", f"key step reached: {key.name}"))
    for fact in result.facts:
        what = "supporting evidence" if fact.supporting else "evidence"
        if fact.delivered is not None:
            marks["main", fact.delivered].append(StepMark("delivered", f"{what} delivered: {fact.says}"))
        if fact.said_at is not None:
            counts = "" if fact.counted else " (before it was seen: does not count)"
            marks["main", fact.said_at].append(StepMark("said", f"{what} stated{counts}: {fact.says}"))
    for step in trajectory.steps:
        here = marks[step.phase, step.number]
        here += [StepMark("violation", f"violation: {violation}") for violation in step.outcome.violations]
        held = [each for each in step.requests if each.held]
        here += [StepMark("held", f"not sent: {each.method} {each.url}: {each.held}") for each in held]
        if not step.outcome.ok:
            here.append(StepMark("failed", "the action failed"))
    return marks


def _families(result: Result) -> tuple[dict[str, Metric], dict[str, Metric]]:
    """Our metrics and the papers', apart."""
    own = {name: metric for name, metric in result.metrics.items() if not name.startswith("paper_")}
    paper = {name: metric for name, metric in result.metrics.items() if name.startswith("paper_")}
    return own, paper


def _difference(change: Change) -> RowDifference:
    before, after = change.before or {}, change.after or {}
    verb = "added" if change.before is None else "deleted" if change.after is None else "changed"
    columns = tuple(
        (column, _cell(before, column), _cell(after, column))
        for column in dict.fromkeys([*before, *after])
        if before.get(column) != after.get(column)
    )
    return RowDifference(change, verb, columns)


def _cell(row: dict[str, object], column: str) -> str:
    return "" if row.get(column) is None else str(row[column])
