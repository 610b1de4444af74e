"""Lost evidence: the share of the evidence noted before the noise that was looked up again after it."""

from collections.abc import Sequence

from longtrail.checks.facts import Fact
from longtrail.clock import NOW
from longtrail.records.result import Metric
from longtrail.scoring.decision_view import DecisionView
from longtrail.scoring.measures.delivery import delivered
from longtrail.scoring.measures.measure import DECISION, Measure

MEASURE = Measure(
    name="noted_read_again",
    suites=DECISION,
    kind="given",
    says="share of the facts noted before the noise that were shown again after it",
)


def measure(case: DecisionView) -> Metric:
    """Not defined if nothing was noted before the noise."""
    again = [fact for fact in noted_facts(case) if delivered(fact, case.pages, NOW) is not None]
    return share(case, again, "shown again")


def noted_facts(case: DecisionView) -> tuple[Fact, ...]:
    """The required facts that the earlier episode left in the agent's history."""
    return tuple(fact for fact in case.task.required if delivered(fact, case.noted_pages, NOW) is not None)


def share(case: DecisionView, found: Sequence[Fact], word: str) -> Metric:
    """The metric of these noted facts."""
    noted = len(noted_facts(case))
    if not noted:
        return Metric(value=None, reason="nothing was noted before the noise")
    return Metric(value=len(found) / noted, reason=f"{len(found)} of {noted} facts noted before the noise {word}")
