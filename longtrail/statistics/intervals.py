"""Intervals for means over tasks. The task is the unit: repeats and lengths of one task are not independent."""

import math
from collections.abc import Sequence
from statistics import NormalDist, fmean, stdev

CONFIDENCE = 0.95


def wilson(mean: float, n: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson's score interval for a rate `mean` over n independent cases, each in [0, 1].

    For values between 0 and 1 it is conservative: their variance is at most mean x (1 - mean). 0 of 56 -> upper 0.064.
    """
    if n == 0:
        return 0.0, 1.0
    return _score(mean, n, NormalDist().inv_cdf(0.5 + confidence / 2))


def _score(mean: float, n: float, z: float) -> tuple[float, float]:
    """The score interval for a mean over n values, z standard errors to either side."""
    centre = mean + z * z / (2 * n)
    spread = z * math.sqrt(max(mean * (1 - mean), 0.0) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    low, high = (centre - spread) / scale, (centre + spread) / scale
    return max(0.0, min(low, mean)), min(1.0, max(high, mean))


def cluster(task_means: Sequence[float], confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Cluster-robust interval: Student's t over the tasks' means with n - 1 degrees of freedom, not clipped.

    Needs two tasks; with fewer, or if all means are equal, the width is 0 and not informative (see `interval`).
    """
    n, mean = len(task_means), fmean(task_means)
    if n < 2:
        return mean, mean
    from scipy.special import stdtrit

    half = float(stdtrit(n - 1, 0.5 + confidence / 2)) * stdev(task_means) / math.sqrt(n)
    return mean - half, mean + half


def clustered_rate(task_means: Sequence[float], confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Score interval of a rate over tasks with repeats, within [0, 1].

    Wilson's interval for the number of independent cases that would have the task means' standard error (m (1 - m) /
    se^2, the effective sample size), and Student's t with n - 1 degrees of freedom for z (Korn and Graubard 1998).
    Rates near 0 or 1 are skewed: the symmetric interval of `cluster` covers only 90 % there instead of 95 %. Needs two
    tasks whose means differ.
    """
    from scipy.special import stdtrit

    n, mean = len(task_means), fmean(task_means)
    variance = stdev(task_means) ** 2 / n
    return _score(mean, mean * (1 - mean) / variance, float(stdtrit(n - 1, 0.5 + confidence / 2)))


def interval(groups: Sequence[Sequence[float]], *, rate: bool) -> tuple[float, float]:
    """The interval for the mean over tasks; `groups`: each task's values.

    Rates with one value a task: Wilson. With more: the clustered score interval over task means. Other means: cluster
    over task means. If the task means don't vary, a rate's interval is Wilson's over the tasks, so that 0 of n does
    not give a width of 0.
    """
    means = [fmean(values) for values in groups]
    if not means:
        return 0.0, 1.0
    varies = max(means) - min(means) > 1e-12
    if not rate:
        return cluster(means)
    if not varies or all(len(values) == 1 for values in groups):
        return wilson(fmean(means), len(means))
    return clustered_rate(means)
