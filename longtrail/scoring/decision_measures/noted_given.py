"""Lost evidence: the share of the evidence noted before the noise that the decision gives as reasons."""

from longtrail.records.result import Metric
from longtrail.scoring.decision_measures.noted_read_again import noted_facts, share
from longtrail.scoring.decision_view import DecisionView
from longtrail.scoring.measures.measure import DECISION, Measure

MEASURE = Measure(
    name="noted_given",
    suites=DECISION,
    kind="given",
    says="share of the facts noted before the noise that the decision gives",
)


def measure(case: DecisionView) -> Metric:
    """Not defined if nothing was noted before the noise."""
    given = {fact.id for fact in case.facts if fact.counted}
    return share(case, [fact for fact in noted_facts(case) if fact.id in given], "given by the decision")
