"""Two agents on the same tasks: the difference of their means, and its interval for these tasks and for such tasks."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import fsum
from statistics import NormalDist, fmean
from typing import TYPE_CHECKING

from longtrail.records.grouping import grouped

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


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
    return dict(sorted(grouped(strata, lambda stratum: stratum.task).items()))


def task_differences(strata: Iterable[Stratum]) -> dict[str, float]:
    """Task -> mean of its strata's differences."""
    return {task: fsum(stratum.difference for stratum in group) / len(group) for task, group in by_task(strata).items()}


def difference(strata: Iterable[Stratum]) -> float:
    """Mean over tasks of the tasks' differences (after - before): the task is the unit. 0 for no strata."""
    differences = task_differences(strata)
    return fsum(differences.values()) / len(differences) if differences else 0.0


def means(strata: Iterable[Stratum]) -> tuple[float, float]:
    """Means over tasks, before and after."""
    groups = by_task(strata).values()
    if not groups:
        return 0.0, 0.0
    before = fsum(fsum(fmean(stratum.before) for stratum in group) / len(group) for group in groups) / len(groups)
    after = fsum(fsum(fmean(stratum.after) for stratum in group) / len(group) for group in groups) / len(groups)
    return before, after


def between_tasks_interval(strata: Sequence[Stratum], *, rate: bool, confidence: float = 0.95) -> tuple[float, float]:
    """Interval of `difference` for tasks such as these: the tasks count as drawn at random, so a difference that varies
    between tasks makes it wider. Student's t over the tasks' differences, n - 1 degrees of freedom.

    For rates it is never narrower than +- z^2 / (m + z^2), which is Tango's score interval when none of m pairs
    differs: a few cases without an observed change don't prove that nothing has changed. It is clipped to [-1, 1]. A
    single task has no variance between tasks: a rate's interval is that of `within_tasks_interval`.
    """
    changes = list(task_differences(strata).values())
    if not changes:
        return (-1.0, 1.0) if rate else (-math.inf, math.inf)
    if len(changes) == 1:
        return within_tasks_interval(strata, confidence) if rate else (-math.inf, math.inf)
    from scipy.special import stdtrit

    n, mean = len(changes), fsum(changes) / len(changes)
    variance = fsum((change - mean) ** 2 for change in changes) / (n - 1)
    half = float(stdtrit(n - 1, 0.5 + confidence / 2)) * math.sqrt(variance / n)
    if not rate:
        return mean - half, mean + half
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    half = max(half, z * z / (sum(stratum.pairs for stratum in strata) + z * z))
    return max(-1.0, mean - half), min(1.0, mean + half)


def repeated(strata: Sequence[Stratum]) -> bool:
    """Whether most strata have two or more values on a side, so that the noise between runs can be known."""
    several = sum(max(len(stratum.before), len(stratum.after)) > 1 for stratum in strata)
    return 2 * several > len(strata)


def within_tasks_interval(strata: Sequence[Stratum], confidence: float = 0.95) -> tuple[float, float]:
    """Interval of the `difference` of a rate on exactly these tasks: only the noise between runs is uncertain, so
    repeats make it narrower. Within [-1, 1]; the whole range without strata.

    Miettinen and Nurminen's stratified score interval (1985): all d with (difference - d)^2 <= z^2 sum w^2 V(d). w is
    a stratum's weight in the difference, and V(d) the variance of its difference, with the most likely pair of rates
    that differ by d, times N / (N - 1) for N values. Values between 0 and 1 vary less than rates of the same mean, so
    it is conservative for them. Known answer: 56 of 70 and 48 of 80, 95 %: -0.3382 to -0.0528.
    """
    tasks = by_task(strata)
    rows = [
        (
            1 / (len(tasks) * len(group)),
            fsum(stratum.before),
            len(stratum.before),
            fsum(stratum.after),
            len(stratum.after),
        )
        for group in tasks.values()
        for stratum in group
    ]
    return _score_interval(tuple(sorted(rows)), confidence) if rows else (-1.0, 1.0)


@lru_cache(maxsize=1000)
def _score_interval(rows: tuple[tuple[float, float, int, float, int], ...], confidence: float) -> tuple[float, float]:
    """`rows`: weight, sum and number of values before, the same after. Bisects for both ends."""
    import numpy as np

    weight, x0, n0, x1, n1 = np.array(rows).T
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    observed = float(weight @ (x1 / n1 - x0 / n0))

    def holds(d: float) -> bool:
        rate = _likely_rate(x0, n0, x1, n1, d)
        after = np.clip(rate + d, 0, 1)
        variance = (rate * (1 - rate) / n0 + after * (1 - after) / n1) * (n0 + n1) / (n0 + n1 - 1)
        return bool((observed - d) ** 2 <= z * z * float(weight**2 @ variance))

    ends = []
    for limit in (-1.0, 1.0):
        inside, outside = observed, limit
        for _ in range(0 if holds(limit) else 40):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if holds(middle) else (inside, middle)
        ends.append(outside)
    return ends[0], ends[1]


def _likely_rate(x0: "Floats", n0: "Floats", x1: "Floats", n1: "Floats", d: float) -> "Floats":
    """The most likely rate before, if the rate after is higher by d: the root of Miettinen and Nurminen's cubic."""
    import numpy as np

    total = n0 + n1
    square = (n1 + 2 * n0) * d - total - x0 - x1
    linear = (n0 * d - total - 2 * x0) * d + x0 + x1
    constant = x0 * d * (1 - d)
    third = square / (3 * total)
    q = third**3 - square * linear / (6 * total**2) + constant / (2 * total)
    size = np.sqrt(np.maximum(third**2 - linear / (3 * total), 0))
    p = np.where(q < 0, -size, size)
    cubed = np.where(p == 0, 1.0, p**3)
    angle = (np.pi + np.arccos(np.clip(q / cubed, -1, 1))) / 3
    return np.clip(2 * p * np.cos(angle) - third, max(0.0, -d), min(1.0, 1 - d))
