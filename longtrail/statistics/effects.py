"""Effects: what a condition changes, paired by task: a longer history, the move of the browser, a hint, a plan."""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from longtrail.records.record import Record
from longtrail.records.result import Result
from longtrail.scoring.catalog import MEASURES
from longtrail.statistics.paired import Stratum, between_tasks_interval, difference, means

PROMPTS = ("raw", "hint", "explicit")
"""Ordered by the amount of guidance."""
GUIDED = ("proven", "investigation", "reasoning", "decision", "executed", "completed")


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
    groups = _split(results, lambda result: result.case.prompt or "")
    effects_by_pair = {}
    for less, more in combinations([prompt for prompt in PROMPTS if prompt in groups], 2):
        effects = {name: effect(groups[less], groups[more], name) for name in GUIDED}
        effects_by_pair[f"{less} to {more}"] = {name: value for name, value in effects.items() if value is not None}
    return effects_by_pair


def history(results: Iterable[Result]) -> dict[str, Effect]:
    """Long context: difference of success under each length, and in the `relocated` control, from success with nothing
    injected. The effect of the move alone is not due to tokens: compare a length's effect with that of `relocated`.
    """
    groups = _split(
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


def _split(results: Iterable[Result], key: Callable[[Result], str]) -> dict[str, list[Result]]:
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(key(result), []).append(result)
    return groups
