"""Case line: a short summary of a case, sent from worker to controller as JSON."""

from collections.abc import Iterable

from longtrail.records.record import Record
from longtrail.records.result import Outcome3, Result, Value
from longtrail.records.trajectory import Suite
from longtrail.report.text import clip, plain
from longtrail.runs.store import file_stem

PROPERTY = "longtrail"
"""Name of the user property that carries the line; its value is the line's JSON (xdist passes plain types only)."""


def trace_href(case_id: str) -> str:
    """Path of a case's trace page in the run's folder."""
    return f"traces/{file_stem(case_id)}.html"


def properties(result: Result) -> list[tuple[str, str | int | float]]:
    """A result as properties of its test, which JUnit XML shows: outcome, figures, every defined measure (yes and no
    as 1 and 0)."""
    told: dict[str, Value] = {
        "outcome": result.outcome,
        "stage": result.stage,
        "reason": clip(result.reason, 500),
        "model": result.contender.model,
        "steps": result.steps,
        "prompt_tokens": result.usage.prompt_tokens,
        "completion_tokens": result.usage.completion_tokens,
        "usd": result.usage.usd,
        "trace": trace_href(result.case.id),
        **{f"measure.{name}": metric.value for name, metric in sorted(result.metrics.items())},
    }
    return [(f"{PROPERTY}.{name}", _plain(value)) for name, value in told.items() if value is not None]


def _plain(value: bool | int | float | str) -> str | int | float:
    return plain(value) if isinstance(value, str) else int(value) if isinstance(value, bool) else value


class CaseLine(Record):
    """One case in one line."""

    id: str
    suite: Suite
    contender: str
    task: str = ""
    agent: str = ""
    model: str = ""
    """Empty: the agent uses no model of `--model`."""
    outcome: Outcome3
    reason: str
    stage: str = ""
    steps: int = 0
    tokens: int = 0
    """Prompt and completion together."""
    usd: float | None = 0.0
    """None: the price is unknown."""
    seconds: float = 0.0
    trace: str = ""

    @classmethod
    def from_result(cls, result: Result, trace: str | None = None) -> "CaseLine":
        """The line of a result; `trace` is its page's path, by default the one that `write_trace` uses."""
        return cls(
            id=result.case.id,
            suite=result.case.suite,
            contender=result.contender.label,
            task=result.case.task,
            agent=result.contender.agent,
            model=result.contender.model or "",
            outcome=result.outcome,
            reason=clip(result.reason, 500),
            stage=result.stage,
            steps=result.steps,
            tokens=result.usage.prompt_tokens + result.usage.completion_tokens,
            usd=result.usage.usd,
            seconds=result.seconds,
            trace=trace_href(result.case.id) if trace is None else trace,
        )

    @classmethod
    def of(cls, user_properties: Iterable[tuple[str, object]]) -> "CaseLine | None":
        """The line among a test report's user properties: the last one, because reruns add another. None: the test
        plays no case."""
        found = [value for name, value in user_properties if name == PROPERTY and isinstance(value, str)]
        return cls.model_validate_json(found[-1]) if found else None
