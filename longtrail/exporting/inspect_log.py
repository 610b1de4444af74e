"""Inspect log: a contender's episodes as a log of Inspect AI (`inspect view`, `inspect_ai.analysis`).

A case is a sample, a repeat an epoch, each measure a score with its reason. An invalid case is an error, not a score.
The messages are the prompt, and for each step the page that was shown, the thought, and the action as a tool call.
"""

import base64
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from longtrail.errors import UsageError
from longtrail.exporting.atif import arguments, page_text
from longtrail.records.observation import Observation
from longtrail.records.result import Result
from longtrail.records.trajectory import Contender, Trajectory, Usage
from longtrail.runs.attempts import file_stem
from longtrail.runs.store import Run

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample
    from inspect_ai.model import ChatMessage, ModelUsage

ENDINGS = (".eval", ".json")
PASSED = "passed"
"""The first score: whether the case passed."""


def write_logs(runs: Sequence[Run], path: Path) -> list[Path]:
    """One log for each run and contender: at `path` if there is one, else next to it, with their names in the file's.

    Raises UsageError without Inspect, or if the runs hold no result.
    """
    try:
        from inspect_ai.log import write_eval_log
    except ModuleNotFoundError as error:
        raise UsageError(f"{path}: an Inspect log needs Inspect AI; pip install 'longtrail[inspect]'") from error
    logs = [(run, *log) for run in runs for log in _logs(run)]
    if not logs:
        raise UsageError(f"{path}: there is no result to write")
    path.parent.mkdir(parents=True, exist_ok=True)
    paths = []
    for run, contender, log in logs:
        name = file_stem(f"{path.stem}-{run.folder.name}-{contender.label}") if len(logs) > 1 else path.stem
        paths.append(path.with_name(f"{name}{path.suffix}"))
        write_eval_log(log, str(paths[-1].absolute()))
    return paths


def _logs(run: Run) -> "Iterator[tuple[Contender, EvalLog]]":
    """A log for each contender of a run, whose files are read once."""
    results = {result.case.id: result for result in run.results()}
    samples: dict[str, list[EvalSample]] = {result.contender.label: [] for result in results.values()}
    for episode in run.episodes():
        if result := results.get(episode.case.id):
            samples[result.contender.label].append(_sample(run, episode, result))
    for label, members in samples.items():
        own = [result for result in results.values() if result.contender.label == label]
        yield own[0].contender, _log(run, own, members)


def _log(run: Run, results: "Sequence[Result]", samples: "list[EvalSample]") -> "EvalLog":
    from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalResults, EvalSpec, EvalStats

    contender = results[0].contender
    valid = [result for result in results if result.outcome != "invalid"]
    suites = sorted({result.case.suite for result in results})
    model = contender.model or f"agent/{contender.agent}"
    usage = sum((result.usage for result in results), Usage())
    dataset = EvalDataset(name="longtrail", samples=len(samples), sample_ids=[str(sample.id) for sample in samples])
    spec = EvalSpec(
        created=run.manifest.started,
        task=f"longtrail/{suites[0]}" if len(suites) == 1 else "longtrail",
        task_version=run.manifest.longtrail,
        dataset=dataset,
        model=model,
        solver=contender.agent,
        config=EvalConfig(epochs=max((result.case.repeat for result in results), default=0) + 1),
        packages={"longtrail": run.manifest.longtrail},
        metadata={"run": run.folder.name, "data": run.manifest.data, "profile": contender.profile},
    )
    return EvalLog(
        status="success",
        eval=spec,
        results=EvalResults(total_samples=len(samples), completed_samples=len(valid), scores=list(_means(valid))),
        stats=EvalStats(
            started_at=run.manifest.started,
            completed_at=datetime.fromtimestamp(run.results_file.stat().st_mtime, UTC).isoformat(),
            model_usage={model: _usage(usage)} if usage.calls else {},
        ),
        samples=samples,
    )


def _means(results: Sequence[Result]) -> Iterator[Any]:
    """The mean of each measure over the cases for which it is defined."""
    from inspect_ai.log import EvalMetric, EvalScore

    names = dict.fromkeys(name for result in results for name in result.metrics)
    values = {PASSED: [float(result.outcome == "passed") for result in results]}
    for name in names:
        values[name] = [number for result in results if (number := result.number(name)) is not None]
    for name, numbers in values.items():
        if numbers:
            metrics = {"mean": EvalMetric(name="mean", value=fmean(numbers))}
            yield EvalScore(name=name, scorer="longtrail", scored_samples=len(numbers), metrics=metrics)


def _sample(run: Run, episode: Trajectory, result: Result) -> "EvalSample":
    from inspect_ai.log import EvalError, EvalSample
    from inspect_ai.scorer import Score

    case, model = episode.case, episode.contender.model
    scores = {PASSED: Score(value=float(result.outcome == "passed"), explanation=result.reason)}
    for name, metric in result.metrics.items():
        if metric.value is not None:
            value = metric.value if isinstance(metric.value, str) else float(metric.value)
            scores[name] = Score(value=value, explanation=metric.reason)
    trouble = result.trouble if result.outcome == "invalid" else None
    return EvalSample(
        id=re.sub(rf"-r{case.repeat}(?=-|$)", "", case.id),
        epoch=case.repeat + 1,
        input=episode.prompt,
        target="",  # solutions stay out of files that may be published
        messages=list(_messages(run, episode)),
        scores=None if trouble else scores,
        metadata={name: value for name, value in case.model_dump(mode="json").items() if value is not None},
        model_usage={model: _usage(episode.usage)} if model and episode.usage.calls else {},
        total_time=episode.seconds,
        error=EvalError(message=trouble.message, traceback="", traceback_ansi="") if trouble else None,
    )


def _messages(run: Run, episode: Trajectory) -> "Iterator[ChatMessage]":
    """The prompt, then each step's page, thought and action; a page is the answer to the action before it."""
    from inspect_ai.model import ChatMessageAssistant, ChatMessageTool, ChatMessageUser
    from inspect_ai.tool import ToolCall

    yield ChatMessageUser(content=episode.prompt)
    called: ToolCall | None = None
    for number, step in enumerate(episode.steps, 1):
        page = _content(run, step.observation)
        if called is None:
            yield ChatMessageUser(content=page)
        else:
            yield ChatMessageTool(content=page, tool_call_id=called.id, function=called.function)
        action = step.action
        called = ToolCall(id=f"step-{number}", function=action.type, arguments=arguments(step)) if action else None
        calls = [called] if called else None
        yield ChatMessageAssistant(content=step.thought or step.raw, tool_calls=calls, model=episode.contender.model)


def _content(run: Run, observation: Observation) -> Any:
    """The page as text, with its screenshot if one was taken."""
    from inspect_ai.model import ContentImage, ContentText

    text = page_text(observation)
    picture = run.shots / observation.screenshot if observation.screenshot else None
    if picture is None or not picture.is_file():
        return text
    data = base64.b64encode(picture.read_bytes()).decode("ascii")
    return [ContentText(text=text), ContentImage(image=f"data:image/webp;base64,{data}")]


def _usage(usage: Usage) -> "ModelUsage":
    from inspect_ai.model import ModelUsage

    return ModelUsage(
        input_tokens=usage.prompt_tokens - usage.cached_tokens,
        input_tokens_cache_read=usage.cached_tokens,
        output_tokens=usage.completion_tokens,
        total_tokens=usage.prompt_tokens + usage.completion_tokens,
        total_cost=usage.usd,
    )
