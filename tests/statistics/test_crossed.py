"""Crossed: the funnel by length, and what is lost at which stage, by hand."""

import random
from typing import Any

from longtrail.records.result import Result
from longtrail.statistics.aggregate import summarize
from longtrail.statistics.effects import crossed
from tests.statistics.test_aggregate import result

STAGES = ("completed", "investigation", "reasoning", "decision")


def played(task: str, length: int, stage: str = "", placement: str = "distraction", **more: Any) -> Result:
    """A case that fails at this stage; if empty, it is proven."""
    reached = STAGES[: STAGES.index(stage)] if stage else STAGES
    metrics = {name: float(name in reached) for name in STAGES} | {"proven": float(not stage)}
    more = {"prompt": "raw", "noise_tokens": length, "placement": placement, "metrics": metrics} | more
    return result(task, "failed" if stage else "passed", suite="shopping_admin", **more)


def results() -> list[Result]:
    plain = [played("a", 0), played("b", 0), played("c", 0), played("d", 0, "reasoning")]
    long = [played("a", 50_000), played("b", 50_000, "investigation"), played("c", 50_000, "decision")]
    return [*plain, *long, played("d", 50_000, "completed"), played("e", 50_000, "completed")]


def test_what_is_lost_is_counted_over_pairs_that_were_proven() -> None:
    plain, long = crossed(results())
    assert (plain.length, plain.proven, plain.paired, plain.lost, plain.change) == (0, 0.75, 0, {}, None)
    assert (long.length, long.paired, long.lost) == (50_000, 3, {"investigation": 1, "decision": 1})
    assert long.change is not None
    assert (long.change.before, long.change.after, long.change.tasks) == (0.75, 0.25, 4)
    assert [(stage.name, stage.count) for stage in long.funnel[:5]] == [
        ("cases", 5), ("completed", 3), ("investigation", 2), ("reasoning", 2), ("decision", 1),
    ]  # fmt: skip


def test_an_invalid_case_is_lost_for_no_stage() -> None:
    invalid = result("a", "invalid", suite="shopping_admin", prompt="raw", noise_tokens=9_000, placement="distraction")
    assert crossed([played("a", 0), invalid])[1].lost == {"invalid": 1}


def test_crossed_cases_have_a_row_of_their_own_and_no_order() -> None:
    known = [*results(), result("a", suite="shopping_admin", prompt="raw", metrics={"proven": 1.0})]
    rows = summarize(known)
    assert [(row.setting, row.cases) for row in rows] == [("", 1), ("crossed", 9)]
    random.Random(0).shuffle(known)
    assert summarize(known) == rows
    assert rows[0].crossed == ()


def test_settings_of_noise_are_rows_of_their_own() -> None:
    known = [result("a", noise_tokens=25_000, **more) for more in ({}, {"noise": "similar"}, {"needle": "last"})]
    assert [row.setting for row in summarize(known)] == ["", "needle last", "similar noise"]
