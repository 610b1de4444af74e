"""Cases: the plan of a run. Every task under every requested condition, once per repeat, with stable ids."""

import random
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from longtrail.records.case import InterferenceKind, NeedlePlace, NoiseKind, Placement, ShiftMode
from longtrail.records.record import Record
from longtrail.records.trajectory import Case, Contender, Suite
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.shifts.shift import ShiftTask
from longtrail.tasks.task import DecisionTask, LongContextTask, Task

PAPER_LENGTHS = (0, 25_000, 50_000, 75_000, 100_000, 125_000, 150_000)
"""Context lengths of the long-context paper, in tokens; 0 = nothing injected."""
RELOCATED = "relocated"


@dataclass(frozen=True, slots=True)
class PlannedCase:
    """A case, its task, and the markers that select it."""

    case: Case
    task: Task
    markers: tuple[str, ...]
    contender: Contender | None = None
    """Set where a run has several contenders."""


class Conditions(Record):
    """What to cross the tasks with."""

    lengths: tuple[int, ...] = PAPER_LENGTHS
    relocated: bool = True
    prompts: tuple[str, ...] = ("raw", "hint", "explicit")
    appeals: tuple[str, ...] = ("deceptive", "valid")
    repeats: int = 1
    noise: NoiseKind = "orthogonal"
    needle: NeedlePlace = "first"
    interference: InterferenceKind = "off"
    variant: int | None = None
    """Seed of the variant of the shipped tasks; None: as they ship."""
    shifts: tuple[ShiftMode, ...] = ("continuous",)
    """Shifts: what becomes of the agent's context."""
    notebook: int | None = None
    """Shifts in sessions: how many characters the notebook holds; None: any number."""
    placements: tuple[Placement, ...] = ()
    """Decision tasks: play them at each length with these placements; empty: without long histories."""


def slug(text: str) -> str:
    """Lower case, with everything but letters, digits and underscores turned into single hyphens."""
    return "-".join("".join(c if c.isascii() and (c.isalnum() or c == "_") else " " for c in text.lower()).split())


def length_name(tokens: int) -> str:
    """`0`, `25k`, `150k`, or the plain number if it is not a multiple of 1,000."""
    return f"{tokens // 1000}k" if tokens and tokens % 1000 == 0 else str(tokens)


OWN = "own"
"""The marker of tasks that do not ship."""
T = TypeVar("T")
Cell = tuple[str, tuple[str, ...], dict[str, Any]]
"""One condition of a task: its words in the case's id, its markers, and the fields of the case."""


def plan(
    tasks: Mapping[str, Task], conditions: Conditions, *, appeal: bool = False, own: Collection[str] = ()
) -> tuple[PlannedCase, ...]:
    """Every case of these tasks in a fixed order; with `appeal`, the cases with a second user turn instead. `own`: ids
    of the user's own tasks."""
    return tuple(
        PlannedCase(_case(task, name, repeat, conditions, fields), task, (*markers, OWN) if task.id in own else markers)
        for task in tasks.values()
        for repeat in range(conditions.repeats)
        for name, markers, fields in _cells(task, conditions, appeal, is_own=task.id in own)
    )


def _case(task: Task, name: str, repeat: int, conditions: Conditions, fields: dict[str, Any]) -> Case:
    variant = None if isinstance(task, AppTask) else conditions.variant
    words = f"{task.id} {name} {'' if variant is None else f'v{variant}'} r{repeat}"
    case = {"id": slug(words), "suite": task.suite, "task": task.id, "repeat": repeat, "variant": variant}
    return Case.model_validate({**case, **fields})


def _cells(task: Task, conditions: Conditions, appeal: bool, *, is_own: bool) -> Iterable[Cell]:
    if isinstance(task, DecisionTask) and not conditions.placements:
        return _decisions(task, conditions, appeal, paired=is_own)
    if appeal:
        return ()
    if isinstance(task, AppTask):
        return [("", ("app", task.difficulty, *filter(None, [task.category])), {})]
    if isinstance(task, LongContextTask):
        return _long_context(task, conditions)
    if isinstance(task, ShiftTask):
        return _shifts(task, conditions)
    return () if task.counterfactual else _crossed(task, conditions)


def _long_context(task: LongContextTask, conditions: Conditions) -> Iterator[Cell]:
    cells = [(length_name(length), length, False) for length in conditions.lengths]
    if conditions.relocated:
        cells.insert(1 if cells and cells[0][1] == 0 else 0, (RELOCATED, 0, True))
    fields = {"noise": conditions.noise, "needle": conditions.needle, "interference": conditions.interference}
    for name, length, relocated in cells:
        markers = (task.suite, _length_marker(name, length, relocated), task.difficulty)
        yield f"{name} {_setting(conditions)}", markers, {**fields, "noise_tokens": length, "relocated": relocated}


def _setting(conditions: Conditions) -> str:
    """The part of a case id that names noise settings other than the paper's."""
    words: list[str] = [conditions.noise] * (conditions.noise != "orthogonal")
    words += ["interference"] * (conditions.interference != "off")
    return " ".join([*words, conditions.needle] if conditions.needle != "first" else words)


def _shifts(task: ShiftTask, conditions: Conditions) -> Iterator[Cell]:
    """A shift under each condition."""
    for condition in conditions.shifts:
        notebook = conditions.notebook if condition == "sessions" else None
        name = "" if condition == "continuous" else f"{condition} {f'notebook{notebook}' if notebook else ''}"
        markers = ("shift", task.suite, task.category, condition, task.difficulty, *["twin"] * task.counterfactual)
        twins = {"twin": task.counterfactual, "partner": task.twin}
        yield name, markers, {"shift": condition, "notebook": notebook, **twins}


def _length_marker(name: str, length: int, relocated: bool = False) -> str:
    """The marker that selects a length."""
    return RELOCATED if relocated else f"noise_{name}" if length in PAPER_LENGTHS else "noise_other"


def _decisions(task: DecisionTask, conditions: Conditions, appeal: bool, *, paired: bool) -> Iterator[Cell]:
    """`paired`: the task that it names as its twin is its partner. (Shipped tasks have counterfactual twins.)"""
    twins = {"twin": task.counterfactual, "partner": task.twin if task.counterfactual or paired else ""}
    for prompt in conditions.prompts if not appeal else ("raw",):
        for kind in (each for each in conditions.appeals if getattr(task.appeal, each)) if appeal else (None,):
            markers = [*["twin"] * task.counterfactual, *_decision_markers(task, prompt)]
            markers += ["appeal", f"{kind}_appeal"] if kind else []
            yield kind or prompt, tuple(markers), {"prompt": prompt, "appeal": kind, **twins}


def _decision_markers(task: DecisionTask, prompt: str) -> list[str]:
    """Those that select a task: the paper's tasks or the hard tier, its suite, prompt, category and difficulty."""
    tier = "hard_tier" if task.hard else "pathways"
    return [tier, task.suite, prompt, task.category, task.difficulty, *["false_alarm"] * task.false_alarm]


GUIDED: dict[Placement, tuple[str, ...]] = {
    "distraction": ("raw", "hint", "explicit"),
    "lost_guidance": ("hint", "explicit"),
    "lost_evidence": ("raw",),
}
"""The prompt conditions that each placement goes with."""


def _crossed(task: DecisionTask, conditions: Conditions) -> Iterator[Cell]:
    """A decision task with a long history, for each placement, prompt and length."""
    for placement in conditions.placements:
        for prompt in (prompt for prompt in GUIDED[placement] if prompt in conditions.prompts):
            for length in conditions.lengths:
                marker = _length_marker(length_name(length), length)
                markers = (*_decision_markers(task, prompt), "crossed", placement, marker)
                fields = {"noise_tokens": length, "prompt": prompt, "placement": placement}
                yield f"{prompt} {placement} {length_name(length)}", markers, fields


def sample(cases: Sequence[PlannedCase], size: int, seed: int) -> tuple[PlannedCase, ...]:
    """The cases of a stratified, seeded subset of `size` tasks, in the plan's order.

    Tasks are drawn, not cases: all conditions, lengths and repeats of a task stay together, so that effects can be
    paired. Twins are drawn together, where both are in the plan; so there may be one task more.
    The suites take turns. Within a suite, a task of each pair of category and difficulty is drawn, in an order
    set by the seed, before a second one of any pair is drawn.
    """
    tasks = {planned.task.id: planned for planned in cases}
    if size >= len(tasks):
        return tuple(cases)
    draw = random.Random(f"sample:{seed}")  # noqa: S311 (a seeded choice, no secret)
    strata: dict[Suite, dict[tuple[str, str], list[str]]] = defaultdict(lambda: defaultdict(list))
    for task, planned in sorted(tasks.items()):
        category = getattr(planned.task, "category", "")
        strata[planned.case.suite][category, planned.task.difficulty].append(task)
    queues = [in_turns(list(groups.values()), draw) for _, groups in sorted(strata.items())]
    twins = twins_of(planned.task for planned in tasks.values())
    taken: set[str] = set()
    while len(taken) < size:
        for queue in queues:
            if queue and len(taken) < size:
                taken |= {name := queue.pop(0)} | (twins[name] & tasks.keys())
    return tuple(planned for planned in cases if planned.task.id in taken)


def twins_of(tasks: Iterable[Task]) -> Mapping[str, set[str]]:
    """The ids of each task's twins: its counterfactual twin and the task that this changes; of tasks without one, the
    task that they name and those that name them."""
    named = [task for task in tasks if isinstance(task, DecisionTask) and task.twin]
    changed = {task.twin for task in named if task.counterfactual}
    twins: dict[str, set[str]] = defaultdict(set)
    for task in named:
        if task.counterfactual or not changed & {task.id, task.twin}:
            twins[task.id].add(task.twin)
            twins[task.twin].add(task.id)
    return twins


def in_turns(groups: Sequence[list[T]], draw: random.Random) -> list[T]:
    """The members of all groups, one of each group in turn; the order within a group is drawn at random."""
    left = [draw.sample(group, len(group)) for group in groups]
    found: list[T] = []
    while left := [group for group in draw.sample(left, len(left)) if group]:
        found += [group.pop() for group in left]
    return found
