"""Mock model servers that act on the run that calls them: one slows it, one kills a worker in the middle of a call."""

import os
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from itertools import count, pairwise
from typing import Any

import psutil

from longtrail.llm.mock.faults import Fault
from longtrail.llm.mock.server import MockServer, RecordedRequest

LATENCY = 0.5
"""Seconds that each answer of a killing server takes at least, so that calls at the same time are noticed."""


class HeldServer(MockServer, ABC):
    """Numbers the requests, but for the one with which the session tests the server before it begins."""

    def __init__(self, latency: float = 0.0) -> None:
        super().__init__(latency=latency)
        self._numbers = count()

    def take(self, body: dict[str, Any]) -> tuple[str, Fault | None]:
        taken = super().take(body)
        if body["max_tokens"] > 1:
            return self.act(next(self._numbers), *taken)
        self.requests.clear()
        return taken

    @abstractmethod
    def act(self, number: int, model: str, fault: Fault | None) -> tuple[str, Fault | None]:
        """What happens before request `number` is answered; returns the model and the fault of the answer."""


class KillingServer(HeldServer):
    """Kills a worker whose call is the first request, by SIGKILL, before it answers: the process that sends it, or one
    that this process makes calls for."""

    def __init__(self, *, served: bool = False) -> None:
        """`served`: the workers' calls are made by another process."""
        super().__init__(LATENCY)
        self.killed, self._served = 0, served
        self._port = int(self.url.rpartition(":")[2].partition("/")[0])

    def act(self, number: int, model: str, fault: Fault | None) -> tuple[str, Fault | None]:
        if number == 0:
            (caller,) = _connected_to({self._port})
            self.killed = min(_connected_to(_listening(caller)) - {caller}) if self._served else caller
            os.kill(self.killed, signal.SIGKILL)
        return model, fault


def _connected_to(ports: set[int]) -> set[int]:
    """Other processes with a connection to one of these ports here."""
    found = psutil.net_connections("tcp4")
    return {each.pid for each in found if each.raddr and each.raddr.port in ports and each.pid} - {os.getpid()}


def _listening(process: int) -> set[int]:
    """The ports that a process listens on."""
    found = psutil.net_connections("tcp4")
    return {each.laddr.port for each in found if each.pid == process and each.status == psutil.CONN_LISTEN}


class SlowingServer(HeldServer):
    """Answers the first request with 429 as soon as there is a second. It answers that one once the run knows of the
    429, and all others at once."""

    def __init__(self, seconds: int, known: Callable[[], bool]) -> None:
        """`seconds`: the server's Retry-After."""
        super().__init__()
        self.refused_at = 0.0
        self._seconds, self._known = seconds, known

    def act(self, number: int, model: str, fault: Fault | None) -> tuple[str, Fault | None]:
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
