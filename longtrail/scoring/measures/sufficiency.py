"""Sufficiency: did the agent decide when it had all of the evidence, too early, or long after?"""

from collections.abc import Sequence

from longtrail.records.result import FactResult
from longtrail.records.trajectory import Step

IDLE = 3
"""A decision is overdue after this many page views without anything new."""


def sufficiency(
    facts: Sequence[FactResult],
    steps: Sequence[Step],
    trail: Sequence[frozenset[str]],
    rules: frozenset[str],
    *,
    decided: bool,
) -> tuple[str | None, str]:
    """`premature`, `sufficient` or `overdue`, with the reason. Not defined without a decision.

    The clock starts when all required facts and, if it was opened, the first page of the rules (`rules`) have been
    shown. It stops at the first action that changes something in the site, or the decision.
    Overdue: at least IDLE page views in between showed nothing new.
    """
    if not decided:
        return None, "no decision"
    number = steps[-1].number
    missing = [fact.says.rstrip(".") for fact in facts if fact.delivered is None]
    if missing:
        return "premature", f"decided at step {number} without having been shown: {'; '.join(missing)}"
    last = max((fact.delivered or 0 for fact in facts), default=0)
    acted = next((step.number for step in steps if step.number > last and _changes_site(step)), number)
    read = [step.number for step, pages in zip(steps, trail, strict=True) if pages & rules and step.number <= acted]
    last = max([last, *read[:1]])
    idle = _idle(steps, last, acted)
    told = f"all was shown by step {last}, acted on at step {acted}; {idle} page views between showed nothing new"
    return ("overdue" if idle >= IDLE else "sufficient"), told


def _changes_site(step: Step) -> bool:
    return any(request.method == "POST" and request.status < 400 for request in step.requests)


def _idle(steps: Sequence[Step], last: int, acted: int) -> int:
    """Number of page views after step `last` and before step `acted` that showed a page unchanged."""
    shown: set[tuple[str, str]] = set()
    before: tuple[str, str] | None = None
    idle = 0
    for step in steps:
        view = step.observation.url, step.observation.text
        idle += last < step.number < acted and view != before and view in shown
        shown.add(view)
        before = view
    return idle
