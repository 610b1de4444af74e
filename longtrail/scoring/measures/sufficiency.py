"""Sufficiency: did the agent decide with all of the evidence before it, too early, or long after?"""

from collections.abc import Sequence

from longtrail.records.result import FactResult

GRACE = 5
"""So many steps after the last fact a decision is still in time."""


def sufficiency(facts: Sequence[FactResult], decided: int | None) -> tuple[str | None, str]:
    """`premature`, `sufficient` or `overdue` (more than 5 steps after the last required fact was shown), and why.

    `decided`: number of the deciding step; without a decision it is not defined.
    """
    if decided is None:
        return None, "no decision"
    missing = [fact.id for fact in facts if fact.delivered is None]
    if missing:
        return "premature", f"decided at step {decided} without having been shown {', '.join(missing)}"
    last = max(fact.delivered or 0 for fact in facts)
    late = decided - last
    told = f"decided at step {decided}, all was shown by step {last}"
    return ("overdue" if late > GRACE else "sufficient"), told
