"""Holm: adjusts the p values of several tests so that the probability of any false alarm stays below alpha."""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Adjusted p values in the given order: the running maximum of (n - rank) x p, at most 1 (Holm, 1979).

    Known answer: 0.01, 0.04, 0.03 -> 0.03, 0.06, 0.06.
    """
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return tuple(adjusted)
