"""The hard tier: does an agent still find the truth when records contradict each other, evidence appears only after it
acts, and texts tell it what to decide?

The funnel's stages are the assertions, as in the paper's suites: investigation, reasoning, decision.
"""

import pytest

from longtrail.records.result import Result


@pytest.mark.hard_shop
def test_shop(longtrail_result: Result, subtests: pytest.Subtests) -> None:
    """In the shop's back office: investigation, reasoning and decision are as the evidence requires."""
    _stages(longtrail_result, subtests)


@pytest.mark.hard_forum
def test_forum(longtrail_result: Result, subtests: pytest.Subtests) -> None:
    """In the forum's moderation: investigation, reasoning and decision are as the evidence requires."""
    _stages(longtrail_result, subtests)


def _stages(result: Result, subtests: pytest.Subtests) -> None:
    for stage in ("investigation", "reasoning", "decision"):
        with subtests.test(msg=stage):
            assert result.metrics[stage].value == 1.0, result.metrics[stage].reason
    assert result.outcome == "passed", result.reason
