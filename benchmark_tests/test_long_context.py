"""Does an agent still solve tasks when its history grows?

Two dependent subtasks with irrelevant trajectories between them. Each key step of both is a separate assertion.
"""

import pytest

from longtrail.records.result import Result


@pytest.mark.long_context
def test_key_steps(longtrail_result: Result, subtests: pytest.Subtests) -> None:
    """Both subtasks reach all of their key steps."""
    for step in longtrail_result.key_steps:
        with subtests.test(msg=f"{step.phase} {step.name}"):
            assert step.hit, step.reason
    assert longtrail_result.outcome == "passed", longtrail_result.reason
