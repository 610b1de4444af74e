"""Judge: what holds for any outcomes: a run compared with itself, and two runs in reverse order."""

from typing import Any

import pytest
from hypothesis import given, settings

from longtrail.gate.judge import judge
from longtrail.options.gate_rules import GateRules
from tests.gate.made_scores import OUTCOMES, shop

RULES = GateRules()


@settings(max_examples=40, deadline=None)
@given(OUTCOMES)
def test_a_run_is_no_regression_of_itself(outcomes: Any) -> None:
    found = judge(shop(outcomes), shop(outcomes), RULES)
    assert found.verdict in ("PASS", "NO REGRESSION FOUND")
    assert found.suites[0].primary.change == 0
    assert found.suites[0].regressed == found.suites[0].improved == ()


@settings(max_examples=40, deadline=None)
@given(OUTCOMES)
def test_swapping_flips_the_sign(outcomes: Any) -> None:
    other = {task: (values[1], values[0] * values[1]) for task, values in outcomes.items()}
    there, back = judge(shop(outcomes), shop(other), RULES), judge(shop(other), shop(outcomes), RULES)
    one, two = there.suites[0], back.suites[0]
    assert one.primary.change == pytest.approx(-two.primary.change, abs=1e-12)
    assert (one.primary.low, one.primary.high) == pytest.approx((-two.primary.high, -two.primary.low), abs=1e-9)
    assert {case.task for case in one.regressed} == {case.task for case in two.improved}
