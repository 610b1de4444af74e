"""A pytest plugin for runs (`-p tests.pytest_plugin.remote.silent_engine`): the session plays on an engine whose first
worker takes a unit and gives no sign, and whose second one is lost with each unit."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from longtrail.llm.call_book import CallBook
    from longtrail.pytest_plugin.remote.engine import Event, Setup, Unit, WorkerMessage


class Silent:
    """See `Cluster`."""

    workers = 1

    def __init__(self) -> None:
        self.idle = 1
        self._events: list[Event] = []
        self._given: list[Unit] = []

    def check(self) -> None:
        """Every run can be played here."""

    def start(self, setup: "Setup", calls: "CallBook") -> None:
        """There is one worker."""

    def submit(self, unit: "Unit") -> None:
        self.idle = 0
        self._given.append(unit)
        if len(self._given) > 1:
            self._end(unit, "it was the second one")

    def lose(self, unit: "Unit", reason: str) -> None:
        print(f"given up: {reason}", flush=True)
        self._end(unit, reason)

    def _end(self, unit: "Unit", reason: str) -> None:
        from longtrail.pytest_plugin.remote.engine import Event

        self._events.append(Event(unit, ended="worker lost", reason=reason))
        self.idle = 1

    def events(self, seconds: float) -> "Sequence[Event]":
        events, self._events = self._events, []
        return events

    def waiting(self) -> str:
        return ""

    def close(self, reason: str = "") -> "Sequence[WorkerMessage]":
        return ()


@pytest.hookimpl(tryfirst=True)
def pytest_configure() -> None:
    """Put the engine in place; what it imports is not to be loaded before the plugins."""
    from longtrail.pytest_plugin import evaluation
    from longtrail.pytest_plugin.remote import session

    session.IDLE = 0.3
    engine: Any = Silent()
    evaluation.engine_for = lambda *_: engine
