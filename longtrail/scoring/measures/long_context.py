"""Long context: the measures of one case (long-context paper, sections 3 and 4)."""

from collections.abc import Sequence

from longtrail.checks.key_steps import Hit


def success(*parts: Sequence[Hit]) -> bool:
    """All key steps of these parts were hit."""
    return all(hit.step is not None for hits in parts for hit in hits)


def key_step_rate(*parts: Sequence[Hit]) -> float:
    """Key steps hit / all key steps. Bounds [0, 1]."""
    hits = [hit.step is not None for part in parts for hit in part]
    return sum(hits) / len(hits)


def steps_over_reference(steps: int, reference: int) -> float:
    """Steps taken / annotated steps: above 1 is longer than needed. Bounds [0, inf)."""
    return steps / reference
