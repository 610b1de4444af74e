"""Person play: one phase of an episode as a person plays it, in the form in which the phase loop follows an agent."""

import threading
import time
from collections.abc import Callable
from typing import Any

from longtrail.agents.agent import Assignment
from longtrail.agents.cdp.messages import AgentReport
from longtrail.agents.people.shown_browser import ShownBrowser
from longtrail.records.memory import render_history
from longtrail.records.trajectory import Usage


class PersonPlay:
    """What the person is told, the form as it stands, and the report once it is sent."""

    def __init__(
        self,
        assignment: Assignment,
        browser: ShownBrowser,
        stopped: threading.Event,
        on_step: Callable[[], object],
        on_close: Callable[[], object],
    ) -> None:
        """`stopped`: the person stops for now, as with Ctrl-C. `on_step`: called when `steps` has changed; `on_close`:
        when the phase is over."""
        self.assignment, self.browser = assignment, browser
        self.draft: dict[str, Any] = {}
        self.steps = 0
        """Steps so far, as the limit counts them."""
        self.late = False
        """A person has no time limit."""
        self._stopped, self._on_step, self._on_close = stopped, on_step, on_close
        self._report: AgentReport | None = None
        self._ended = threading.Event()
        self._clock = threading.Lock()
        self._seconds = 0.0
        """Not counted to a step yet."""
        self._since: float | None = None
        """Until when they are counted; None: the page is closed."""

    def task(self) -> dict[str, Any]:
        """The task for the page, with the form as it was left."""
        assignment = self.assignment
        return {
            "type": "task",
            "prompt": assignment.prompt,
            "history": render_history(assignment.history) if assignment.history else "",
            "decisions": assignment.decisions,
            "step_limit": assignment.step_limit,
            "steps": self.steps,
            "form": self.draft,
        }

    def send_in(self, report: AgentReport) -> str:
        """The person has answered. Returns what is wrong with the answer; empty if it is taken."""
        decisions = self.assignment.decisions
        if decisions and report.decision not in decisions:
            return f"Choose one decision: {', '.join(decisions)}."
        if not decisions and report.decision:
            return "Nothing is decided here: give an answer, or leave it empty."
        self._report = report.model_copy(update={"usage": Usage()})
        self._ended.set()
        return ""

    def open_page(self) -> None:
        """The person's page is open: the time runs."""
        with self._clock:
            self._since = self._since or time.monotonic()

    def close_page(self) -> None:
        """It is closed: the time stands still."""
        with self._clock:
            self._count()
            self._since = None

    def _count(self) -> None:
        if self._since is not None:
            now = time.monotonic()
            self._seconds, self._since = self._seconds + now - self._since, now

    def noticed(self, steps: int) -> float:
        """Show the number of steps. Returns the person's seconds since the last call."""
        self.steps = steps
        self._on_step()
        with self._clock:
            self._count()
            seconds, self._seconds = self._seconds, 0.0
        return round(seconds, 3)

    def wait(self, seconds: float) -> bool:
        """Wait at most so long. Returns whether the person has answered. Raises KeyboardInterrupt if they stop for
        now: nothing of the case is scored then."""
        ended = self._ended.wait(seconds)
        if self._stopped.is_set():
            raise KeyboardInterrupt
        return ended

    def report(self) -> tuple[AgentReport | None, str]:
        """The answer."""
        return self._report, ""

    def close(self) -> None:
        """The phase is over, for whatever reason."""
        self._on_close()
