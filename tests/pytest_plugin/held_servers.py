"""Mock model servers that act on the run that calls them: one slows it, one kills a worker in the middle of a call."""

import os
import signal
import time
from collections.abc import Callable, Sequence
from itertools import count, pairwise
from typing import Any

import psutil

from longtrail.llm.mock.faults import Fault
from longtrail.llm.mock.server import MockServer, RecordedRequest

LATENCY = 0.5
"""Seconds that each answer of a killing server takes at least, so that calls at the same time are noticed."""


class KillingServer(MockServer):
    """Kills the process that sends the first request, by SIGKILL, before it answers."""

    def __init__(self) -> None:
        super().__init__(latency=LATENCY)
        self.killed = 0
        self._port = int(self.url.rpartition(":")[2].partition("/")[0])
        self._numbers = count()

    def take(self, body: dict[str, Any]) -> tuple[str, Fault | None]:
        taken = super().take(body)
        if next(self._numbers) == 0:
            (self.killed,) = self._callers()
            os.kill(self.killed, signal.SIGKILL)
        return taken

    def _callers(self) -> set[int]:
        """Other processes with a connection to this server."""
        found = psutil.net_connections("tcp4")
        calling = {each.pid for each in found if each.raddr and each.raddr.port == self._port and each.pid}
        return calling - {os.getpid()}


class SlowingServer(MockServer):
    """Answers the first request with 429 as soon as there is a second. It answers that one once the run knows of the
    429, and all others at once."""

    def __init__(self, seconds: int, known: Callable[[], bool]) -> None:
        """`seconds`: the server's Retry-After."""
        super().__init__()
        self.refused_at = 0.0
        self._seconds, self._known = seconds, known
        self._numbers = count()

    def take(self, body: dict[str, Any]) -> tuple[str, Fault | None]:
        number = next(self._numbers)
        model, fault = super().take(body)
        if number == 0:
            self._hold(lambda: len(self.requests) > 1)
            self.refused_at = time.monotonic()
            return model, Fault("rate_limit", str(self._seconds))
        if number == 1:
            self._hold(self._known)
        return model, fault

    def _hold(self, until: Callable[[], bool]) -> None:
        while not until() and not self.closing.wait(0.05):
            pass


def one_at_a_time(requests: Sequence[RecordedRequest]) -> bool:
    """Whether each request to a server with this latency came after the one before it was answered."""
    return all(later.at - earlier.at >= LATENCY for earlier, later in pairwise(requests))
