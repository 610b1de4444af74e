"""Counterfactual twins: the same request and start page, but few records differ. Does the decision follow them?"""

import pytest

from longtrail.records.result import Result


@pytest.mark.twin
def test_twin(longtrail_result: Result, subtests: pytest.Subtests) -> None:
    """Investigation, reasoning and decision are as the changed records require."""
    for stage in ("investigation", "reasoning", "decision"):
        with subtests.test(msg=stage):
            assert longtrail_result.metrics[stage].value == 1.0, longtrail_result.metrics[stage].reason
    assert longtrail_result.outcome == "passed", longtrail_result.reason
