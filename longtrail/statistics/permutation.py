"""The permutation test: how often would equally good agents differ as much? Outcomes are exchanged within task and
condition. Also Holm's correction for several tests, and the test's power: the drop that a comparison of this size
detects, and the repeats that detect a given drop.

With one binary outcome on each side it is McNemar's exact test; with k of them it is the exact conditional test whose
normal form is Cochran, Mantel and Haenszel's; with fractional outcomes and one repeat it is the sign-flip test.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist

from longtrail.statistics.paired import Stratum, by_task, difference, means

DRAWS = 20_000
SEED = 20_260_317
DENOMINATOR = 5040
"""Values that are fractions with denominators up to this are enumerated; others are sampled."""
MAX_POINTS, MAX_ADDITIONS, MAX_STATES = 400_000, 200_000_000, 4_000
"""Limits of the exact enumeration: points of the lattice, additions, and states within one stratum."""

Steps = tuple[tuple[Fraction, float], ...]


@dataclass(frozen=True, slots=True)
class Permutation:
    """Probabilities under the null hypothesis "equally good", including the observed arrangement."""

    lower: float
    """P(difference (after - before) <= observed): small means a drop."""
    upper: float
    """P(difference >= observed)."""
    method: str
    """`exact`, or `N draws, seed S`."""

    @property
    def two_sided(self) -> float:
        """Twice the smaller one, at most 1."""
        return min(1.0, 2 * min(self.lower, self.upper))


def permutation_test(strata: Sequence[Stratum]) -> Permutation:
    """The test of `difference(strata)`; (1, 1) without strata. The order of strata and values is irrelevant."""
    if not strata:
        return Permutation(1.0, 1.0, "exact")
    return _exact(strata) or _sampled(strata)


def null_variance(strata: Sequence[Stratum]) -> float:
    """Variance of the difference if outcomes are exchanged within strata: the variance due to noise between runs
    alone."""
    groups = by_task(strata)
    total = 0.0
    for group in groups.values():
        for stratum in group:
            pooled = (*stratum.before, *stratum.after)
            n, mean = len(pooled), math.fsum(pooled) / len(pooled)
            spread = math.fsum((value - mean) ** 2 for value in pooled) / (n - 1)
            total += spread * (1 / len(stratum.before) + 1 / len(stratum.after)) / len(group) ** 2
    return total / len(groups) ** 2 if groups else 0.0


def _exact(strata: Sequence[Stratum]) -> Permutation | None:
    """By convolution of the strata's distributions over their common lattice; None if that is too much work."""
    sizes = {task: len(group) for task, group in by_task(strata).items()}
    kinds: Counter[tuple[Steps, int]] = Counter()
    observed = Fraction(0)
    for stratum in strata:
        before, after = _fractions(stratum.before), _fractions(stratum.after)
        if before is None or after is None:
            return None
        steps = _distribution(tuple(sorted((*before, *after))), len(before), len(after))
        if steps is None:
            return None
        kinds[steps, sizes[stratum.task]] += 1
        observed += (sum(after, Fraction()) / len(after) - sum(before, Fraction()) / len(before)) / sizes[stratum.task]
    unit = math.lcm(*(value.denominator * size for steps, size in kinds for value, _ in steps))
    lattice = [([(int(value * unit / size), p) for value, p in steps], count) for (steps, size), count in kinds.items()]
    return _convolved(lattice, int(observed * unit))


def _convolved(lattice: list[tuple[list[tuple[int, float]], int]], observed: int) -> Permutation | None:
    import numpy as np

    cells = 1 + sum(count * (max(v for v, _ in steps) - min(v for v, _ in steps)) for steps, count in lattice)
    if cells > MAX_POINTS or cells * sum(count * len(steps) for steps, count in lattice) > MAX_ADDITIONS:
        return None
    chances, start = np.ones(1), 0
    for steps, count in sorted(lattice):
        low, high = min(v for v, _ in steps), max(v for v, _ in steps)
        for _ in range(count):
            wider = np.zeros(len(chances) + high - low)
            for value, p in steps:
                wider[value - low : value - low + len(chances)] += p * chances
            chances, start = wider, start + low
    at = observed - start
    lower, upper = float(chances[: at + 1].sum()), float(chances[at:].sum())
    return Permutation(min(1.0, lower), min(1.0, upper), "exact")


def _fractions(values: Sequence[float]) -> list[Fraction] | None:
    fractions = [_fraction(value) for value in values]
    return None if None in fractions else [value for value in fractions if value is not None]


@lru_cache(maxsize=10_000)
def _fraction(value: float) -> Fraction | None:
    """The simple fraction that equals this number; None if there is none."""
    near = Fraction(value).limit_denominator(DENOMINATOR)
    return near if abs(float(near) - value) < 1e-9 else None


@lru_cache(maxsize=10_000)
def _distribution(pooled: tuple[Fraction, ...], before: int, after: int) -> Steps | None:
    """Every possible difference of an arrangement of the pooled values, with its probability."""
    ways: dict[tuple[int, Fraction], int] = {(0, Fraction(0)): 1}
    for value, count in sorted(Counter(pooled).items()):
        grown: Counter[tuple[int, Fraction]] = Counter()
        for (taken, total), number in ways.items():
            for more in range(min(count, after - taken) + 1):
                grown[taken + more, total + more * value] += number * math.comb(count, more)
        ways = grown
        if len(ways) > MAX_STATES:
            return None
    arrangements, pooled_sum = math.comb(before + after, after), sum(pooled, Fraction())
    return tuple(
        (total / after - (pooled_sum - total) / before, number / arrangements)
        for (taken, total), number in sorted(ways.items())
        if taken == after
    )


def _sampled(strata: Sequence[Stratum]) -> Permutation:
    """By seeded sampling, including the observed arrangement."""
    import numpy as np

    groups = by_task(strata)
    shapes: dict[tuple[int, int], list[tuple[float, list[float]]]] = {}
    observed = 0.0
    for group in groups.values():
        for stratum in group:
            weight = 1 / (len(groups) * len(group))
            pooled = [*sorted(stratum.before), *sorted(stratum.after)]
            shapes.setdefault((len(stratum.before), len(stratum.after)), []).append((weight, pooled))
            observed += weight * stratum.difference
    draw = np.random.default_rng(SEED)
    sums = np.zeros(DRAWS)
    for (before, after), rows in sorted(shapes.items()):
        rows.sort()
        weights, values = np.array([weight for weight, _ in rows]), np.array([row for _, row in rows])
        batch = max(1, 2_000_000 // values.size)
        for start in range(0, DRAWS, batch):
            size = min(batch, DRAWS - start)
            order = draw.random((size, *values.shape)).argsort(axis=2)[:, :, :after]
            chosen = np.take_along_axis(np.broadcast_to(values, (size, *values.shape)), order, axis=2).sum(axis=2)
            changes = chosen / after - (values.sum(axis=1) - chosen) / before
            sums[start : start + size] += changes @ weights
    lower = (1 + int((sums <= observed + 1e-12).sum())) / (DRAWS + 1)
    upper = (1 + int((sums >= observed - 1e-12).sum())) / (DRAWS + 1)
    return Permutation(lower, upper, f"{DRAWS:,} draws, seed {SEED}")


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Adjusted p values in the given order: the running maximum of (n - rank) x p, at most 1 (Holm, 1979).

    Known answer: 0.01, 0.04, 0.03 -> 0.03, 0.06, 0.06.
    """
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return tuple(adjusted)


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
