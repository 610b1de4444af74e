"""Malformed answers: steps in which the agent gave no valid action, and those of them whose answer was cut off."""

from collections.abc import Sequence

from longtrail.records.case import SHIFTS
from longtrail.records.result import Metric
from longtrail.records.trajectory import Step
from longtrail.scoring.measure import DECISION, LONG_AND_APP, conditional

_SUITES = (*LONG_AND_APP, *DECISION, *SHIFTS)
MEASURES = (
    conditional("malformed_answers", _SUITES, "steps whose answer had no valid action / steps; less is better"),
    conditional(
        "cut_off_answers", _SUITES, "steps without a valid action as the answer was cut off / steps; less is better"
    ),
)


def malformed_metrics(steps: Sequence[Step]) -> dict[str, Metric]:
    """Both measures; undefined without steps. Bounds [0, 1]."""
    if not steps:
        return {measure.name: Metric(value=None, reason="no step was taken") for measure in MEASURES}
    wrong = [step for step in steps if step.malformed]
    cut_off = [step for step in wrong if step.cut_off]
    return {
        "malformed_answers": Metric(
            value=len(wrong) / len(steps), reason=f"{len(wrong)} of {len(steps)} steps had no valid action"
        ),
        "cut_off_answers": Metric(
            value=len(cut_off) / len(steps), reason=f"the answers of {len(cut_off)} of {len(steps)} steps were cut off"
        ),
    }
