"""Spans: a run's episodes as OpenTelemetry traces by the conventions for generative AI (Phoenix, Langfuse, Jaeger ...)

    invoke_agent AGENT        an episode, with its case, outcome and measures
      chat MODEL              a model call, with tokens, and messages if the run stored them
      execute_tool ACTION     an action in the browser, with its arguments and outcome

An episode records how long each step took, not when. So it is taken to end when its file was written, with its steps
one after the other.
"""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

from longtrail.errors import UsageError
from longtrail.records.result import Result
from longtrail.records.trajectory import Step, Trajectory, Usage
from longtrail.report.text import clip
from longtrail.runs.model_calls import ModelCall, read_calls
from longtrail.runs.store import Run

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Tracer

NANO = 1_000_000_000
LONGEST = 20_000
"""Maximum characters of a message in a span."""
Attributes = dict[str, Any]


def exporter(endpoint: str) -> "SpanExporter":
    """Sends spans to an OTLP server over HTTP: `http://127.0.0.1:4318`. Raises UsageError without the extra."""
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    except ModuleNotFoundError as error:
        raise UsageError("--otlp needs OpenTelemetry; pip install 'longtrail[otel]'") from error
    if not endpoint.startswith(("http://", "https://")):
        raise UsageError(f"--otlp {endpoint}: expected an address like http://127.0.0.1:4318")
    path = "" if endpoint.rstrip("/").endswith("/v1/traces") else "/v1/traces"
    return OTLPSpanExporter(endpoint=f"{endpoint.rstrip('/')}{path}")


def send(run: Run, to: "SpanExporter") -> int:
    """Send every episode of a run; returns how many. Raises UsageError if the server doesn't accept them."""
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult

    batch: list[bool] = []

    class Noting(SimpleSpanProcessor):
        """Records whether the server accepted each batch."""

        def on_end(self, span: Any) -> None:
            batch.append(self.span_exporter.export((span,)) is SpanExportResult.SUCCESS)

    provider = TracerProvider(resource=Resource.create({"service.name": "longtrail", "longtrail.run": run.folder.name}))
    provider.add_span_processor(Noting(to))
    results = {result.case.id: result for result in run.results()}
    tracer, count = provider.get_tracer("longtrail", run.manifest.longtrail), 0
    for episode in run.episodes():
        _episode(tracer, run, episode, results.get(episode.case.id))
        count += 1
        if not all(batch):
            raise UsageError(
                f"the server accepted {sum(batch)} of {len(batch)} spans; check that it runs and speaks OTLP"
            )
    provider.shutdown()
    return count


def _episode(tracer: "Tracer", run: Run, episode: Trajectory, result: Result | None) -> None:
    from opentelemetry.trace import Status, StatusCode, set_span_in_context

    end = _ended(run, episode)
    start = end - int(episode.seconds * NANO)
    case, contender = episode.case, episode.contender
    root = tracer.start_span(
        f"invoke_agent {contender.agent}",
        start_time=start,
        attributes=_defined(
            {
                "gen_ai.operation.name": "invoke_agent",
                "gen_ai.agent.name": contender.agent,
                "gen_ai.conversation.id": case.id,
                "gen_ai.request.model": contender.model,
                "gen_ai.provider.name": _provider(contender.model),
                "gen_ai.response.model": episode.provenance.model_reported,
                "gen_ai.input.messages": _messages([("user", episode.prompt)]),
                **_usage(episode.usage),
                **{f"longtrail.{name}": value for name, value in case.model_dump(mode="json").items() if name != "id"},
                **(_result_attributes(result) if result else {}),
            }
        ),
    )
    if result is not None and result.outcome == "invalid":
        root.set_status(Status(StatusCode.ERROR, clip(result.reason, 500)))
    context, now = set_span_in_context(root), start
    calls = read_calls(run.folder, case.id, episode.attempt).by_place
    for number, step in enumerate(episode.steps, 1):
        for name, seconds, attributes, failed in _parts(step, calls.get(number, ()), contender.model):
            span = tracer.start_span(name, context=context, start_time=now, attributes=_defined(attributes))
            span.set_attribute("longtrail.step", number)
            if failed:
                span.set_status(Status(StatusCode.ERROR, clip(failed, 500)))
            now = min(now + int(seconds * NANO), end)
            span.end(end_time=now)
    root.end(end_time=end)


def _ended(run: Run, episode: Trajectory) -> int:
    path = run.episode_files(episode.case.id).get(episode.attempt)
    if path is not None:
        return int(path.stat().st_mtime * NANO)
    return int(datetime.fromisoformat(run.manifest.started).timestamp() * NANO)


def _parts(step: Step, calls: tuple[ModelCall, ...], model: str | None) -> Iterator[tuple[str, float, Attributes, str]]:
    """Name, seconds, attributes and error of each part of a step: its model calls, then its action."""
    name, provider = f"chat {model or 'model'}", _provider(model)
    chat: Attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": model,
        "gen_ai.provider.name": provider,
    }
    for call in calls:
        messages = [(message.role, message.text) for message in call.messages]
        response = {
            "gen_ai.response.model": call.model,
            "gen_ai.response.finish_reasons": [call.finish_reason],
            "gen_ai.input.messages": _messages(messages),
            "gen_ai.output.messages": _messages([("assistant", call.reply)]),
        }
        yield name, call.seconds, {**chat, **response, **_usage(call.usage)}, ""
    if not calls and step.usage.calls:
        yield name, step.timing.model, {**chat, **_usage(step.usage)}, ""
    kind = step.action.type if step.action else "none"
    tool = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": kind,
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.arguments": step.action.model_dump_json() if step.action else None,
        "gen_ai.tool.call.result": clip(step.outcome.error or step.outcome.url, LONGEST),
        "url.full": step.observation.url,
        "longtrail.thought": clip(step.thought, LONGEST),
    }
    yield f"execute_tool {kind}", step.timing.browser, tool, "" if step.outcome.ok else step.outcome.error


def _result_attributes(result: Result) -> Attributes:
    """Outcome and measures."""
    return {
        "longtrail.outcome": result.outcome,
        "longtrail.reason": result.reason,
        "longtrail.stage": result.stage,
        **{f"longtrail.measure.{name}": value for name, value in result.values.items()},
    }


def _usage(usage: Usage) -> Attributes:
    if not usage.calls:
        return {}
    return {
        "gen_ai.usage.input_tokens": usage.prompt_tokens,
        "gen_ai.usage.output_tokens": usage.completion_tokens,
        "gen_ai.usage.cache_read.input_tokens": usage.cached_tokens,
        "longtrail.usd": usage.usd,
    }


def _provider(model: str | None) -> str | None:
    """The provider in litellm's model name: `openai` in `openai/gpt-4.1`."""
    return model.partition("/")[0] if model and "/" in model else None


def _messages(messages: list[tuple[str, str]]) -> str:
    """Messages in the conventions' form, as JSON."""
    return json.dumps(
        [{"role": role, "parts": [{"type": "text", "content": clip(text, LONGEST)}]} for role, text in messages],
        ensure_ascii=False,
    )


def _defined(attributes: Attributes) -> Attributes:
    return {name: value for name, value in attributes.items() if value is not None and value != ""}
