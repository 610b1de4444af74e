"""Spans: a real episode as an OpenTelemetry trace, as an OTLP server receives it."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from longtrail.commands.main import main
from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import Done
from tests.report.conftest import KEY


class Collector(ThreadingHTTPServer):
    """An OTLP server that keeps what it receives."""

    def __init__(self, status: int = 200) -> None:
        self.status, self.bodies, self.paths = status, list[bytes](), list[str]()
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def spans(self) -> list[Any]:
        spans_found = []
        for body in self.bodies:
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                spans_found += [span for scope in resource.scope_spans for span in scope.spans]
        return spans_found


class Handler(BaseHTTPRequestHandler):
    """Keeps the body of each request."""

    def do_POST(self) -> None:
        server = self.server
        assert isinstance(server, Collector)
        server.bodies.append(self.rfile.read(int(self.headers["content-length"])))
        server.paths.append(self.path)
        self.send_response(server.status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def collector() -> Iterator[Collector]:
    server = Collector()
    yield server
    server.shutdown()
    server.server_close()


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
