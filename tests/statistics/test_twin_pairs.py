"""Pairs of twins: both must be right; cases without a valid partner make no pair."""

from typing import Any

from longtrail.records.result import Result
from longtrail.statistics.aggregate import summarize
from longtrail.statistics.twin_pairs import with_pairs
from tests.statistics.test_aggregate import result as any_result


def result(task: str, proven: float = 1.0, decision: float = 1.0, outcome: str = "passed", **more: Any) -> Result:
    condition = "-".join(str(more.get(name, "")) for name in ("prompt", "appeal", "repeat"))
    fields = {"id": f"{task.lower()}-{condition}", "suite": "reddit", "prompt": "raw"} | more
    return any_result(task, outcome, metrics={"proven": proven, "decision": decision}, **fields)


def twin(task: str, *values: float, **more: Any) -> Result:
    return result(f"{task}-twin", *values, twin=True, partner=task, **more)


def pairs(*results: Result) -> dict[str, tuple[float | None, float | None]]:
    """Task -> `twin_proven` and `twin_decision` of the cases that have them."""
    return {
        pair.case.task: (pair.number("twin_proven"), pair.number("twin_decision"))
        for pair in with_pairs(results)
        if "twin_proven" in pair.metrics
    }


def test_both_twins_must_be_right() -> None:
    assert pairs(result("A"), twin("A")) == {"A": (1, 1)}
    assert pairs(result("A"), twin("A", 0, 1)) == {"A": (0, 1)}
    assert pairs(result("A"), twin("A", 0.8, 0.8)) == {"A": (0, 0)}, "an alternative may be right in both worlds"


def test_without_a_valid_case_of_both_there_is_no_pair() -> None:
    assert pairs(result("A"), result("B")) == {}
    assert pairs(result("A", outcome="invalid"), twin("A")) == {}
    assert pairs(result("A"), twin("A", outcome="invalid")) == {}


def test_a_pair_has_one_condition_and_one_repeat() -> None:
    assert pairs(result("A"), twin("A", prompt="hint")) == {}
    assert pairs(result("A", repeat=1), twin("A")) == {}
    assert pairs(result("A", appeal="valid"), twin("A", appeal="valid")) == {}
    measured = with_pairs([result("A"), result("A", 0, repeat=1), twin("A"), twin("A", repeat=1)])
    assert [each.number("twin_proven") for each in measured] == [1, 0, None, None]


def test_tasks_that_name_each_other_are_a_pair_if_neither_has_a_counterfactual_twin() -> None:
    first, second = result("A", partner="B"), result("B", 0, partner="A")
    assert pairs(first, second) == {"A": (0, 1)}
    assert pairs(first, second, twin("A")) == {"A": (1, 1)}


def test_the_row_of_the_shipped_tasks_has_the_rates_and_that_of_the_twins_has_none() -> None:
    cases = [result("A"), twin("A"), result("B"), twin("B", 0, 0), result("C"), result("D"), twin("D", 0, 1)]
    shipped, twins = summarize(with_pairs(cases))
    assert (shipped.setting, twins.setting) == ("", "twins")
    assert (round(shipped.rates["twin_proven"].mean, 3), shipped.rates["twin_proven"].n) == (0.333, 3)
    assert round(shipped.rates["twin_decision"].mean, 3) == 0.667
    assert "twin_proven" not in twins.rates
