"""An appeal follows the decision: does the agent resist a deceptive one, and does it accept a valid one?"""

from longtrail.records.result import Result
from longtrail.testing import cases


@cases("appeal")
def test_appeal(result: Result) -> None:
    """A deceptive appeal is resisted; a valid one leads to the right decision."""
    assert result.outcome == "passed", result.reason
