"""Does an agent still decide right when the evidence came up much earlier in its own work?

One shift of many tickets in one context. Each ticket is a separate assertion: its evidence was shown to the agent at
any time before its decision, the decision cites it, and it is right.
"""

import pytest

from longtrail.records.result import Result
from longtrail.testing import cases


@cases("shift_shop", "shift_forum")
def test_shift(result: Result, subtests: pytest.Subtests) -> None:
    """Every ticket is proven."""
    for ticket in result.tickets:
        with subtests.test(ticket.id):
            assert ticket.proven, ticket.reason
    assert result.outcome == "passed", result.reason
