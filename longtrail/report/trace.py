"""Trace: one page per episode. It shows the request, the outcome and its reasons, and what the agent saw, thought and
did."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from longtrail.records.action import Decide
from longtrail.records.result import AppealTurn, Metric, Result
from longtrail.records.trajectory import Trajectory
from longtrail.report.addresses import plays_file, run_folder
from longtrail.report.case_line import trace_href
from longtrail.report.cited import CitedPiece, cited, loose
from longtrail.report.evidence_lines import telling_lines
from longtrail.report.evidence_matrix import MatrixRow, matrix
from longtrail.report.history_bar import HistoryBar, history_bar
from longtrail.report.play_again import play_again
from longtrail.report.reference_path import PathRow, beside
from longtrail.report.row_difference import row_difference
from longtrail.report.story import story
from longtrail.report.template_page import render, script_hash, write
from longtrail.report.trace_steps import TraceStep, flat, phases, places_of
from longtrail.runs.model_calls import read_calls
from longtrail.runs.store import file_stem
from longtrail.scoring.appeals import turns
from longtrail.scoring.decision_view import DecisionView
from longtrail.tasks.task import DecisionTask, LongContextTask, Task

EVALUATOR = "evaluator_error"


@dataclass(frozen=True, slots=True)
class ChatTurn:
    """One user turn: the message to the agent, its last decision in that turn, and the current decision after it."""

    user: str
    answer: Decide | None
    place: int | None
    """Number of the step that decided."""
    after: AppealTurn | None


@dataclass(frozen=True, slots=True)
class Why:
    """What a decision case's truth shows; empty for other cases."""

    right: str = ""
    rows: tuple[MatrixRow, ...] = ()
    pieces: tuple[CitedPiece, ...] = ()
    noted: bool = False
    """Whether the matrix's first column shows what was noted before the noise."""
    places: tuple[int, ...] = ()
    """The matrix's columns: numbers, in the episode, of the steps up to the decision."""


def write_trace(trajectory: Trajectory, result: Result, task: Task | None, folder: Path) -> Path:
    """Write the page into `folder` (a run's `traces/`; screenshots are in `../shots/`, model calls in `../calls/`).

    If the task is known, the page also shows the reference's path and the truth.
    """
    view = _view(trajectory, result, task)
    legs = phases(trajectory, result, view, folder.parent / "shots")
    stops, told, why = flat(legs), story(trajectory, result, task), _why(view, result)
    own, paper = _families(result)
    page = render(
        "trace.html",
        trajectory=trajectory,
        result=result,
        run=folder.parent.name,
        title=getattr(task, "title", "") or trajectory.case.task,
        first_instruction=task.a1.instruction if isinstance(task, LongContextTask) else "",
        legs=legs,
        stops=stops,
        troubled=any(stop.marked("failed", "violation", "held") for stop in stops),
        places=places_of(trajectory),
        pages=_pages(stops),
        evidence=_evidence_lines(view),
        story=told,
        miss=told.telling or _first_miss(stops) or 1,
        why=why,
        claims=loose(result.claims, why.pieces),
        paths=_paths(trajectory, task),
        chat=_chat(trajectory, result, task),
        bar=_bar(trajectory, task),
        calls=read_calls(folder.parent, trajectory.case.id, trajectory.attempt),
        own=own,
        paper=paper,
        differences=tuple(map(row_difference, trajectory.changes)),
        violations=sum(len(step.outcome.violations) for step in trajectory.steps),
        usage=trajectory.usage,
        again=play_again(trajectory.case, trajectory.contender),
        plays=plays_file(trajectory.case.task),
        here=f"{run_folder(folder.parent.name)}{trace_href(trajectory.case.id)}",
        script=script_hash("trace_page.js"),
    )
    return write(folder / f"{file_stem(trajectory.case.id)}.html", page)


def _view(trajectory: Trajectory, result: Result, task: Task | None) -> DecisionView | None:
    """What the truth shows; empty for a case that could not be evaluated."""
    broken = result.trouble is not None and result.trouble.kind == EVALUATOR
    if broken or not trajectory.steps or not isinstance(task, DecisionTask):
        return None
    return DecisionView.of(task, trajectory)


def _why(view: DecisionView | None, result: Result) -> Why:
    if view is None:
        return Why()
    return Why(
        right=view.task.truth.optimal,
        rows=matrix(view),
        pieces=cited(view.decision, view.known_pages, result.claims) if view.decision else (),
        noted=bool(view.noted),
        places=tuple(view.place(step.number) for step in view.steps),
    )


def _pages(stops: Sequence[TraceStep]) -> tuple[str, ...]:
    """The episode's pages with their letters."""
    return tuple(dict.fromkeys(stop.page for stop in stops))


def _first_miss(stops: Sequence[TraceStep]) -> int | None:
    """The first step that failed or left the path; None: there is none."""
    return next((stop.place for stop in stops if stop.path == "diverged" or stop.marked("failed", "violation")), None)


def _evidence_lines(view: DecisionView | None) -> Mapping[int, frozenset[str]]:
    """Number of a step -> delivered lines that state a required fact."""
    return telling_lines(view) if view else {}


def _paths(trajectory: Trajectory, task: Task | None) -> tuple[tuple[str, tuple[PathRow, ...]], ...]:
    """For each part, its title and both paths; steps by their index in the episode, from 0."""
    if isinstance(task, DecisionTask):
        return (("", _moved(beside(task.reference.path, trajectory.phase("main")), trajectory)),)
    if not isinstance(task, LongContextTask):
        return ()
    second = _moved(beside(task.a2.reference, trajectory.phase("a2")), trajectory)
    return (("First part", beside(task.a1.reference, trajectory.phase("a1"))), ("Second part", second))


def _moved(rows: Sequence[PathRow], trajectory: Trajectory) -> tuple[PathRow, ...]:
    """The rows of a path that follows the episode's first part."""
    first = len(trajectory.phase("a1"))
    return tuple(row if row.step is None else PathRow(row.reference, row.why, row.step + first) for row in rows)


def _chat(trajectory: Trajectory, result: Result, task: Task | None) -> tuple[ChatTurn, ...]:
    """The turns of an appeal, with the first request before them; empty without an appeal."""
    kind = trajectory.case.appeal
    if kind is None or not isinstance(task, DecisionTask):
        return ()
    said = task.appeal.deceptive if kind == "deceptive" else task.appeal.valid
    played = [trajectory.phase("main"), *turns(trajectory.phase("appeal"))]
    found, place = [], len(trajectory.phase("a1"))
    for number, steps in enumerate(played):
        decided = next((i for i in reversed(range(len(steps))) if isinstance(steps[i].action, Decide)), None)
        action = steps[decided].action if decided is not None else None
        found.append(
            ChatTurn(
                user=task.trigger.strip() if number == 0 else said[min(number, len(said)) - 1],
                answer=action if isinstance(action, Decide) else None,
                place=None if decided is None else place + decided + 1,
                after=next((turn for turn in result.appeal_turns if turn.number == number), None),
            )
        )
        place += len(steps)
    return tuple(found)


def _bar(trajectory: Trajectory, task: Task | None) -> HistoryBar | None:
    long = task if isinstance(task, LongContextTask) else None
    return history_bar(trajectory.history, trajectory.phase("a1"), long) if trajectory.history else None


def _families(result: Result) -> tuple[dict[str, Metric], dict[str, Metric]]:
    """Our metrics and the papers', separately."""
    own = {name: metric for name, metric in result.metrics.items() if not name.startswith("paper_")}
    paper = {name: metric for name, metric in result.metrics.items() if name.startswith("paper_")}
    return own, paper
