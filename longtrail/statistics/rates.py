"""Rates: means over cases with their interval. The task is the unit."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Literal

from longtrail.records.record import Record
from longtrail.statistics.intervals import interval, paper_se

Basis = Literal["all", "valid", "completed"]
"""The basis of a rate: all cases (invalid ones count as failures: intention to treat), the valid ones, or those in
which the agent completed its task with a valid decision."""


class Rate(Record):
    """A mean over cases with its 95 % interval. The task is the unit."""

    mean: float
    """Mean of the tasks' means."""
    low: float
    high: float
    n: int
    """Cases."""
    tasks: int
    basis: Basis
    paper_se: float = 0.0
    """sqrt(p (1 - p) / n) as the papers print it; 0 for means that are not rates."""


def rate_of(groups: Mapping[str, Sequence[float]], basis: Basis, *, is_rate: bool = True) -> Rate:
    """The mean over tasks of each task's values. `is_rate`: the values are in [0, 1]. Needs at least one value."""
    mean = fmean(fmean(values) for values in groups.values())
    low, high = interval(list(groups.values()), rate=is_rate)
    n = sum(map(len, groups.values()))
    return Rate(
        mean=mean,
        low=low,
        high=high,
        n=n,
        tasks=len(groups),
        basis=basis,
        paper_se=paper_se(mean, n) if is_rate else 0.0,
    )
