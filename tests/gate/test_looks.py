"""Looks of a sequential run: whether another repeat is played, and why."""

from collections.abc import Sequence

import pytest

from longtrail.gate.findings import Look
from longtrail.gate.gate_report import gate_report
from longtrail.gate.looks import level_at, look, most_changed
from longtrail.options.gate_rules import GateRules
from tests.gate.made_scores import shop

RULES = GateRules(sequential=True, margin=0.1)
TASKS = [f"PW-{number:03}" for number in range(12)]
SEVEN_OF_TWELVE = [*[[1.0], [0.0]] * 5, [1.0], [1.0]]
ALWAYS, NEVER = [1.0] * 5, [0.0] * 5


def looked(before: Sequence[float], *after: Sequence[float], rules: GateRules = RULES, unpaid: str = "") -> Look:
    """The look at a run: each task's outcomes by repeat; the last one's are those of all other tasks."""
    given = [*after, *[after[-1]] * (len(TASKS) - len(after))]
    report = gate_report(
        shop(dict.fromkeys(TASKS, before), "main"), shop(dict(zip(TASKS, given, strict=True)), "mine"), rules
    )
    return look(report, len(before), len(after[0]), unpaid)


STRICT = GateRules(sequential=True, strict=True, margin=0.25)
UNCLEAR = ([1.0, 0.0, 1.0, 0.0], *SEVEN_OF_TWELVE)
NONE_FOUND = "NO REGRESSION FOUND"


@pytest.mark.parametrize(
    ("outcomes", "rules", "verdict", "go_on", "reason"),
    [
        ((ALWAYS, [0.0]), RULES, "REGRESSION", False, "the drop is significant"),
        ((ALWAYS, [0.0], [1.0]), RULES, NONE_FOUND, True, ""),
        (UNCLEAR, RULES, NONE_FOUND, False, "would hardly show"),  # no sign of a drop
        (
            (ALWAYS, [1.0]),
            RULES.model_copy(update={"margin": 0.4}),
            "PASS",
            False,
            "as large as the margin is ruled out",
        ),
        (UNCLEAR, STRICT, NONE_FOUND, True, "the margin may still be ruled out"),
        (UNCLEAR, STRICT.model_copy(update={"strict": False}), NONE_FOUND, False, ""),
        ((ALWAYS, [0.0, 1.0], [1.0, 1.0]), GateRules(sequential=True, max_repeats=2), NONE_FOUND, False, "all repeats"),
        ((NEVER, [1.0]), RULES, "IMPROVED", False, ""),  # an improvement is not waited for
    ],
)
def test_whether_another_repeat_is_played(
    outcomes: tuple[Sequence[float], ...], rules: GateRules, verdict: str, go_on: bool, reason: str
) -> None:
    this = looked(*outcomes, rules=rules)
    assert (this.verdict, this.go_on) == (verdict, go_on)
    assert reason in this.reason


def test_the_budget_ends_it() -> None:
    this = looked(ALWAYS, [0.0], [1.0], unpaid="no money")
    assert (this.go_on, this.reason) == (False, "no money")


def test_a_significance_at_alpha_is_none_at_a_look() -> None:
    """12 x 5 of 5, and 11 of 12: p is 1 of 6. 10 of 12: 1 of 36, below alpha but not below the level of the look."""
    this = looked(ALWAYS, [0.0], [0.0], [1.0])
    assert this.level < this.p < 0.05
    assert this.go_on
    clear = looked(ALWAYS, [0.0])
    assert clear.p <= clear.level < 0.05


def test_tasks_that_changed_most_come_first() -> None:
    before = shop({"PW-000": [1.0, 1.0], "PW-001": [1.0, 0.0], "PW-002": [0.0, 0.0]}, "main")
    after = shop({"PW-000": [0.0], "PW-001": [1.0], "PW-002": [0.0]}, "mine")
    assert most_changed(gate_report(before, after, RULES)) == {"PW-000": 1.0, "PW-001": 0.5}


@pytest.mark.parametrize("suites", [1, 2])
def test_all_levels_stay_below_alpha(suites: int) -> None:
    levels = [level_at(repeats, 5.0, suites, RULES) for repeats in range(1, 11)]
    assert max(levels) < RULES.alpha / 2
    assert level_at(11, 5.0, suites, RULES) == levels[-1]
