"""The page of an episode: the request, the outcome and its reasons, and what the agent saw, thought and did."""

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from longtrail.options.run_options import IDENTITY
from longtrail.paths import cases_folder
from longtrail.records.action import Decide
from longtrail.records.case import Case
from longtrail.records.result import AppealTurn, Result
from longtrail.records.trajectory import Contender, Step, Trajectory
from longtrail.report.addresses import plays_file, run_folder
from longtrail.report.progress import trace_href
from longtrail.report.template_page import render, script_hash, write
from longtrail.report.text import clip, visible
from longtrail.report.trace.evidence import CitedPiece, MatrixRow, cited, evidence_matrix, fact_lines, loose
from longtrail.report.trace.history_bar import history_bar
from longtrail.report.trace.reference_path import PathRow, aligned_paths
from longtrail.report.trace.steps import TraceStep, flat, phases, places_of, step_words
from longtrail.report.trace.story import Story, story
from longtrail.runs.attempts import file_stem
from longtrail.runs.model_calls import read_calls
from longtrail.runs.recordings import kept_files
from longtrail.scoring.appeals import turns
from longtrail.scoring.decision_view import DecisionView
from longtrail.tasks.cases import RELOCATED, length_name
from longtrail.tasks.interference import asked
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
class DecisionReview:
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
    task = asked(task, trajectory.case) if isinstance(task, LongContextTask) else task
    view = _view(trajectory, result, task)
    trace_phases = phases(trajectory, result, view, folder.parent / "shots")
    trace_steps, summary, why = flat(trace_phases), story(trajectory, result, task), _why(view, result)
    long = task if isinstance(task, LongContextTask) else None
    page = render(
        "trace.html",
        trajectory=trajectory,
        result=result,
        run=folder.parent.name,
        title=getattr(task, "title", "") or trajectory.case.task,
        first_instruction=long.a1.instruction if long else "",
        trace_phases=trace_phases,
        trace_steps=trace_steps,
        troubled=any(trace_step.marked("failed", "violation", "held") for trace_step in trace_steps),
        places=places_of(trajectory),
        pages=tuple(dict.fromkeys(trace_step.page for trace_step in trace_steps)),
        evidence=fact_lines(view) if view else {},
        story=summary,
        miss=summary.decisive_step or _first_miss(trace_steps) or 1,
        why=why,
        claims=loose(result.claims, why.pieces),
        paths=_paths(trajectory, task),
        chat=_chat(trajectory, result, task),
        bar=history_bar(trajectory.history, trajectory.phase("a1"), long) if trajectory.history else None,
        calls=read_calls(folder.parent, trajectory.case.id, trajectory.attempt),
        own={name: metric for name, metric in result.metrics.items() if not name.startswith("paper_")},
        paper={name: metric for name, metric in result.metrics.items() if name.startswith("paper_")},
        violations=sum(len(step.outcome.violations) for step in trajectory.steps),
        usage=trajectory.usage,
        again=play_again(trajectory.case, trajectory.contender),
        plays=plays_file(trajectory.case.task),
        here=f"{run_folder(folder.parent.name)}{trace_href(trajectory.case.id)}",
        recorded=tuple(kept_files(trajectory, folder.parent)),
        script=script_hash("trace_page.js"),
    )
    return write(folder / f"{file_stem(trajectory.case.id)}.html", page)


def _view(trajectory: Trajectory, result: Result, task: Task | None) -> DecisionView | None:
    """What the truth shows; empty for a case that could not be evaluated."""
    broken = result.trouble is not None and result.trouble.kind == EVALUATOR
    if broken or not trajectory.steps or not isinstance(task, DecisionTask):
        return None
    return DecisionView(task, trajectory)


def _why(view: DecisionView | None, result: Result) -> DecisionReview:
    if view is None:
        return DecisionReview()
    return DecisionReview(
        right=view.task.truth.optimal,
        rows=evidence_matrix(view),
        pieces=cited(view.decision, view.known_pages, result.claims) if view.decision else (),
        noted=bool(view.noted),
        places=tuple(len(view.noted) + step.number for step in view.steps),
    )


def _first_miss(trace_steps: Sequence[TraceStep]) -> int | None:
    """The first step that failed or left the path; None: there is none."""
    missed = (step for step in trace_steps if step.path == "diverged" or step.marked("failed", "violation"))
    return next((step.place for step in missed), None)


def _paths(trajectory: Trajectory, task: Task | None) -> tuple[tuple[str, tuple[PathRow, ...]], ...]:
    """For each part, its title and both paths; steps by their index in the episode, from 0."""
    if isinstance(task, DecisionTask):
        return (("", _moved(aligned_paths(task.reference.path, trajectory.phase("main")), trajectory)),)
    if not isinstance(task, LongContextTask):
        return ()
    second = _moved(aligned_paths(task.a2.reference, trajectory.phase("a2")), trajectory)
    return (("First part", aligned_paths(task.a1.reference, trajectory.phase("a1"))), ("Second part", second))


def _moved(rows: Sequence[PathRow], trajectory: Trajectory) -> tuple[PathRow, ...]:
    """The rows of a path that follows the episode's first part."""
    first = len(trajectory.phase("a1"))
    return tuple(row if row.step is None else PathRow(row.reference, row.why, row.step + first) for row in rows)


def _chat(trajectory: Trajectory, result: Result, task: Task | None) -> tuple[ChatTurn, ...]:
    """The turns of an appeal, with the first request before them; empty without an appeal."""
    kind = trajectory.case.appeal
    if kind is None or not isinstance(task, DecisionTask):
        return ()
    appeal_messages = task.appeal.deceptive if kind == "deceptive" else task.appeal.valid
    played = [trajectory.phase("main"), *turns(trajectory.phase("appeal"))]
    messages, place = [], len(trajectory.phase("a1"))
    for number, steps in enumerate(played):
        decided = next((i for i in reversed(range(len(steps))) if isinstance(steps[i].action, Decide)), None)
        action = steps[decided].action if decided is not None else None
        messages.append(
            ChatTurn(
                user=task.trigger.strip() if number == 0 else appeal_messages[min(number, len(appeal_messages)) - 1],
                answer=action if isinstance(action, Decide) else None,
                place=None if decided is None else place + decided + 1,
                after=next((turn for turn in result.appeal_turns if turn.number == number), None),
            )
        )
        place += len(steps)
    return tuple(messages)


OWN_TEST = "app"
"""The suite of cases that a test of the user's own may have made: only that test plays them again."""
SHORTEST = "0,25k"
"""Decision tasks get long histories only if some length is above 0."""


def play_again(case: Case, contender: Contender) -> str:
    """One line for a shell. It has what the case and its contender record; other options of the run, such as a model's
    address, are to be added. Empty for a case on the user's own app."""
    if case.suite == OWN_TEST:
        return ""
    folder = cases_folder()
    words = ["pytest", *([folder] if Path(folder).is_dir() else []), "--task", case.task, "-k", case.id]
    words += ["--agent", contender.agent]
    words += ["--model", contender.model] if contender.model else []
    words += ["--profile", contender.profile] if contender.profile != "default" else []
    for name, value in contender.options.items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        words += ["--model-arg" if name in IDENTITY else "--agent-arg", f"{name}={text}"]
    return shlex.join([*words, *_conditions(case)])


def _conditions(case: Case) -> list[str]:
    words = []
    if case.noise_tokens is not None:
        length = RELOCATED if case.relocated else length_name(case.noise_tokens)
        words += ["--lengths", SHORTEST if case.placement and not case.noise_tokens else length]
    words += ["--placement", case.placement] if case.placement else []
    words += ["--noise", case.noise] if case.noise != "orthogonal" else []
    words += ["--needle", case.needle] if case.needle != "first" else []
    words += ["--interference", case.interference] if case.interference != "off" else []
    words += ["--notebook", str(case.notebook)] if case.notebook else []
    words += ["--variant", str(case.variant)] if case.variant is not None else []
    return [*words, *(["--repeats", str(case.repeat + 1)] if case.repeat else [])]


FOLDER = "steps"
THOUGHT, WORDS, STORY = 400, 300, 1_200


def write_steps(trajectory: Trajectory, run: Path, summary: Story | None = None) -> Path:
    """Write one episode's list below its run's folder; with what came of it, where that is known."""
    return write(run / FOLDER / f"{file_stem(trajectory.case.id)}.js", step_script(trajectory, summary))


def step_script(trajectory: Trajectory, summary: Story | None = None) -> str:
    """One call with a row for each step: phase, what was done, where that led, whether it worked, the thought; then,
    where it is known, the outcome in words and the step that tells most (from 1)."""
    arguments: list[object] = [trajectory.case.id, [_row(step) for step in trajectory.steps]]
    arguments += [visible(clip(summary.text, STORY)), summary.decisive_step] if summary else []
    return f"longtrailSteps({json.dumps(arguments, separators=(',', ':'))});\n"


def _row(step: Step) -> list[object]:
    words = step_words(step) + (f": {step.action.justification}" if isinstance(step.action, Decide) else "")
    thought = clip(" ".join(step.thought.split()), THOUGHT)
    return [
        step.phase,
        *map(visible, (clip(words, WORDS), clip(step.outcome.url, WORDS))),
        step.outcome.ok,
        visible(thought),
    ]
