"""A process that runs a session on an engine whose first worker takes a unit and gives no sign, and whose second one is
lost with each unit."""

import sys
from collections.abc import Sequence
from typing import Any

import pytest

from longtrail.llm.call_book import CallBook
from longtrail.pytest_plugin.remote import engines, session
from longtrail.pytest_plugin.remote.engine import Event, Message, Setup, ToPlay, Unit


class Silent:
    """See `Cluster`."""

    workers = 1

    def __init__(self) -> None:
        self.idle = 1
        self._events: list[Event] = []
        self._given: list[Unit] = []

    def check(self) -> None:
        """Every run can be played here."""

    def plugin(self, to_play: ToPlay) -> object:
        return session.RemoteSession(to_play, self)

    def start(self, setup: Setup, calls: CallBook) -> None:
        """There is one worker."""

    def submit(self, unit: Unit) -> None:
        self.idle = 0
        self._given.append(unit)
        if len(self._given) > 1:
            self._events.append(Event(unit, ended="worker lost", reason="it was the second one"))
            self.idle = 1

    def lose(self, unit: Unit, reason: str) -> None:
        print(f"given up: {reason}", flush=True)
        self._events.append(Event(unit, ended="worker lost", reason=reason))
        self.idle = 1

    def events(self, seconds: float) -> Sequence[Event]:
        found, self._events = self._events, []
        return found

    def waiting(self) -> str:
        return ""

    def close(self, reason: str = "") -> Sequence[Message]:
        return ()


def main(*words: str) -> int:
    session.IDLE = 0.3
    engine: Any = Silent()
    engines.engine_for = lambda *_: engine
    return int(pytest.main(list(words)))


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
