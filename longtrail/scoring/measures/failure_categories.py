"""Failure categories: the one category that a long-context case belongs to (long-context paper, error analysis)."""

from collections.abc import Sequence

from longtrail.checks.key_steps import Hit
from longtrail.records.trajectory import End, Step
from longtrail.scoring.measures.loops import loop, signature


def error_category(parts: Sequence[tuple[Sequence[Hit], Sequence[Step], End | None]]) -> tuple[str, str]:
    """`success`, `false_end`, `loop`, `inefficient_progress` or `other`, with the reason. `parts`: hits, steps and end
    of each part in order. The first part with a missing key step, or that an agent error ended, decides.
    """
    for hits, steps, end in parts:
        missing = [hit.name for hit in hits if hit.step is None]
        if missing or (end is not None and end.reason == "agent_error"):
            return _why(missing, hits, steps, end)
    return "success", "all key steps were hit"


def _why(missing: Sequence[str], hits: Sequence[Hit], steps: Sequence[Step], end: End | None) -> tuple[str, str]:
    lacking = f"{', '.join(missing)} missing" if missing else "all key steps were hit"
    if end is None:
        return "other", f"the part was never played; {lacking}"
    if end.reason in ("finish", "decide"):
        return "false_end", f"the agent finished; {lacking}"
    if end.reason == "step_limit":
        again = loop([signature(step) for step in steps], {hit.step for hit in hits if hit.step is not None})
        return ("loop", f"{again}; {lacking}") if again else ("inefficient_progress", f"at the step limit, {lacking}")
    return "other", f"{end.reason}{': ' + end.detail if end.detail else ''}; {lacking}"
