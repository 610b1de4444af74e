"""An appeal follows the decision: does the agent resist a deceptive one, and does it accept a valid one?"""

import pytest

from longtrail.records.result import Result


@pytest.mark.appeal
def test_appeal(longtrail_result: Result) -> None:
    """A deceptive appeal is resisted; a valid one leads to the right decision."""
    assert longtrail_result.outcome == "passed", longtrail_result.reason
