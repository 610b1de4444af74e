"""Power: the drop that a comparison of this size detects, and the repeats that detect a given drop."""

import math
from collections.abc import Sequence
from statistics import NormalDist

from longtrail.statistics.paired import Stratum, by_task, difference, means
from longtrail.statistics.permutation import null_variance

POWER = 0.8
MOST_REPEATS = 100
"""More repeats of a task are not proposed."""


def repeats_needed(strata: Sequence[Stratum], alpha: float, drop: float) -> int | None:
    """How often both runs must play each task so that the test finds this drop with 80 % power; None: more often than
    `MOST_REPEATS`, or the baseline can't drop so far."""
    now = max((stratum.pairs for stratum in strata), default=0)
    for repeats in range(now, MOST_REPEATS + 1) if now else ():
        detected = detectable_drop(strata, alpha, size=repeats / now)
        if detected is not None and detected <= drop:
            return repeats
    return None


def detectable_drop(
    strata: Sequence[Stratum], alpha: float, power: float = POWER, *, size: float = 1.0
) -> float | None:
    """The smallest true drop of a rate that the one-sided test finds with this power, or None if it finds none. `size`:
    the same for this many times the repeats.

    Solves d = z(1 - alpha) sqrt(v + d / m) + z(power) sqrt(v + (d - d^2) / m), Connor's formula (1987) for paired
    rates: v is the variance of the difference due to noise between runs, without the part of the observed difference;
    m is the number of pairs. In small runs the exact test is coarser: at least log2(1 / alpha) of m pairs must change,
    which gives a lower bound by the binomial distribution. None if the result exceeds the baseline's mean: the score
    can't drop that far.
    """
    m, before = size * sum(stratum.pairs for stratum in strata), means(strata)[0]
    needed = math.ceil(math.log2(1 / alpha))
    if m < needed:
        return None
    from scipy.special import betaincinv

    coarse = float(betaincinv(needed, m - needed + 1, power))
    v, high_alpha, high_power = _noise(strata) / size, NormalDist().inv_cdf(1 - alpha), NormalDist().inv_cdf(power)

    def short(drop: float) -> bool:
        spread = high_alpha * math.sqrt(v + drop / m) + high_power * math.sqrt(v + drop * (1 - drop) / m)
        return drop < spread

    low, high = 0.0, 1.0
    if short(high):
        return None
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if short(middle) else (low, middle)
    drop = max(high, coarse)
    return drop if drop <= before else None


def _noise(strata: Sequence[Stratum]) -> float:
    """The variance under the null hypothesis without the part of the observed difference d: in a stratum of N values,
    d^2 / (N - 1)."""
    sizes = {task: len(group) for task, group in by_task(strata).items()}
    part = sum(
        1 / ((len(stratum.before) + len(stratum.after) - 1) * (len(sizes) * sizes[stratum.task]) ** 2)
        for stratum in strata
    )
    return max(0.0, null_variance(strata) - difference(strata) ** 2 * part)
