"""Rates: means over cases with their interval, where the task is the unit; and pass^k, the probability that an agent
passes the same case k times out of k."""

from collections.abc import Iterable, Mapping, Sequence
from math import comb
from statistics import fmean
from typing import Literal

from longtrail.records.record import Record
from longtrail.records.result import Result
from longtrail.records.trajectory import Case
from longtrail.statistics.intervals import interval

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
    )


Condition = tuple[str, int, bool, str, str, str, str]


def condition(case: Case) -> Condition:
    """The key that repeats share: the task and all conditions except the repeat's number."""
    words = case.prompt or "", case.appeal or "", case.placement or "", case.setting
    return case.task, case.noise_tokens or 0, case.relocated, *words


def pass_power(successes: int, repeats: int, k: int) -> float:
    """C(c, k) / C(n, k): unbiased estimate of the probability of k successes in k draws. Needs n >= k >= 1."""
    return comb(successes, k) / comb(repeats, k)


def pass_hat_k(results: Iterable[Result]) -> dict[int, float]:
    """k -> mean of C(c, k) / C(n, k) over the conditions, for every k up to the smallest number of repeats.

    Invalid cases count as failed repeats.
    """
    groups: dict[Condition, list[bool]] = {}
    for result in results:
        groups.setdefault(condition(result.case), []).append(result.outcome == "passed")
    if not groups:
        return {}
    most = min(map(len, groups.values()))
    return {k: fmean(pass_power(sum(g), len(g), k) for g in groups.values()) for k in range(1, most + 1)}
