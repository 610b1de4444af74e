"""Verdicts: what is red, what is green, and what the gate says about the size of the comparison."""

import pytest

from longtrail.gate.judge import judge
from longtrail.options.gate_rules import GateRules
from tests.gate.made_scores import scores, shop
from tests.gate.test_judge import GOOD, MIXED, RULES, WORSE


def test_the_verdicts_and_their_exit_codes() -> None:
    found = {
        "same": judge(shop(GOOD), shop(GOOD), RULES),
        "better": judge(shop(WORSE), shop(GOOD), RULES),
        "worse": judge(shop(GOOD), shop(WORSE), RULES),
        "noisy": judge(shop(MIXED), shop(MIXED), RULES),
        "empty": judge(shop(GOOD), scores([]), RULES),
    }
    assert {name: (one.verdict, one.exit_code) for name, one in found.items()} == {
        "same": ("PASS", 0),
        "better": ("IMPROVED", 0),
        "worse": ("REGRESSION", 1),
        "noisy": ("NO REGRESSION FOUND", 0),
        "empty": ("INVALID", 7),
    }


def test_a_strict_gate_demands_that_a_drop_is_ruled_out() -> None:
    rules = GateRules(strict=True)
    assert judge(shop(GOOD), shop(GOOD), rules).exit_code == 0
    assert judge(shop(MIXED), shop(MIXED), rules).exit_code == 6
    assert judge(shop(WORSE), shop(GOOD), rules).verdict == "IMPROVED"
    assert judge(shop(GOOD), shop(WORSE), rules).exit_code == 1
    assert judge(shop(GOOD), scores([]), rules).exit_code == 7


@pytest.mark.parametrize(("repeats", "verdict"), [(20, "IMPROVED"), (3, "PASS")])
def test_an_improvement_is_never_red(repeats: int, verdict: str) -> None:
    """Three tasks, two thirds of whose repeats passed, pass all."""
    before = {f"PW-{n:03}": [float(r < repeats * 2 // 3) for r in range(repeats)] for n in range(1, 4)}
    after = {task: [1.0] * repeats for task in before}
    found = judge(shop(before), shop(after), RULES)
    assert (found.verdict, found.exit_code) == (verdict, 0), found.suites[0].primary


def test_one_task_that_loses_all_of_three_repeats_is_a_regression() -> None:
    """C(6, 3) arrangements: p = 1/20, which is alpha."""
    found = judge(shop({"PW-001": [1.0] * 3}), shop({"PW-001": [0.0] * 3}), RULES)
    assert (found.verdict, found.suites[0].primary.p) == ("REGRESSION", pytest.approx(0.05))


def test_the_interval_says_what_it_is_about() -> None:
    once = {task: values[:1] for task, values in GOOD.items()}
    scopes = [judge(shop(run), shop(run), RULES).suites[0].primary.scope for run in (GOOD, once)]
    assert scopes == ["these tasks", "such tasks"]


def test_it_says_how_many_episodes_would_find_ten_points() -> None:
    suite = judge(shop(MIXED), shop(MIXED), RULES).suites[0]
    assert suite.detectable is not None
    assert suite.repeats_needed is not None
    assert suite.detectable > 0.1
    assert suite.more_episodes == 12 * (suite.repeats_needed - 3)
