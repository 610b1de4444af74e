"""Does an agent complete tasks on the user's own web app?

Each key step of a task (`suite: app`, from the folder of `--tasks`) is a separate assertion.
"""

import pytest

from longtrail.records.result import Result


@pytest.mark.app
def test_app(longtrail_result: Result, subtests: pytest.Subtests) -> None:
    """All key steps are reached, all evidence is shown and stated, and the decision is right."""
    for step in longtrail_result.key_steps:
        with subtests.test(msg=step.name):
            assert step.hit, step.reason
    assert longtrail_result.outcome == "passed", longtrail_result.reason
