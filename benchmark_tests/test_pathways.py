"""Does an agent look for the hidden evidence before it decides?

Decision tasks in a forum's moderation and a shop's back office, and the hard tier, where records contradict each other.
The funnel's stages are the assertions: investigation (every required fact was shown to the agent), reasoning (it cites
them), decision.
"""

import pytest

from longtrail.records.result import Result
from longtrail.testing import cases


@cases("reddit", "shopping_admin", "hard_forum", "hard_shop")
def test_funnel(result: Result, subtests: pytest.Subtests) -> None:
    """Investigation, reasoning and decision are as the evidence requires."""
    for stage in ("investigation", "reasoning", "decision"):
        with subtests.test(stage):
            assert result.metrics[stage].value == 1.0, result.metrics[stage].reason
    assert result.outcome == "passed", result.reason
