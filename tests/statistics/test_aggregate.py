"""Aggregate: denominators, lengths, controls, funnel, and that the order of results does not matter."""

import random
from typing import Any

import pytest

from longtrail.records.result import AppealTurn, Metric, Result
from longtrail.records.trajectory import Case, Contender, Provenance, Trouble, Usage
from longtrail.statistics.aggregate import ResultRow, rate, summarize
from longtrail.statistics.effects import funnel, table1_proven
from longtrail.statistics.rates import pass_hat_k


def result(task: str, outcome: str = "passed", repeat: int = 0, suite: str = "long_context", **more: Any) -> Result:
    metrics = more.pop("metrics", {})
    case = {"id": f"{task}-r{repeat}", "suite": suite, "task": task, "repeat": repeat}
    case |= {key: more.pop(key) for key in [*more] if key in Case.model_fields}
    if suite == "long_context" and outcome != "invalid":
        metrics = {"success": outcome == "passed"} | metrics
    return Result(
        **{
            "case": Case(**case),
            "contender": Contender(agent=more.pop("agent", "a")),
            "provenance": Provenance(longtrail="0", data="d", task="t"),
            "outcome": outcome,
            "reason": "",
            "metrics": {name: Metric(value=value, reason="r") for name, value in metrics.items()},
            "steps": 3,
            "usage": Usage(calls=1, prompt_tokens=10),
            "seconds": 2.0,
            "trouble": Trouble(kind="site_error", message="x") if outcome == "invalid" else None,
        }
        | more
    )


def only(results: list[Result]) -> ResultRow:
    rows = summarize(results)
    assert len(rows) == 1
    return rows[0]


def test_counts_and_both_denominators() -> None:
    row = only([result("a"), result("b", "failed"), result("c", "invalid"), result("d")])
    assert (row.cases, row.passed, row.failed, row.invalid, row.tasks) == (4, 2, 1, 1, 4)
    assert row.invalid_rate == 0.25
    assert row.troubles == {"site_error": 1}
    assert (row.rates["success"].mean, row.rates["success"].n) == (0.5, 4)
    assert (row.valid_rates["success"].mean, row.valid_rates["success"].n) == (pytest.approx(2 / 3), 3)
    assert row.headline == row.rates["success"]
    assert (row.steps, row.seconds, row.usage.prompt_tokens) == (12, 8.0, 40)


def test_a_measure_that_is_not_defined_is_in_no_denominator() -> None:
    results = [
        result("a", metrics={"success_given_a1": True}),
        result("b", metrics={"success_given_a1": None}),
        result("c", "invalid"),
    ]
    found = rate(results, "success_given_a1")
    assert found is not None
    assert (found.mean, found.n) == (1.0, 1)
    assert rate(results[1:], "success_given_a1") is None


def test_the_task_is_the_unit() -> None:
    results = [result("a", repeat=n) for n in range(9)] + [result("b", "failed")]
    assert only(results).rates["success"].mean == 0.5


def test_lengths_and_the_control() -> None:
    results = [
        result("a", noise_tokens=0),
        result("a", "failed", 0, noise_tokens=25_000),
        result("b", noise_tokens=0),
        result("b", noise_tokens=25_000),
        result("a", "failed", noise_tokens=0, relocated=True),
    ]
    row = only(results)
    assert {length: found.mean for length, found in row.by_length.items()} == {0: 1.0, 25_000: 0.5}
    assert row.relocated is not None
    assert row.relocated.mean == 0.0
    assert row.rates["success"].mean == 0.75


def test_efficiency_over_all_and_over_successful_cases() -> None:
    results = [
        result("a", metrics={"steps_over_reference": 1.0}),
        result("b", "failed", metrics={"steps_over_reference": 3.0}),
    ]
    row = only(results)
    assert row.rates["steps_over_reference"].mean == 2.0
    assert row.successful_rates["steps_over_reference"].mean == 1.0


def decision(task: str, investigation: bool, reasoning: float, score: float, **more: Any) -> Result:
    metrics = {
        "completed": True,
        "investigation": investigation,
        "paper_investigation": investigation,
        "reasoning": reasoning,
        "paper_reasoning": reasoning,
        "decision": score,
        "proven": float(investigation) * reasoning * score,
        "harm": "optimal",
    } | more.pop("metrics", {})
    return result(task, "passed", suite="reddit", metrics=metrics, **more)


HALVES = [decision("a", True, 1.0, 0.0), decision("b", False, 1.0, 1.0), decision("c", True, 1.0, 1.0)]


def test_the_product_of_means_is_not_the_mean_of_products() -> None:
    row = only(HALVES)
    assert row.primary == "proven"
    assert row.rates["proven"].mean == pytest.approx(1 / 3)
    assert table1_proven(HALVES) == pytest.approx(4 / 9)
    assert table1_proven([]) is None


def test_the_funnel_never_widens() -> None:
    stages = funnel([*HALVES, result("d", "invalid", suite="reddit")])
    assert [(stage.name, stage.count) for stage in stages][:5] == [
        ("cases", 4),
        ("completed", 3),
        ("investigation", 2),
        ("reasoning", 2),
        ("decision", 1),
    ]
    assert stages[4].share == 0.25
    assert stages[4].kept == 0.5


def test_given_completion() -> None:
    open_ = decision("d", True, 0.0, 0.0, metrics={"completed": False})
    row = only([*HALVES, open_])
    assert row.rates["decision"].mean == 0.5
    assert row.completed_rates["decision"].mean == pytest.approx(2 / 3)


def test_categories_prompts_labels_and_appeals() -> None:
    results = [
        decision("a", True, 1.0, 1.0, category="spam", prompt="raw"),
        decision("b", True, 1.0, 0.0, category="fact_check", prompt="hint", metrics={"harm": "harmful"}),
        decision(
            "a",
            True,
            1.0,
            0.0,
            prompt="raw",
            appeal="deceptive",
            metrics={"appeal_outcome": "swayed", "sycophancy": True},
        ),
    ]
    row = only(results)
    assert row.by_category["spam"]["decision"].mean == 1.0
    assert row.by_prompt["hint"]["decision"].mean == 0.0
    assert row.labels["harm"] == {"harmful": 1, "optimal": 1}
    assert row.rates["decision"].mean == 0.5
    assert row.by_appeal["deceptive"]["sycophancy"].mean == 1.0
    assert row.appeal_outcomes == {"deceptive": {"swayed": 1}}


def test_valid_appeals_are_reported_only_where_the_first_decision_was_wrong() -> None:
    turn = AppealTurn(number=1, answer="APPROVE", outcome="healed", reason="", worth=1.0)
    right = decision("a", True, 1.0, 1.0, appeal="valid", metrics={"appeal_outcome": "already_right"})
    wrong = decision("b", True, 1.0, 0.0, appeal="valid", metrics={"appeal_outcome": "healed", "correction": True})
    row = only([each.model_copy(update={"appeal_turns": (turn,)}) for each in (right, wrong)])
    assert row.appeal_outcomes == {"valid": {"healed": 1}}


def test_rows_are_in_a_fixed_order_and_of_one_contender_and_suite() -> None:
    results = [*HALVES, result("a", agent="b"), result("a", agent="a"), result("a", "failed", agent="b", repeat=1)]
    shuffled = results[:]
    random.Random(7).shuffle(shuffled)
    rows = summarize(results)
    assert [(row.suite, row.contender.agent, row.cases) for row in rows] == [
        ("long_context", "a", 1),
        ("long_context", "b", 2),
        ("reddit", "a", 3),
    ]
    assert summarize(shuffled) == rows
    assert ResultRow.model_validate_json(rows[0].model_dump_json()) == rows[0]
    assert summarize([]) == ()


def test_pass_hat_k() -> None:
    results = [result("a", outcome, n) for n, outcome in enumerate(("passed", "passed", "failed"))]
    results += [result("b", "passed", n) for n in range(3)]
    assert pass_hat_k(results) == {1: pytest.approx(5 / 6), 2: pytest.approx((1 / 3 + 1) / 2), 3: 0.5}
    assert pass_hat_k([]) == {}
