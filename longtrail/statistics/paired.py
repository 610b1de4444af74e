"""Paired: two agents on the same tasks: the difference of their means, each task's part of it, and its interval."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from statistics import NormalDist, fmean

from longtrail.statistics.intervals import wilson


@dataclass(frozen=True, slots=True)
class Stratum:
    """What two agents scored on one task under one condition: one value for each repeat, both sides non-empty.

    If the agents are equally good, the values are exchangeable within a stratum; that is all the test needs.
    """

    task: str
    before: tuple[float, ...]
    after: tuple[float, ...]

    @property
    def difference(self) -> float:
        """Mean after - mean before."""
        return fsum(self.after) / len(self.after) - fsum(self.before) / len(self.before)

    @property
    def pairs(self) -> int:
        """Number of pairs of independent outcomes."""
        return min(len(self.before), len(self.after))


def by_task(strata: Iterable[Stratum]) -> dict[str, list[Stratum]]:
    """The strata of each task, tasks in the order of their names."""
    groups: dict[str, list[Stratum]] = {}
    for stratum in strata:
        groups.setdefault(stratum.task, []).append(stratum)
    return dict(sorted(groups.items()))


def task_differences(strata: Iterable[Stratum]) -> dict[str, float]:
    """Task -> mean of its strata's differences."""
    return {task: fsum(one.difference for one in own) / len(own) for task, own in by_task(strata).items()}


def difference(strata: Iterable[Stratum]) -> float:
    """Mean over tasks of the tasks' differences (after - before): the task is the unit. 0 for no strata."""
    found = task_differences(strata)
    return fsum(found.values()) / len(found) if found else 0.0


def means(strata: Iterable[Stratum]) -> tuple[float, float]:
    """Means over tasks, before and after."""
    groups = by_task(strata).values()
    if not groups:
        return 0.0, 0.0
    before = fsum(fsum(fmean(one.before) for one in own) / len(own) for own in groups) / len(groups)
    after = fsum(fsum(fmean(one.after) for one in own) / len(own) for own in groups) / len(groups)
    return before, after


def difference_interval(strata: Sequence[Stratum], *, rate: bool, confidence: float = 0.95) -> tuple[float, float]:
    """Interval of `difference`: Student's t over the tasks' differences, cluster-robust, n - 1 degrees of freedom.

    For rates it is never narrower than +- z^2 / (m + z^2), which is Tango's score interval when none of m pairs
    differs: a few cases without an observed change don't prove that nothing has changed. It is clipped to [-1, 1]. A
    single task has no variance between tasks: Newcombe's interval over its repeats is used instead.
    """
    found = list(task_differences(strata).values())
    if not found:
        return (-1.0, 1.0) if rate else (-math.inf, math.inf)
    if len(found) == 1:
        return newcombe(strata, confidence) if rate else (-math.inf, math.inf)
    from scipy.special import stdtrit

    n, mean = len(found), fsum(found) / len(found)
    variance = fsum((value - mean) ** 2 for value in found) / (n - 1)
    half = float(stdtrit(n - 1, 0.5 + confidence / 2)) * math.sqrt(variance / n)
    if not rate:
        return mean - half, mean + half
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    half = max(half, z * z / (sum(one.pairs for one in strata) + z * z))
    return max(-1.0, mean - half), min(1.0, mean + half)


def newcombe(strata: Sequence[Stratum], confidence: float = 0.95) -> tuple[float, float]:
    """Newcombe's score interval (1998, method 10) for the difference of two rates over independent repeats."""
    before = [value for one in strata for value in one.before]
    after = [value for one in strata for value in one.after]
    if not before or not after:
        return -1.0, 1.0
    p, q = fmean(before), fmean(after)
    low_p, high_p = wilson(p, len(before), confidence)
    low_q, high_q = wilson(q, len(after), confidence)
    low = q - p - math.hypot(q - low_q, high_p - p)
    high = q - p + math.hypot(high_q - q, p - low_p)
    return max(-1.0, low), min(1.0, high)
