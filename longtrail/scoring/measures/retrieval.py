"""Retrieval: did the agent return to the task's own site after the noise, and did its summaries lead there?"""

from collections.abc import Sequence
from datetime import datetime

from longtrail.checks.hosts import same_site
from longtrail.checks.visits import visits
from longtrail.records.record import Record
from longtrail.records.trajectory import Step
from longtrail.tasks.task import Carry
from longtrail.text.matcher import matches


def returned(steps: Sequence[Step], host: str) -> tuple[int, str] | None:
    """(step number, address) of the first document of the task's own domain after the noise, or None."""
    return next(((step.number, url) for step in steps for url in visits(step) if same_site(url, host)), None)


def quadrant(success: bool, retrieved: bool) -> str:
    """`TS_RS`, `TF_RS` or `TF_RF`: task success x retrieval success (long-context paper, section 4).

    Raises ValueError for success without retrieval: the browser is on another site after the noise, so that is
    impossible.
    """
    if success and not retrieved:
        raise ValueError("TS_RF: the task was done, yet no page of its site was loaded after the noise")
    return f"T{'S' if success else 'F'}_R{'S' if retrieved else 'F'}"


class SummaryCounts(Record):
    """Counts of an agent's summaries of its history (iRAG)."""

    relevant_used: int = 0
    relevant_unused: int = 0
    irrelevant_used: int = 0
    irrelevant_unused: int = 0

    @property
    def count(self) -> int:
        """Number of all summaries."""
        return self.relevant_used + self.relevant_unused + self.irrelevant_used + self.irrelevant_unused


def summaries(steps: Sequence[Step], carry: Sequence[Carry], host: str, now: datetime) -> SummaryCounts:
    """Summary relevant x used, over the steps that made one (long-context paper, section 5).

    Relevant: it contains everything that the second part needs from the first. Used: the action planned with it led
    to, or stayed on, the task's domain.
    """
    counts = dict.fromkeys(SummaryCounts.model_fields, 0)
    for step in steps:
        if step.summary:
            relevant = all(any(matches(said, step.summary, now) for said in fact.said) for fact in carry)
            used = same_site(step.outcome.url, host)
            counts[f"{'relevant' if relevant else 'irrelevant'}_{'used' if used else 'unused'}"] += 1
    return SummaryCounts(**counts)
