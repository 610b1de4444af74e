"""Exports of a real run: tables (CSV, Parquet), Inspect logs, ATIF files, and OpenTelemetry traces."""

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from pyarrow import parquet
from werkzeug import Request, Response

from longtrail.commands.main import main
from longtrail.errors import UsageError
from longtrail.exporting.inspect_log import PASSED
from longtrail.exporting.result_table import rows, write_table
from longtrail.records.trajectory import Contender
from longtrail.runs.store import Run
from tests.episode.flask_shop import served
from tests.pytest_plugin.pytest_process import Done
from tests.report.conftest import KEY
from tests.report.factory import LONG_TASKS, SHOP, decisions, long_context

RESULTS = [*list(long_context(1, LONG_TASKS[:2])), *list(decisions("shopping_admin", SHOP[:2], 1))]


def test_csv_and_parquet_hold_the_same_rows(tmp_path: Path) -> None:
    table = rows("r", RESULTS)
    for ending in ("csv", "parquet"):
        write_table(table, tmp_path / "deep" / f"results.{ending}")
    with (tmp_path / "deep" / "results.csv").open(encoding="utf-8", newline="") as file:
        as_csv = list(csv.DictReader(file))
    as_parquet = parquet.read_table(tmp_path / "deep" / "results.parquet").to_pylist()
    assert len(as_csv) == len(as_parquet) == len(RESULTS)
    for result, text, typed in zip(RESULTS, as_csv, as_parquet, strict=True):
        assert text["case"] == typed["case"] == result.case.id
        assert typed["usd"] == result.usage.usd
        for name, metric in result.metrics.items():
            assert text[name] == ("" if metric.value is None else str(metric.value))
            assert typed[name] == metric.value
    assert as_parquet[0]["proven"] is None, "a measure of the other suite"


def test_no_cell_is_a_formula(tmp_path: Path) -> None:
    evil = Contender(agent="=cmd|' /C calc'!A0", model="@SUM(1)", profile="+1", options={})
    write_table(rows("-1", [RESULTS[0].model_copy(update={"contender": evil})]), tmp_path / "x.csv")
    with (tmp_path / "x.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert [row[name][:2] for name in ("agent", "model", "profile", "run")] == ["'=", "'@", "'+", "'-"]


@pytest.mark.parametrize(("name", "table"), [("x.xlsx", rows("r", RESULTS)), ("x.csv", [])])
def test_what_can_not_be_written_is_one_line(name: str, table: list[object], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=name):
        write_table(table, tmp_path / name)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_the_command(real: tuple[Run, Done], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "results.csv"
    assert main(["export", str(real[0].folder), "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"1 results in {out}\n"
    assert "pw-025-raw-r0" in out.read_text()
    assert main(["export", str(real[0].folder)]) == 4
    assert "expected --out FILE, --atif FOLDER or --otlp URL" in capsys.readouterr().err


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


@dataclass
class Collector:
    """An OTLP server that keeps what it receives."""

    url: str = ""
    status: int = 200
    bodies: list[bytes] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    def answer(self, request: Request) -> Response:
        self.bodies.append(request.get_data())
        self.paths.append(request.path)
        return Response(status=self.status)

    def spans(self) -> list[Any]:
        received = [ExportTraceServiceRequest.FromString(body) for body in self.bodies]
        scopes = [scope for one in received for resource in one.resource_spans for scope in resource.scope_spans]
        return [span for scope in scopes for span in scope.spans]


@pytest.fixture
def collector() -> Iterator[Collector]:
    collector = Collector()
    with served(Request.application(collector.answer)) as collector.url:
        yield collector


def attributes(span: Any) -> dict[str, Any]:
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in span.attributes}


def test_an_episode_is_an_agent_its_calls_and_its_actions(
    real: tuple[Run, Done], collector: Collector, capsys: pytest.CaptureFixture[str]
) -> None:
    run = real[0]
    assert main(["export", str(run.folder), "--otlp", collector.url]) == 0
    assert capsys.readouterr().out == f"1 episodes sent to {collector.url}\n"
    assert set(collector.paths) == {"/v1/traces"}
    (episode,), spans = run.episodes(), collector.spans()
    (root,) = [span for span in spans if not span.parent_span_id]
    message = attributes(root)
    assert root.name == "invoke_agent webagent"
    assert message["gen_ai.operation.name"] == "invoke_agent"
    assert message["gen_ai.request.model"] == "openai/scripted-careful"
    assert message["gen_ai.provider.name"] == "openai"
    assert message["longtrail.outcome"] == "failed"
    assert message["longtrail.measure.decision"] == 0.0
    assert message["gen_ai.usage.input_tokens"] == episode.usage.prompt_tokens
    inner = [span for span in spans if span.parent_span_id]
    assert {span.parent_span_id for span in inner} == {root.span_id}
    assert {span.trace_id for span in inner} == {root.trace_id}
    assert all(root.start_time_unix_nano <= span.start_time_unix_nano for span in inner)
    assert all(span.start_time_unix_nano <= span.end_time_unix_nano <= root.end_time_unix_nano for span in inner)
    tools = [attributes(span) for span in inner if span.name.startswith("execute_tool")]
    assert [tool["gen_ai.tool.name"] for tool in tools] == [
        s.action.type if s.action else "none" for s in episode.steps
    ]
    calls = [attributes(span) for span in inner if span.name == "chat openai/scripted-careful"]
    assert len(calls) == episode.usage.calls
    assert sum(call["gen_ai.usage.input_tokens"] for call in calls) == episode.usage.prompt_tokens
    assert json.loads(calls[0]["gen_ai.output.messages"])[0]["role"] == "assistant"
    assert not any(KEY.encode() in body for body in collector.bodies)


def test_a_server_that_takes_nothing_is_one_line(
    real: tuple[Run, Done], collector: Collector, capsys: pytest.CaptureFixture[str]
) -> None:
    collector.status = 400
    assert main(["export", str(real[0].folder), "--otlp", collector.url]) == 4
    assert "the server accepted 0 of" in capsys.readouterr().err
    assert main(["export", str(real[0].folder), "--otlp", "localhost"]) == 4
    assert "expected an address" in capsys.readouterr().err
