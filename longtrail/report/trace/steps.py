"""The steps of an episode as its page shows them: as text, with the events of each, and in lanes."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from longtrail.browser.observation_budget import left_out
from longtrail.browser.view import VIEWPORT
from longtrail.checks.page_names import page_key
from longtrail.records.action import Decide
from longtrail.records.memory import describe
from longtrail.records.result import Result
from longtrail.records.trajectory import End, Phase, Step, Trajectory
from longtrail.report.trace.evidence import page_in_words
from longtrail.scoring.decision_view import DecisionView
from longtrail.scoring.path import PathRelation, path_relations
from longtrail.scoring.shown_pages import delivered

MarkKind = Literal["key", "delivered", "said", "violation", "failed", "held"]
PHASES: dict[Phase, str] = {"a1": "First part", "a2": "Second part", "main": "Investigation", "appeal": "Appeal"}
NO_RELATIONS: Mapping[int, PathRelation] = {}


@dataclass(frozen=True, slots=True)
class StepMark:
    """A scored event of a step."""

    kind: MarkKind
    text: str


@dataclass(frozen=True, slots=True)
class TraceStep:
    """A step as the page shows it."""

    step: Step
    place: int
    """Number in the whole episode, from 1: its anchor is `step-PLACE`."""
    words: str
    page: str
    """What the agent saw, in a few words."""
    letter: int
    """Index of that page among the episode's pages, from 0."""
    shot: str | None
    """Relative address of the screenshot."""
    box: tuple[float, float, float, float] | None
    """Left, top, width, height of the action's element, in percent of the screenshot."""
    marks: tuple[StepMark, ...]
    path: PathRelation | None
    """Decision tasks: on the reference's path, near it, or off it."""
    model_share: float
    """Model time relative to the slowest step's, 0 to 1."""
    cost_share: float
    """Cost (or tokens, if the price is unknown) relative to the most expensive step's, 0 to 1."""

    @property
    def cuts(self) -> tuple[int, int] | None:
        """Numbers of omitted and of delivered lines; None: no line is omitted."""
        if not self.step.observation.truncated:
            return None
        lines = self.step.observation.text.split("\n")
        gaps = [gap for line in lines if (gap := left_out(line))]
        return sum(gaps), len(lines) - len(gaps)

    @property
    def decision(self) -> Decide | None:
        return self.step.action if isinstance(self.step.action, Decide) else None

    @property
    def tone(self) -> str:
        """The mark that the step's dot shows: gains before faults."""
        kinds = {mark.kind for mark in self.marks}
        order: tuple[MarkKind, ...] = ("violation", "key", "delivered", "said", "failed")
        return next((kind for kind in order if kind in kinds), "")

    def marked(self, *kinds: str) -> tuple[StepMark, ...]:
        """Its marks of these kinds."""
        return tuple(mark for mark in self.marks if mark.kind in kinds)


@dataclass(frozen=True, slots=True)
class TracePhase:
    """The steps of one phase, and how it ended."""

    phase: Phase
    title: str
    trace_steps: tuple[TraceStep, ...]
    end: End | None


def phases(trajectory: Trajectory, result: Result, view: DecisionView | None, shots: Path) -> tuple[TracePhase, ...]:
    """The episode phase by phase; `shots` is the folder of screenshots."""
    marks, places = _marks(trajectory, result), _places(view)
    for place, text in _noted(result, view):
        marks[place].append(StepMark("delivered", text))
    slowest = max((step.timing.model for step in trajectory.steps), default=0.0)
    dearest = max(map(_cost, trajectory.steps), default=0.0)
    pages: dict[str, int] = {}
    trace_steps = defaultdict[Phase, list[TraceStep]](list)
    for place, step in enumerate(trajectory.steps, 1):
        page = _page(step, view, place)
        trace_steps[step.phase].append(
            TraceStep(
                step=step,
                place=place,
                words=step_words(step),
                page=page,
                letter=pages.setdefault(page, len(pages)),
                shot=_shot(step.observation.screenshot, shots),
                box=_box(step),
                marks=tuple(marks[place]),
                path=places.get(place),
                model_share=step.timing.model / slowest if slowest else 0.0,
                cost_share=_cost(step) / dearest if dearest else 0.0,
            )
        )
    titles = PHASES if trajectory.case.placement is None else PHASES | {"a1": "Noted"}
    titles |= {"main": "Episode"} if trajectory.case.suite == "app" else {}
    return tuple(
        TracePhase(phase, title, tuple(trace_steps[phase]), trajectory.end(phase))
        for phase, title in titles.items()
        if trace_steps[phase] or trajectory.end(phase)
    )


def step_words(step: Step) -> str:
    """What was done in a step."""
    if isinstance(step.action, Decide):
        return f"decide {step.action.decision}"
    target = step.outcome.target
    return describe(step.action, target.role if target else "", target.name if target else "")


def _page(step: Step, view: DecisionView | None, place: int) -> str:
    """A page's name: for a decision task its name in the site, otherwise its title, otherwise its address."""
    page_keys = () if view is None else tuple(page.keys for page in view.known_pages)
    if place <= len(page_keys) and page_keys[place - 1]:
        keys, this_page = page_keys[place - 1], page_key(step.observation.url)
        return page_in_words(this_page if this_page in keys else min(keys, key=lambda key: (len(key), key)))
    if step.observation.title:
        return step.observation.title
    try:
        parts = urlsplit(step.observation.url)
    except ValueError:
        return step.observation.url
    return f"{parts.netloc}{parts.path}" or "blank page"


def _places(view: DecisionView | None) -> Mapping[int, PathRelation]:
    """Number of a step in the episode -> its relation to the reference's path."""
    if view is None:
        return NO_RELATIONS
    return dict(enumerate(path_relations(view), len(view.noted) + 1))


def _cost(step: Step) -> float:
    usage = step.usage
    return usage.usd or float(usage.prompt_tokens + usage.completion_tokens) / 1e6


def _shot(name: str | None, shots: Path) -> str | None:
    """Relative address of the screenshot; None for a name outside of `shots/` or without a file."""
    if not name or name.startswith(("/", "\\")) or ".." in Path(name).parts or ":" in name or "\0" in name:
        return None
    try:
        return f"../shots/{name}" if (shots / name).is_file() else None
    except OSError:
        return None


def _box(step: Step) -> tuple[float, float, float, float] | None:
    if step.box is None:
        return None
    (left, top, right, bottom), (width, height) = step.box, VIEWPORT
    if right <= 0 or bottom <= 0 or left >= width or top >= height:
        return None
    left, top, right, bottom = max(left, 0), max(top, 0), min(right, width), min(bottom, height)
    return (
        round(100 * left / width, 2),
        round(100 * top / height, 2),
        round(100 * (right - left) / width, 2),
        round(100 * (bottom - top) / height, 2),
    )


def _marks(trajectory: Trajectory, result: Result) -> Mapping[int, list[StepMark]]:
    """Number of a step in the episode -> its events. (Step numbers restart with each turn of an appeal.)"""
    places: dict[tuple[Phase, int], int] = {}
    marks: dict[int, list[StepMark]] = {}
    for place, step in enumerate(trajectory.steps, 1):
        places.setdefault((step.phase, step.number), place)
        marks[place] = []

    def mark(phase: Phase, number: int | None, kind: MarkKind, text: str) -> None:
        if number is not None and (phase, number) in places:
            marks[places[phase, number]].append(StepMark(kind, text))

    for key in result.key_steps:
        mark(key.phase, key.step, "key", f"key step reached: {key.name.replace('-', ' ')}")
    for fact in result.facts:
        evidence = "supporting evidence" if fact.supporting else "evidence"
        mark("main", fact.delivered, "delivered", f"{evidence} delivered: {fact.says}")
        counts = "" if fact.counted else " (does not count as a reason)"
        mark("main", fact.said_at, "said", f"{evidence} stated{counts}: {fact.says}")
    for place, step in enumerate(trajectory.steps, 1):
        marks[place] += _troubles(step)
    return marks


def _noted(result: Result, view: DecisionView | None) -> Iterable[tuple[int, str]]:
    """Evidence that was delivered before the noise: number of the step in the episode, and text."""
    says = {fact.id: fact.says for fact in result.facts if fact.delivered == 0}
    if view is None:
        return
    for fact in view.task.required:
        shown = [place for place, page in enumerate(view.noted_pages, 1) if delivered(fact, [page]) is not None]
        if fact.id in says and shown:
            yield shown[0], f"evidence noted before the noise: {says[fact.id]}"


def _troubles(step: Step) -> Iterable[StepMark]:
    yield from (StepMark("violation", f"violation: {violation}") for violation in step.outcome.violations)
    for request in step.requests:
        if request.held:
            yield StepMark("held", f"not sent: {request.method} {request.url}: {request.held}")
    if not step.outcome.ok:
        yield StepMark("failed", "the action failed")


def places_of(trajectory: Trajectory) -> Mapping[str, int]:
    """`PHASE-NUMBER` -> number of the step in the episode."""
    places: dict[str, int] = {}
    for place, step in enumerate(trajectory.steps, 1):
        places.setdefault(f"{step.phase}-{step.number}", place)
    return places


def flat(trace_phases: Sequence[TracePhase]) -> tuple[TraceStep, ...]:
    """All steps of the episode in order."""
    steps = (step for phase in trace_phases for step in phase.trace_steps)
    return tuple(sorted(steps, key=lambda step: step.place))
