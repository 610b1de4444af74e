"""Verdicts: what is red, what is green, what the gate says about the size of the comparison, and crossed cases."""

import pytest

from longtrail.gate.gate_report import gate_report
from longtrail.gate.pairing import primary, secondary
from longtrail.options.gate_rules import GateRules
from longtrail.records.case import ShiftMode
from longtrail.records.trajectory import Case
from longtrail.runs.baseline import Scored, Scores
from tests.gate.made_scores import scores, shop
from tests.gate.test_gate_report import GOOD, MIXED, RULES, WORSE


def test_the_verdicts_and_their_exit_codes() -> None:
    found = {
        "same": gate_report(shop(GOOD), shop(GOOD), RULES),
        "better": gate_report(shop(WORSE), shop(GOOD), RULES),
        "worse": gate_report(shop(GOOD), shop(WORSE), RULES),
        "noisy": gate_report(shop(MIXED), shop(MIXED), RULES),
        "empty": gate_report(shop(GOOD), scores([]), RULES),
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
    assert gate_report(shop(GOOD), shop(GOOD), rules).exit_code == 0
    assert gate_report(shop(MIXED), shop(MIXED), rules).exit_code == 6
    assert gate_report(shop(WORSE), shop(GOOD), rules).verdict == "IMPROVED"
    assert gate_report(shop(GOOD), shop(WORSE), rules).exit_code == 1
    assert gate_report(shop(GOOD), scores([]), rules).exit_code == 7


@pytest.mark.parametrize(("repeats", "verdict"), [(20, "IMPROVED"), (3, "PASS")])
def test_an_improvement_is_never_red(repeats: int, verdict: str) -> None:
    """Three tasks, two thirds of whose repeats passed, pass all."""
    before = {f"PW-{n:03}": [float(r < repeats * 2 // 3) for r in range(repeats)] for n in range(1, 4)}
    after = {task: [1.0] * repeats for task in before}
    found = gate_report(shop(before), shop(after), RULES)
    assert (found.verdict, found.exit_code) == (verdict, 0), found.suites[0].primary


def test_one_task_that_loses_all_of_three_repeats_is_a_regression() -> None:
    """C(6, 3) arrangements: p = 1/20, which is alpha."""
    found = gate_report(shop({"PW-001": [1.0] * 3}), shop({"PW-001": [0.0] * 3}), RULES)
    assert (found.verdict, found.suites[0].primary.p) == ("REGRESSION", pytest.approx(0.05))


def test_the_interval_says_what_it_is_about() -> None:
    once = {task: values[:1] for task, values in GOOD.items()}
    scopes = [gate_report(shop(run), shop(run), RULES).suites[0].primary.scope for run in (GOOD, once)]
    assert scopes == ["these tasks", "such tasks"]


def test_it_says_how_many_episodes_would_find_ten_points() -> None:
    suite = gate_report(shop(MIXED), shop(MIXED), RULES).suites[0]
    assert suite.detectable is not None
    assert suite.repeats_needed is not None
    assert suite.detectable > 0.1
    assert suite.more_episodes == 12 * (suite.repeats_needed - 3)


def shift(task: str, proven: float, condition: ShiftMode = "continuous") -> Scored:
    """A shift in which the dependent tickets are proven to this share, and all others."""
    return Scored(
        case=Case(id=f"{task}-{condition}", suite="shift_shop", task=task, shift=condition),
        outcome="passed" if proven == 1 else "failed",
        reason="",
        values={
            "tickets_proven": (1 + proven) / 2,
            "independent_proven": 1.0,
            "dependent_proven": proven,
            "shift_perfect": float(proven == 1),
        },
    )


def test_a_gate_on_shifts_tells_dependent_tickets_from_independent_ones() -> None:
    tasks = [f"shift-shop-24-{number:02d}" for number in range(1, 7)]
    found = gate_report(scores([shift(task, 1) for task in tasks]), scores([shift(task, 0.5) for task in tasks]), RULES)
    (suite,) = found.suites
    drops = {finding.endpoint: finding.change for finding in (suite.primary, *suite.secondary)}
    assert found.verdict == "REGRESSION"
    assert (drops["tickets_proven"], drops["independent_proven"]) == (pytest.approx(-0.25), 0)
    assert (drops["dependent_proven"], drops["shift_perfect"]) == (pytest.approx(-0.5), -1)


def test_shifts_in_one_context_and_in_sessions_are_two_conditions() -> None:
    """Twins belong to neither."""
    among = ("continuous", "sessions", "continuous twin")
    assert primary("shift_shop", among).conditions == ("continuous", "sessions")
    named = [endpoint.title for endpoint in secondary("shift_shop", among)]
    assert {
        "memory_effect",
        "dependent_proven",
        "tickets_proven under sessions",
        "tickets_proven, continuous twin",
    } <= {*named}


def crossed(proven: float, length: int) -> Scores:
    amid = {"placement": "lost_evidence", "noise_tokens": length}
    cases = shop(dict.fromkeys(GOOD, [proven] * 3)).cases
    return scores([one.model_copy(update={"case": one.case.model_copy(update=amid)}) for one in cases])


def test_crossed_cases_are_conditions_of_their_own() -> None:
    assert gate_report(crossed(1.0, 50_000), crossed(1.0, 50_000), RULES).verdict == "PASS"
    worse = gate_report(crossed(1.0, 50_000), crossed(0.0, 50_000), RULES)
    assert worse.verdict == "REGRESSION"
    assert worse.suites[0].regressed[0].condition == "lost_evidence raw 50k"
    for other in (crossed(1.0, 25_000), shop(GOOD)):
        found = gate_report(other, crossed(1.0, 50_000), RULES)
        assert found.verdict == "INVALID"
        assert any("the baseline lacks" in reason for reason in found.reasons)
