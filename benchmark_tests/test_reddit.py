"""Moderation of a forum: does an agent look for the hidden evidence before it decides?

The funnel's stages are the assertions: investigation (every required fact was shown to the agent), reasoning (it states
them), decision.
"""

import pytest

from longtrail.records.result import Result


@pytest.mark.reddit
def test_funnel(longtrail_result: Result, subtests: pytest.Subtests) -> None:
    """Investigation, reasoning and decision are as the evidence requires."""
    for stage in ("investigation", "reasoning", "decision"):
        with subtests.test(msg=stage):
            assert longtrail_result.metrics[stage].value == 1.0, longtrail_result.metrics[stage].reason
    assert longtrail_result.outcome == "passed", longtrail_result.reason
