"""Does an agent remember what it found?

As in the long-context suite, but the second part needs information that no instruction contains: the agent found it on
a page in the first part. Each key step of both parts is a separate assertion.
"""

import pytest

from longtrail.records.result import Result


@pytest.mark.discovered
def test_key_steps(longtrail_result: Result, subtests: pytest.Subtests) -> None:
    """Both subtasks reach all of their key steps."""
    for step in longtrail_result.key_steps:
        with subtests.test(msg=f"{step.phase} {step.name}"):
            assert step.hit, step.reason
    assert longtrail_result.outcome == "passed", longtrail_result.reason
