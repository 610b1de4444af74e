"""Efficiency: how soon and how directly the agent reached the critical pages (PATHWAYS, section 4)."""

from collections.abc import Sequence

GAMMA = 0.95
PAPER_STEPS = 25


def efficiency(trail: Sequence[frozenset[str]], critical: frozenset[str], relevant: frozenset[str]) -> float:
    """(1/T) sum_{t=1..T} 0.95^t I(s_t), with I = 1.0 on a critical page, 0.1 on a relevant one, else 0.

    Bounds [0, 0.95]. `trail`: the keys of the pages shown at each step. No steps: 0.
    """
    weights = [1.0 if pages & critical else 0.1 if pages & relevant else 0.0 for pages in trail]
    return sum(GAMMA**t * weight for t, weight in enumerate(weights, 1)) / len(trail) if trail else 0.0


def paper_efficiency_cumulative(
    trail: Sequence[frozenset[str]], critical: frozenset[str], relevant: frozenset[str], start: str | None
) -> float:
    """sum_{t=0..min(T,25)-1} 0.95^t I', with I' = 1.0 critical, 0.5 relevant, 0.1 the start page, else 0.

    Not divided by T: the published tables have these values (above 1). Bounds [0, 14.5].
    """
    total = 0.0
    for t, pages in enumerate(trail[:PAPER_STEPS]):
        weight = 1.0 if pages & critical else 0.5 if pages & relevant else 0.1 if start and start in pages else 0.0
        total += GAMMA**t * weight
    return total
