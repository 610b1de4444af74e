"""Ranking: the ranks of contenders in one suite. Only comparable cases are compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from longtrail.records.result import Result
from longtrail.records.trajectory import Case


@dataclass(frozen=True, slots=True)
class Rank:
    """One contender's rank, and what it is based on."""

    place: int | None = None
    """From 1; None: it ran with other data, or shares no case with the others."""
    common: int = 0
    """Cases that all ranked contenders ran."""
    mean: float | None = None
    """The headline over these cases: the mean of the tasks' means, 0 to 1."""
    note: str = ""
    """How its run differs from the others: `other data`, `edited`, `incomplete`, `other cases`."""


UNRANKED = Rank()
"""The rank of lines that are not contenders."""


def headline_cases(results: Sequence[Result], measure: str) -> dict[str, float]:
    """Case -> the primary measure, 0 for an invalid case. Without appeals and the relocated control."""
    main = [result for result in results if not result.case.appeal and not result.case.relocated]
    return {case_key(result.case): result.number(measure) or 0.0 for result in main}


def case_key(case: Case) -> str:
    """A case's identity across contenders: task, condition and repeat."""
    condition = f"{case.noise_tokens or 0} {case.prompt or ''} {case.placement or ''} {case.noise} {case.needle}"
    return f"{case.task} {condition} {case.interference} {case.shift or ''} {case.notebook or ''} {case.repeat}"


def ranks(
    rows: Sequence[Mapping[str, float]],
    *,
    foreign: Sequence[bool],
    missing: Sequence[int],
    changed: Sequence[int],
) -> tuple[Rank, ...]:
    """The rank of each row of `headline_cases`; rows that are `foreign` (other data) have none.

    All ranked rows are compared over the cases that all of them have. Equal means share a rank.
    """
    alike = [cases for cases, is_foreign in zip(rows, foreign, strict=True) if not is_foreign and cases]
    common = set.intersection(*(set(cases) for cases in alike)) if alike else set()
    union = set().union(*alike)
    means = [
        None if is_foreign or not cases else _mean(cases, common)
        for cases, is_foreign in zip(rows, foreign, strict=True)
    ]
    order = sorted((mean for mean in means if mean is not None), reverse=True)
    ranked = []
    for cases, mean, is_foreign, lacking, edited in zip(rows, means, foreign, missing, changed, strict=True):
        reasons = {
            "other data": is_foreign,
            "edited": edited,
            "incomplete": lacking,
            "other cases": set(cases) != union,
        }
        note = next((word for word, so in reasons.items() if so), "")
        place = None if mean is None else 1 + order.index(mean)
        ranked.append(Rank(place, len(common), mean, note))
    return tuple(ranked)


def _mean(cases: Mapping[str, float], common: set[str]) -> float | None:
    tasks: dict[str, list[float]] = {}
    for key in common:
        tasks.setdefault(key.split(" ")[0], []).append(cases[key])
    return fmean(fmean(values) for values in tasks.values()) if tasks else None
