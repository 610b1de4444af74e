"""Request log: what a world's sites were asked and what came of it. Written by the front's thread, read by everybody.

Lists only ever grow, so a reader may keep an index and take slices at any time, without a lock.
"""

import threading
import time

from longtrail.errors import TroubleKind
from longtrail.records.trajectory import Request
from longtrail.web.served_bodies import ServedBodies


class RequestLog:
    """The second witness besides the browser: every request of one world, and how many are being answered now."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        """Every request in the order of its answers, refused ones too (status 403 and the like)."""
        self.arrivals: list[float] = []
        """When each of them came in, in seconds of the wall clock."""
        self.violations: list[str] = []
        """Attempts to leave the sealed web, one line each: `loopback address: GET http://127.1:80/`."""
        self.faults: list[str] = []
        """Tracebacks of sites that failed to answer; an episode that has one is no fair trial."""
        self.fault_kind: TroubleKind = "site_error"
        """What kind of trouble the last fault is."""
        self.bodies: ServedBodies | None = None
        """What the answers held, where somebody asked to keep it."""
        self._moved = threading.Condition()
        self._pending = 0
        self._last = time.monotonic()

    def stir(self) -> None:
        """A connection is being made: no request yet, but no quiet either."""
        with self._moved:
            self._touch()

    def begin(self) -> None:
        """A request came in."""
        with self._moved:
            self._pending += 1
            self._touch()

    def end(self) -> None:
        """Its answer is on the way, whole."""
        with self._moved:
            self._pending -= 1
            self._touch()

    def add(self, request: Request, violation: str = "", arrived: float | None = None) -> int:
        """Note a request; returns its place in `requests`. Called before the answer's last byte leaves: whoever has
        seen the answer finds it here."""
        with self._moved:
            if violation:
                self.violations.append(f"{violation}: {request.method} {request.url}")
            self.arrivals.append(time.time() if arrived is None else arrived)
            self.requests.append(request)
            self._touch()
            return len(self.requests) - 1

    def fault(self, text: str, kind: TroubleKind = "site_error") -> None:
        """Note that a site failed."""
        self.fault_kind = kind
        self.faults.append(text)

    def pending(self) -> int:
        """How many requests are being answered now."""
        return self._pending

    def last_activity(self) -> float:
        """When a connection or request last came in or was answered, as `time.monotonic()` tells it."""
        return self._last

    def wait_quiet(self, quiet: float, timeout: float) -> bool:
        """Block until nothing was pending for `quiet` seconds, at most `timeout` seconds. True: it is quiet."""
        give_up = time.monotonic() + timeout
        with self._moved:
            while True:
                now = time.monotonic()
                calm = now - self._last if not self._pending else 0.0
                if not self._pending and calm >= quiet:
                    return True
                if now >= give_up:
                    return False
                left = give_up - now
                self._moved.wait(left if self._pending else min(left, quiet - calm))

    def wait_more(self, seen: int, timeout: float) -> list[Request]:
        """The requests after the first `seen`; blocks until there is one, at most `timeout` seconds."""
        with self._moved:
            self._moved.wait_for(lambda: len(self.requests) > seen, timeout)
            return self.requests[seen:]

    def _touch(self) -> None:
        self._last = time.monotonic()
        self._moved.notify_all()
