"""Counterfactual twins: the same request and start page, but few records differ. Does the decision follow them?"""

import pytest

from longtrail.records.result import Result
from longtrail.testing import cases


@cases("twin")
def test_twin(result: Result, subtests: pytest.Subtests) -> None:
    """Investigation, reasoning and decision are as the changed records require."""
    for stage in ("investigation", "reasoning", "decision"):
        with subtests.test(stage):
            assert result.metrics[stage].value == 1.0, result.metrics[stage].reason
    assert result.outcome == "passed", result.reason
