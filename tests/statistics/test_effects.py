"""Effects: by hand, over tasks that have both conditions, and never from an unpaired task."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longtrail.records.result import Result
from longtrail.statistics.aggregate import summarize
from longtrail.statistics.effects import crossed, effect, guidance, history
from longtrail.statistics.paired import Stratum, between_tasks_interval
from tests.statistics.test_aggregate import result


def decided(task: str, prompt: str, proven: float, repeat: int = 0, **more: Any) -> Result:
    metrics = {"proven": proven, "decision": proven, "completed": True}
    return result(task, repeat=repeat, suite="shopping_admin", prompt=prompt, metrics=metrics, **more)


def test_guidance_is_paired_by_task() -> None:
    results = [decided("a", "raw", 0.0), decided("b", "raw", 0.5), decided("c", "raw", 1.0)]
    results += [decided("a", "hint", 1.0), decided("b", "hint", 0.5), decided("d", "hint", 0.0)]
    found = guidance(results)
    assert set(found) == {"raw to hint"}
    proven = found["raw to hint"]["proven"]
    assert (proven.change, proven.before, proven.after, proven.tasks) == (0.5, 0.25, 0.75, 2)
    strata = [Stratum("a", (0.0,), (1.0,)), Stratum("b", (0.5,), (0.5,))]
    assert (proven.low, proven.high) == between_tasks_interval(strata, rate=True)
    assert found["raw to hint"]["completed"].change == 0.0
    assert "investigation" not in found["raw to hint"]


def test_three_prompts_make_three_comparisons() -> None:
    results = [decided("a", prompt, value) for prompt, value in (("raw", 0.0), ("hint", 0.5), ("explicit", 1.0))]
    found = guidance(results)
    assert [(name, found[name]["proven"].change) for name in found] == [
        ("raw to hint", 0.5),
        ("raw to explicit", 1.0),
        ("hint to explicit", 0.5),
    ]
    row = summarize(results)[0]
    assert row.guidance == found
    assert row.effects == {}


def test_an_invalid_case_is_no_success() -> None:
    before = [decided("a", "raw", 1.0)]
    after = [result("a", "invalid", suite="shopping_admin", prompt="hint")]
    proven = effect(before, after, "proven")
    assert proven is not None
    assert proven.change == -1.0
    assert effect(before, after, "hallucinates") is None
    assert effect(before, [decided("b", "hint", 1.0)], "proven") is None


def test_what_the_move_does_and_what_the_tokens_do() -> None:
    results = []
    for task in "abcd":
        results += [result(task, noise_tokens=0), result(task, noise_tokens=0, relocated=True)]
        results += [result(task, "failed" if task in "ab" else "passed", noise_tokens=25_000)]
        results += [result(task, "failed", noise_tokens=150_000)]
    found = history(results)
    assert {name: one.change for name, one in found.items()} == {"relocated": 0.0, "25000": -0.5, "150000": -1.0}
    assert list(found) == ["relocated", "25000", "150000"]
    assert summarize(results)[0].effects == found
    assert history([one for one in results if one.case.noise_tokens]) == {}


VALUES = st.dictionaries(st.sampled_from("abcdef"), st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1)


@given(VALUES)
def test_turning_the_conditions_round_turns_the_sign(values: dict[str, tuple[float, float]]) -> None:
    raw = [decided(task, "raw", before) for task, (before, _) in values.items()]
    hint = [decided(task, "hint", after) for task, (_, after) in values.items()]
    one, other = effect(raw, hint, "proven"), effect(hint, raw, "proven")
    assert one is not None
    assert other is not None
    assert -1 <= one.low <= one.change + 1e-9
    assert one.change - 1e-9 <= one.high <= 1
    assert (one.change, one.low, one.high) == pytest.approx((-other.change, -other.high, -other.low))


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
