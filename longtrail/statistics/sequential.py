"""Looking several times at a growing comparison: the level of each look, and the chance that it still becomes
significant.

A comparison that is tested after every repeat at the full level would fail equal agents far too often. So each look
spends a part of the level (Lan and DeMets 1983), and all looks together spend no more than all of it, whenever one
stops.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist

WIDEST, STEP = 8.0, 0.02
"""The grid of the numerical integration, in standard errors."""


def information(before: float, repeats: Sequence[int]) -> tuple[float, ...]:
    """The information about a difference at each look, as a share of the last look's: the variance of a task's
    difference is proportional to 1 / before + 1 / repeats. `before`: repeats of the baseline. `repeats`: of the run at
    each look, increasing."""
    variances = [1 / before + 1 / number for number in repeats]
    return tuple(variances[-1] / variance for variance in variances)


def spent(share: float, alpha: float) -> float:
    """What looks up to this share of the information may spend of alpha: alpha ln(1 + (e - 1) share), which gives
    levels that are nearly equal (Lan and DeMets 1983, the form near Pocock's)."""
    return alpha * math.log(1 + (math.e - 1) * share)


@lru_cache(maxsize=100)
def nominal_levels(shares: tuple[float, ...], alpha: float) -> tuple[float, ...]:
    """The one-sided level of each look at these shares of the information, so that equal agents fail at any of them
    with a probability of alpha at most.

    The density of the test statistic is integrated numerically from look to look (Armitage, McPherson and Rowe 1969).
    Known answer: five equally spaced looks, alpha 0.025: 2.44, 2.43, 2.41, 2.40, 2.39 standard errors.
    """
    import numpy as np

    normal = NormalDist()
    grid = np.arange(-WIDEST, WIDEST + STEP / 2, STEP)
    levels: list[float] = []
    density, before = np.exp(-(grid**2) / 2) / math.sqrt(2 * math.pi), 0.0
    for number, share in enumerate(shares):
        if number:
            last = shares[number - 1]
            carried, spread = math.sqrt(last / share), math.sqrt(1 - last / share)
            steps = (grid[:, None] - carried * grid[None, :]) / spread
            density = (np.exp(-(steps**2) / 2) / (spread * math.sqrt(2 * math.pi))) @ density * STEP
        upper = (np.cumsum(density[::-1])[::-1] - density / 2) * STEP
        """The probability of a value of at least the grid's, without an earlier end."""
        part = spent(share, alpha) - before
        positive = upper > 0
        limit = float(np.interp(-math.log(part), -np.log(upper[positive]), grid[positive]))
        levels.append(1 - normal.cdf(limit))
        density, before = np.where(grid < limit, density, 0.0), spent(share, alpha)
    return tuple(levels)


def chance(z: float, share: float, level: float, effect: float) -> float:
    """The probability that the last look is significant at `level`, if one stands at `z` standard errors with this
    share of the information, and the true effect is `effect` standard errors of the last look (conditional power, Lan,
    Simon and Halperin 1982). 0 or 1 at the last look."""
    normal = NormalDist()
    needed = normal.inv_cdf(1 - level)
    if share >= 1:
        return float(z >= needed)
    expected = z * math.sqrt(share) + effect * (1 - share)
    return normal.cdf((expected - needed) / math.sqrt(1 - share))
