"""The progress of a session: one line per finished case, and how long the rest will take."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from longtrail.llm.call_book import CallState
from longtrail.llm.limits import CallLimits
from longtrail.records.record import Record
from longtrail.records.result import CaseOutcome, Result, Value
from longtrail.records.trajectory import Suite
from longtrail.report.figures import seconds, tokens, usd
from longtrail.report.text import clip, plain
from longtrail.runs.attempts import file_stem

PROPERTY = "longtrail"
"""Name of the user property that carries the line; its value is the line's JSON (xdist passes plain types only)."""


def trace_href(case_id: str) -> str:
    """Path of a case's trace page in the run's folder."""
    return f"traces/{file_stem(case_id)}.html"


def properties(result: Result) -> list[tuple[str, str | int | float]]:
    """A result as properties of its test, which JUnit XML shows: outcome, figures, every defined measure (yes and no
    as 1 and 0)."""
    values: dict[str, Value] = {
        "outcome": result.outcome,
        "stage": result.stage,
        "reason": clip(result.reason, 500),
        "model": result.contender.model,
        "steps": result.steps,
        "prompt_tokens": result.usage.prompt_tokens,
        "completion_tokens": result.usage.completion_tokens,
        "usd": result.usage.usd,
        "trace": trace_href(result.case.id),
        **{f"measure.{name}": value for name, value in sorted(result.values.items())},
    }
    return [(f"{PROPERTY}.{name}", _plain(value)) for name, value in values.items() if value is not None]


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
    outcome: CaseOutcome
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
        notes = [value for name, value in user_properties if name == PROPERTY and isinstance(value, str)]
        return cls.model_validate_json(notes[-1]) if notes else None


MOST = 4
"""Maximum number of running cases that the live line names; others are only counted."""


@dataclass(slots=True)
class RunProgress:
    """How far a session has come. A case that is reported again (a retry) replaces its earlier line."""

    total: int = 0
    workers: int = 1
    """How many cases may be under way at once."""
    lines: dict[str, CaseLine] = field(default_factory=dict)
    ends: list[float] = field(default_factory=list)
    """When each case ended, in seconds since the session began."""

    def add(self, line: CaseLine, elapsed: float = 0.0) -> None:
        """Record a finished case."""
        if line.id not in self.lines:
            self.ends.append(elapsed)
        self.lines[line.id] = line

    @property
    def _finished(self) -> list[CaseLine]:
        """A copy: the live line is drawn in a thread of its own."""
        return list(self.lines.values())

    def count(self, outcome: str) -> int:
        """Finished cases with this outcome."""
        return sum(line.outcome == outcome for line in self._finished)

    @property
    def tokens(self) -> int:
        """Of the finished cases."""
        return sum(line.tokens for line in self._finished)

    @property
    def usd(self) -> float | None:
        """Cost of the finished cases in USD; None if any price is unknown."""
        prices = [line.usd for line in self._finished]
        return None if None in prices else sum(price or 0.0 for price in prices)

    def time_left(self, elapsed: float) -> float | None:
        """Seconds until the rest is done; None: not yet known. Based on the pace of the latest cases. Until each
        worker has finished two cases, based on a worker's time per case, because start-up time occurs only once.
        """
        done, left = len(self.ends), self.total - len(self.lines)
        if not done or left <= 0:
            return None
        workers = max(1, min(self.workers, self.total))
        window = max(2 * workers, 10)
        if done > 2 * workers:
            first = max(workers, done - window)  # from this case on, no worker is starting
            return left * (elapsed - self.ends[first - 1]) / (done - first)
        taken = sorted(line.seconds for line in self._finished)
        return taken[(len(taken) - 1) // 2] * left / workers


def progress_line(
    progress: RunProgress, elapsed: float, running: Mapping[str, int] | None = None, limits: str = ""
) -> str:
    """`37/120 · 31 passed · 4 failed · 2 invalid · 1.2M tokens · $3.41 · 6 min 20 s left`, after `elapsed` seconds.

    `running`: cases that are being played, with their steps so far (0: nobody knows).
    `limits`: what is told of the limits of model calls.
    """
    parts = [f"{len(progress.lines)}/{progress.total}"]
    parts += [f"{progress.count(outcome)} {outcome}" for outcome in ("passed", "failed", "invalid")]
    if used := progress.tokens:
        price = progress.usd
        parts += [f"{tokens(used)} tokens", "cost unknown" if price is None else usd(price)]
    if (left := progress.time_left(elapsed)) is not None:
        parts.append(f"{seconds(left)} left")
    if limits:
        parts.append(limits)
    if running:
        parts.append(f"now {_running(list(running.items()))}")
    return " · ".join(parts)


def limits_line(state: CallState, limits: CallLimits) -> str:
    """`58 of 60 requests a minute, 3 wait · gpt-4.1: 4 calls at once (429), again in 12 s`; empty if nothing limits."""
    used = [(state.requests, limits.rpm, "requests"), (state.tokens, limits.tpm, "tokens")]
    parts = [f"{tokens(made)} of {tokens(most)} {unit}" for made, most, unit in used if most]
    sentences = (
        [" and ".join(parts) + " a minute" + (f", {state.waiting} wait" if state.waiting else "")] if parts else []
    )
    if limits.budget:
        sentences.append(f"{usd(state.spent)} of {usd(limits.budget)}")
    for model, allowed, pause in state.slowed:
        again = f", again in {pause:.0f} s" if pause >= 1 else ""
        sentences.append(f"{model}: {allowed} call{'s' if allowed > 1 else ''} at once (429){again}")
    return " · ".join(sentences)


def _running(cases: Sequence[tuple[str, int]]) -> str:
    labels = [f"{clip(plain(case), 48)}" + (f" (step {steps})" if steps else "") for case, steps in cases[:MOST]]
    more = [f"{len(cases) - MOST} more"] if len(cases) > MOST else []
    return ", ".join([*labels, *more])
