"""The funnel: how many cases pass each stage, in order (PATHWAYS: investigation, reasoning, decision).

And effects: what a condition changes, paired by task: a longer history, the move of the browser, a hint, a plan; and
decision tasks crossed with long histories: the funnel by length, and the losses at each stage.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import prod
from statistics import fmean

from longtrail.records.case import LONG, SHIFTS
from longtrail.records.grouping import grouped
from longtrail.records.record import Record
from longtrail.records.result import Result
from longtrail.records.trajectory import Suite
from longtrail.scoring.catalog import MEASURES
from longtrail.statistics.paired import Stratum, between_tasks_interval, difference, means
from longtrail.tasks.cases import GUIDED


class Stage(Record):
    """One stage of the funnel."""

    name: str
    count: int
    """Cases that passed this stage and every stage before it."""
    share: float
    """Share of all cases."""
    kept: float
    """Share of the cases that passed the previous stage."""


Gate = tuple[str, str, bool]
"""A stage, the measure that must be 1 to pass it, and whether the measure may be undefined."""
DECISION_GATES: tuple[Gate, ...] = tuple(
    (name, name, False) for name in ("completed", "investigation", "reasoning", "decision", "executed")
)
LONG_GATES: tuple[Gate, ...] = (
    ("a1", "success_a1", False),
    ("retrieved", "retrieved", True),
    ("a2", "success_a2", False),
)
APP_GATES: tuple[Gate, ...] = (
    ("completed", "completed", False),
    ("key steps", "key_step_rate", True),
    ("success", "success", False),
)
SHIFT_GATES: tuple[Gate, ...] = tuple(
    (name, f"tickets_{name}", False) for name in ("decided", "right", "proven", "executed")
)
GATES: dict[Suite, tuple[Gate, ...]] = {
    **dict.fromkeys(LONG, LONG_GATES),
    **dict.fromkeys(SHIFTS, SHIFT_GATES),
    "app": APP_GATES,
}


def _passes(result: Result, gate: Gate) -> bool:
    _, measure, optional = gate
    return result.number(measure) in ((1.0, None) if optional else (1.0,))


def funnel(results: Sequence[Result]) -> tuple[Stage, ...]:
    """The stages of one suite's cases; `cases` is first, an invalid case passes no other. Counts never rise."""
    if not results:
        return ()
    gates = GATES.get(results[0].case.suite, DECISION_GATES)
    left, stages = list(results), [Stage(name="cases", count=len(results), share=1.0, kept=1.0)]
    for gate in gates:
        before = len(left)
        left = [result for result in left if result.outcome != "invalid" and _passes(result, gate)]
        kept = len(left) / before if before else 0.0
        stages.append(Stage(name=gate[0], count=len(left), share=len(left) / len(results), kept=kept))
    return tuple(stages)


def table1_proven(results: Sequence[Result]) -> float | None:
    """Product of the means of `paper_investigation`, `paper_reasoning` and `decision` (PATHWAYS, table 1). In [0, 1].

    Most rows of the paper's table are this product. It is not the share of proven cases and can be gamed by
    investigating one half of the tasks and deciding the other.
    """
    names = ("paper_investigation", "paper_reasoning", "decision")
    means = [fmean(result.number(name) or 0.0 for result in results) for name in names] if results else []
    return prod(means) if means else None


PROMPTS = ("raw", "hint", "explicit")
"""Ordered by the amount of guidance."""
MEASURED = ("proven", "investigation", "reasoning", "decision", "executed", "completed")


class Effect(Record):
    """The difference of a measure between two conditions, over the tasks that have both."""

    change: float
    """Mean over tasks of the tasks' differences."""
    low: float
    high: float
    """Its 95 % interval."""
    before: float
    after: float
    tasks: int


def effect(before: Sequence[Result], after: Sequence[Result], name: str) -> Effect | None:
    """The effect on one measure between two conditions; None if no task has a value under both.

    An invalid case of a `rate` counts as 0 on either side (intention to treat); of other kinds it is left out.
    """
    first, second = _by_task(before, name), _by_task(after, name)
    shared = [Stratum(task, tuple(first[task]), tuple(second[task])) for task in sorted(first.keys() & second.keys())]
    if not shared:
        return None
    low, high = between_tasks_interval(shared, rate=MEASURES[name].is_share)
    mean_before, mean_after = means(shared)
    return Effect(
        change=difference(shared), low=low, high=high, before=mean_before, after=mean_after, tasks=len(shared)
    )


def guidance(results: Iterable[Result]) -> dict[str, dict[str, Effect]]:
    """`raw to hint`, `raw to explicit`, `hint to explicit` -> measure -> effect (PATHWAYS' prompt conditions)."""
    groups = grouped(results, lambda result: result.case.prompt or "")
    effects_by_pair = {}
    for less, more in combinations([prompt for prompt in PROMPTS if prompt in groups], 2):
        effects = {name: effect(groups[less], groups[more], name) for name in MEASURED}
        effects_by_pair[f"{less} to {more}"] = {name: value for name, value in effects.items() if value is not None}
    return effects_by_pair


def history(results: Iterable[Result]) -> dict[str, Effect]:
    """Long context: difference of success under each length, and in the `relocated` control, from success with nothing
    injected. The effect of the move alone is not due to tokens: compare a length's effect with that of `relocated`.
    """
    groups = grouped(
        results, lambda result: "relocated" if result.case.relocated else str(result.case.noise_tokens or 0)
    )
    plain = groups.pop("0", [])
    names = sorted(groups, key=lambda name: (name != "relocated", int(name) if name.isdigit() else 0))
    effects = {name: effect(plain, groups[name], "success") for name in names}
    return {name: value for name, value in effects.items() if value is not None}


def _by_task(results: Iterable[Result], name: str) -> dict[str, list[float]]:
    groups: dict[str, list[float]] = {}
    for result in results:
        value = result.number(name) if result.outcome != "invalid" else 0.0 if MEASURES[name].kind == "rate" else None
        if value is not None:
            groups.setdefault(result.case.task, []).append(value)
    return groups


LOST_AT = ("completed", "investigation", "reasoning", "decision")
"""The stages at which a case fails."""


class CrossedCell(Record):
    """One placement, prompt condition and length."""

    placement: str
    prompt: str
    length: int
    """Length of the history in tokens; 0: no noise."""
    funnel: tuple[Stage, ...]
    proven: float
    """Mean over the tasks."""
    change: Effect | None = None
    """Difference of `proven` from that without noise, same placement and prompt, paired by task; None for length 0."""
    paired: int = 0
    """Number of cases that were proven without noise and played with it."""
    lost_cases: dict[str, tuple[str, ...]] = {}
    """Ids of those that are lost with noise, by stage or `invalid`. The rest is proven again."""

    @property
    def lost(self) -> dict[str, int]:
        """Stage -> number of lost cases."""
        return {stage: len(cases) for stage, cases in self.lost_cases.items()}


def crossed(results: Iterable[Result]) -> tuple[CrossedCell, ...]:
    """Every cell, by placement, prompt and length."""
    groups: dict[tuple[str, str, int], list[Result]] = {}
    for result in results:
        case = result.case
        if case.placement:
            groups.setdefault((case.placement, case.prompt or "", case.noise_tokens or 0), []).append(result)
    order = {placement: rank for rank, placement in enumerate(GUIDED)}
    prompts = {prompt: rank for rank, prompt in enumerate(GUIDED["distraction"])}
    keys = sorted(groups, key=lambda key: (order[key[0]], prompts.get(key[1], 0), key[2]))  # type: ignore[index]
    return tuple(_cell(key, groups) for key in keys)


def _cell(key: tuple[str, str, int], groups: dict[tuple[str, str, int], list[Result]]) -> CrossedCell:
    placement, prompt, length = key
    cases, without_noise = groups[key], groups.get((placement, prompt, 0), [])
    change = effect(without_noise, cases, "proven") if length else None
    own_effect = effect(cases, cases, "proven")
    paired, lost = _lost(without_noise, cases) if length else (0, {})
    return CrossedCell(
        placement=placement,
        prompt=prompt,
        length=length,
        funnel=funnel(cases),
        proven=own_effect.after if own_effect else 0.0,
        change=change,
        paired=paired,
        lost_cases=lost,
    )


def _lost(without_noise: Sequence[Result], with_noise: Sequence[Result]) -> tuple[int, dict[str, tuple[str, ...]]]:
    """The number of cases proven without noise, and which of them are lost with it, by stage."""
    before = {(result.case.task, result.case.repeat) for result in without_noise if _falls_out_at(result) is None}
    played_again = [result for result in with_noise if (result.case.task, result.case.repeat) in before]
    fallen: dict[str, tuple[str, ...]] = {}
    for stage in (*LOST_AT, "invalid"):
        if cases := tuple(result.case.id for result in played_again if _falls_out_at(result) == stage):
            fallen[stage] = cases
    return len(played_again), fallen


def _falls_out_at(result: Result) -> str | None:
    """The first stage that a case fails; None: it is proven."""
    if result.outcome == "invalid":
        return "invalid"
    return next((gate[0] for gate in DECISION_GATES if gate[0] in LOST_AT and not _passes(result, gate)), None)
