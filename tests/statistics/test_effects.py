"""Effects: by hand, over tasks that have both conditions, and never from an unpaired task."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longtrail.records.result import Result
from longtrail.statistics.aggregate import summarize
from longtrail.statistics.effects import effect, guidance, history
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
