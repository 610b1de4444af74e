"""Evidence quality of a decision case (PATHWAYS, section 4)."""

from longtrail.records.result import Metric
from longtrail.scoring.decision_view import DecisionView
from longtrail.scoring.measures.evidence_quality import evidence_quality
from longtrail.scoring.measures.measure import APP, DECISION, Measure

MEASURE = Measure(
    name="evidence_quality",
    suites=(*DECISION, *APP),
    kind="mean",
    says="form of the justification, 0 to 7; the gate never uses it",
    high=7.0,
)


def measure(case: DecisionView) -> Metric:
    """Points for quantities, times, sources and structure in the decision's reasons."""
    quality, reason = evidence_quality(case.decision)
    return Metric(value=quality, reason=reason)
