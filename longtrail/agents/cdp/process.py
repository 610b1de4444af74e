"""Process: starts an agent that drives the browser itself (`--agent cdp:package.module:function` or
`--agent "cdp:COMMAND ..."`).

It runs in its own process with its own browser. Its standard input holds one JSON object (`TaskMessage`) with the task
and the browser's CDP address. Its answer is the last line of its standard output, one JSON object (`AgentReport`). A
Python function gets the TaskMessage and returns an AgentReport, a dictionary of its fields, or the answer's text; it
may be async.
"""

import contextlib
import os
import re
import shlex
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from longtrail.browser.guardian import GUARDIAN
from longtrail.errors import AgentError, HarnessTrouble, UsageError
from longtrail.records.action import Action, Decide, Evidence, Finish
from longtrail.records.record import Record
from longtrail.records.trajectory import Usage

AGENT_SECONDS = 900.0
"""Longest time for one phase (option `timeout`)."""
MAX_OUTPUT = 4_000_000
"""How many bytes at the end of the standard output are read."""
KILLS = frozenset({signal.SIGKILL, signal.SIGTERM}) if os.name != "nt" else frozenset()
"""Signals that the system (out of memory), a service manager or a person may send."""
_EXCEPTION = re.compile(r"(Uncaught )?[\w.]*(Error|Exception|Rejection)\b( \[\w+\])?:")


class TaskMessage(Record):
    """What the agent receives."""

    prompt: str
    """The complete task."""
    cdp: str
    """`http://127.0.0.1:PORT`: connect to it; the default context's first page shows where the task begins."""
    history: str = ""
    """Tasks done earlier, as text."""
    decisions: tuple[str, ...] = ()
    """In decision tasks: choose one of these."""
    step_limit: int
    """Maximum number of pages and actions, as observed from outside."""
    seconds: float
    """Time limit in seconds; then the agent is stopped."""
    options: dict[str, Any] = {}
    """`--agent-arg KEY=VALUE`."""
    model: str | None = None
    """`--model`, where one is given."""


class AgentReport(BaseModel):
    """The agent's final answer; other keys are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    answer: str = Field(default="", max_length=20_000)
    decision: str = Field(default="", max_length=80)
    justification: str = Field(default="", max_length=20_000)
    evidence: tuple[Evidence, ...] = ()
    response: str = Field(default="", max_length=20_000)
    thought: str = Field(default="", max_length=100_000)
    usage: Usage = Usage(usd=None)
    model: str = Field(default="", max_length=200)

    def action(self) -> Action:
        """The answer as the last action of the episode."""
        if self.decision:
            return Decide(
                decision=self.decision,
                justification=self.justification or self.answer,
                evidence=self.evidence,
                response=self.response,
            )
        return Finish(answer=self.answer)


class RunningAgent(Protocol):
    """An agent that plays a phase in a browser of its own: a program, or a person."""

    @property
    def timed_out(self) -> bool:
        """Whether its time limit is reached."""

    def wait(self, seconds: float) -> bool:
        """Wait at most so long. Returns whether it has ended."""

    def step_observed(self, steps: int) -> float:
        """A step was observed; `steps` is their number. Returns the seconds that a person took for it."""

    def report(self) -> tuple[AgentReport | None, str]:
        """Its answer, and that as text."""

    def close(self) -> None:
        """End it."""


class AgentProcess:
    """The agent's process."""

    def __init__(self, words: list[str], message: TaskMessage, folder: Path) -> None:
        """`folder`: for its temporary files; it is the browser's, which removes it."""
        self._folder = folder
        self._out, self._err = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115 (`close` does)
        self._end = time.monotonic() + message.seconds
        try:
            self._process = self._start(words, message)
        except OSError as error:
            self._close_files()
            raise UsageError(f"agent {shlex.join(words)!r} can't be started: {error.strerror}") from error
        GUARDIAN.watch(self._process.pid, folder)

    def _start(self, words: list[str], message: TaskMessage) -> "subprocess.Popen[bytes]":
        with tempfile.TemporaryFile() as stdin:  # a pipe would block us if the program does not read it
            stdin.write(message.model_dump_json().encode() + b"\n")
            stdin.seek(0)
            return subprocess.Popen(  # noqa: S603 (the user's own command)
                words,
                stdin=stdin,
                stdout=self._out,
                stderr=self._err,
                start_new_session=True,
                env={**os.environ, "TMPDIR": str(self._folder)},
            )

    def wait(self, seconds: float) -> bool:
        """Wait at most so long. Returns whether it has ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return self._process.poll() is not None

    @property
    def timed_out(self) -> bool:
        """Whether its time limit is reached."""
        return time.monotonic() > self._end

    def step_observed(self, steps: int) -> float:  # noqa: ARG002 (a program is not told)
        """0: only a person's seconds are reported."""
        return 0.0

    def report(self) -> tuple[AgentReport | None, str]:
        """Its AgentReport (None if the last line of its output is no valid one) and that line.

        Raises AgentError if the process failed; HarnessTrouble(worker_crash) if a signal killed it, as the sender is
        unknown.
        """
        if -self._process.returncode in KILLS:
            name = signal.Signals(-self._process.returncode).name
            raise HarnessTrouble("worker_crash", f"the agent's program was ended by {name}; what sent it is unknown")
        if self._process.returncode:
            errors = _tail(self._err)
            raise AgentError(f"the agent ended with code {self._process.returncode}: {_error_line(errors)}", errors)
        line = next((line for line in reversed(_tail(self._out).splitlines()) if line.strip()), "")
        try:
            return AgentReport.model_validate_json(line), line
        except ValidationError:
            return None, line

    def close(self) -> None:
        """End the process and all that it has started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        GUARDIAN.release(self._process.pid)
        self._close_files()

    def _close_files(self) -> None:
        self._out.close()
        self._err.close()


def _error_line(errors: str) -> str:
    """The line of standard error that names the error: the last one that begins like an exception, otherwise the last
    one. Node prints its stack and its version after that line."""
    lines = [line.rstrip() for line in errors.splitlines() if line.strip()]
    named = [line for line in lines if _EXCEPTION.match(line)]
    return (named or lines or ["nothing on standard error"])[-1].strip()[:300]


def _tail(file: Any) -> str:
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - MAX_OUTPUT))
    return str(file.read().decode("utf-8", "replace"))
