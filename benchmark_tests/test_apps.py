"""Does an agent complete tasks on the user's own web app?

Each key step of a task (`suite: app`, from the folder of `--tasks`) is a separate assertion.
"""

import pytest

from longtrail.records.result import Result
from longtrail.testing import cases


@cases("app")
def test_app(result: Result, subtests: pytest.Subtests) -> None:
    """All key steps are reached, all evidence is shown and stated, and the decision is right."""
    for step in result.key_steps:
        with subtests.test(step.name):
            assert step.hit, step.reason
    assert result.outcome == "passed", result.reason
