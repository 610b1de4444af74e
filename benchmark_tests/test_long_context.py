"""Does an agent still solve tasks when its history grows?

Two dependent subtasks with irrelevant trajectories between them (`discovered`: the second one also needs information
that no instruction contains, which the agent saw in the first part). Each key step of both is a separate assertion.
"""

import pytest

from longtrail.records.result import Result
from longtrail.testing import cases


@cases("long_context", "discovered")
def test_key_steps(result: Result, subtests: pytest.Subtests) -> None:
    """Both subtasks reach all of their key steps."""
    for step in result.key_steps:
        with subtests.test(f"{step.phase} {step.name}"):
            assert step.hit, step.reason
    assert result.outcome == "passed", result.reason
