"""Inspect logs and ATIF files of a real run, read by Inspect itself and by ATIF's rules."""

import json
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog, EvalSample, read_eval_log

from longtrail.commands.main import main
from longtrail.exporting.inspect_log import PASSED
from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import Done
from tests.report.conftest import KEY

STEP = {"step_id", "source", "message", "tool_calls", "observation", "metrics", "llm_call_count", "extra"}
"""Fields of an ATIF step that are written. The format is closed: a field that it doesn't know is an error."""


def exported(run: Run, path: Path) -> tuple[EvalLog, EvalSample]:
    assert main(["export", str(run.folder), "--out", str(path)]) == 0
    log = read_eval_log(str(path))
    assert log.samples
    return log, log.samples[0]


@pytest.mark.parametrize("ending", ["eval", "json"])
def test_a_case_is_a_sample_and_each_measure_a_score(real: tuple[Run, Done], tmp_path: Path, ending: str) -> None:
    run, path = real[0], tmp_path / f"run.{ending}"
    log, sample = exported(run, path)
    (episode,), (result,) = run.episodes(), run.results()
    assert (log.status, log.eval.model, log.eval.solver) == ("success", "openai/scripted-careful", "webagent")
    assert (sample.id, sample.epoch) == (result.case.id.replace("-r0", ""), 1)
    assert sample.scores
    assert sample.scores[PASSED].value == 0
    assert sample.scores[PASSED].explanation == result.reason
    assert sample.scores["decision"].value == result.metrics["decision"].value
    calls = [call.function for message in sample.messages for call in getattr(message, "tool_calls", None) or ()]
    assert calls == [step.action.type for step in episode.steps if step.action]
    assert sample.model_usage["openai/scripted-careful"].output_tokens == episode.usage.completion_tokens
    assert log.results
    assert log.results.scores[0].metrics["mean"].value == 0
    assert KEY.encode() not in path.read_bytes()


def test_an_invalid_case_is_an_error_and_has_no_score(real: tuple[Run, Done], tmp_path: Path) -> None:
    from longtrail.exporting import inspect_log
    from longtrail.records.trajectory import Trouble

    run = real[0]
    (episode,), (result,) = run.episodes(), run.results()
    trouble = Trouble(kind="llm_server", message="the server is down")
    invalid = result.model_copy(update={"outcome": "invalid", "trouble": trouble})
    sample = inspect_log._sample(run, episode, invalid)
    assert sample.scores is None
    assert sample.error
    assert sample.error.message == "the server is down"


def test_an_episode_is_an_atif_trajectory(
    real: tuple[Run, Done], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = real[0]
    assert main(["export", str(run.folder), "--atif", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"1 episodes in {tmp_path}\n"
    (path,) = tmp_path.rglob("*.json")
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    (episode,), (result,) = run.episodes(), run.results()
    assert document["schema_version"] == "ATIF-v1.8"
    steps = document["steps"]
    assert [step["step_id"] for step in steps] == list(range(1, len(episode.steps) + 2))
    assert [step["source"] for step in steps] == ["user", *["agent"] * len(episode.steps)]
    assert all(set(step) <= STEP for step in steps)
    assert episode.steps[0].observation.text in steps[0]["observation"]["results"][0]["content"]
    for step, played in zip(steps[1:], episode.steps, strict=True):
        assert [call["function_name"] for call in step.get("tool_calls", [])] == [
            action.type for action in (played.action,) if action
        ]
        assert step["llm_call_count"] == played.usage.calls
    made = {call["tool_call_id"] for step in steps for call in step.get("tool_calls", [])}
    answered = {
        found.get("source_call_id") for step in steps[1:] for found in step.get("observation", {}).get("results", [])
    }
    assert answered <= made | {None}
    assert document["final_metrics"]["total_prompt_tokens"] == episode.usage.prompt_tokens
    assert document["extra"]["outcome"] == result.outcome


def test_another_ending_is_one_line(real: tuple[Run, Done], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(real[0].folder), "--out", str(tmp_path / "run.txt")]) == 4
    assert "expected a file that ends in .csv, .parquet, .eval or .json" in capsys.readouterr().err
