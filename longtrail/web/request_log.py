"""Request log: all requests to a world's sites and their answers. Written by the proxy's thread, read by all threads.

Lists only ever grow, so a reader may keep an index and take slices at any time, without a lock.
"""

import threading
import time
from dataclasses import dataclass, field

from longtrail.checks.visits import canonical
from longtrail.errors import TroubleKind
from longtrail.records.trajectory import Request

TEXTS = ("text/", "application/json", "application/javascript", "application/xhtml", "application/xml", "image/svg")
"""Content types that are kept; pictures and fonts have no text."""
FRAMES = ("document", "iframe", "frame")
"""Destinations of requests whose answers are shown as pages."""
MOST = 64_000_000
"""Maximum bytes kept per episode. Content beyond that is not evidence."""


@dataclass(slots=True)
class ServedBody:
    """One answer's content. It grows until the answer is complete."""

    request: Request
    kind: str
    """The content type, without parameters."""
    data: bytearray = field(default_factory=bytearray)

    @property
    def is_page(self) -> bool:
        """Whether it is HTML."""
        return self.kind in ("text/html", "application/xhtml+xml")


class ServedBodies:
    """The bodies of one world's answers, by the index of their request in the log. Written by the proxy's thread."""

    def __init__(self) -> None:
        self._by_place: dict[int, ServedBody] = {}
        self._size = 0

    def open(self, index: int, request: Request, headers: list[tuple[bytes, bytes]]) -> ServedBody:
        """Start storing an answer."""
        headers_by_name = {name.lower(): value.decode("latin-1") for name, value in headers}
        kind = headers_by_name.get(b"content-type", "").partition(";")[0].strip().lower()
        self._by_place[index] = ServedBody(request, kind)
        return self._by_place[index]

    def add(self, body: ServedBody, piece: bytes) -> None:
        """Add a piece of an answer."""
        if body.kind.startswith(TEXTS) and self._size + len(piece) <= MOST:
            self._size += len(piece)
            body.data += piece

    def at(self, index: int) -> ServedBody | None:
        """The answer to the request at this index of the log."""
        return self._by_place.get(index)


class RequestLog:
    """Every request of one world, and the number of pending ones. It confirms what the browser reports."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        """All requests in the order of their answers, including refused ones (status 403 and the like)."""
        self.arrivals: list[float] = []
        """Arrival time of each request, in seconds of the wall clock."""
        self.refusals: dict[str, bool] = {}
        """Address of each page -> whether its last answer was our own; empty as long as nothing was refused."""
        self.violations: list[str] = []
        """Attempts to leave the sealed web, one line each: `loopback address: GET http://127.1:80/`."""
        self.faults: list[str] = []
        """How sites failed to answer by themselves (too late, unreachable ...): they make the episode invalid."""
        self.crashes: list[str] = []
        """Tracebacks of embedded sites that raised while they answered a request. Whoever composed the request caused
        it: where that is the agent, its step failed."""
        self.fault_kind: TroubleKind = "site_error"
        """The kind of trouble of the last fault."""
        self.bodies: ServedBodies | None = None
        """The bodies of the answers, if they are kept."""
        self._moved = threading.Condition()
        self._pending = 0
        self._last = time.monotonic()

    def keep_bodies(self) -> ServedBodies:
        """Keep the bodies of answers from now on (or continue); returns the store."""
        self.bodies = self.bodies or ServedBodies()
        return self.bodies

    def note_activity(self) -> None:
        """A connection is being opened: not a request yet, but activity."""
        with self._moved:
            self._touch()

    def begin(self) -> None:
        """A request came in."""
        with self._moved:
            self._pending += 1
            self._touch()

    def end(self) -> None:
        """Its answer was sent completely."""
        with self._moved:
            self._pending -= 1
            self._touch()

    def add(self, request: Request, violation: str = "", arrived: float | None = None) -> int:
        """Record a request; returns its index in `requests`. Called before the last byte of the answer is sent, so that
        it is recorded before the client has the answer."""
        with self._moved:
            if violation:
                self.violations.append(f"{violation}: {request.method} {request.url}")
            self.arrivals.append(time.time() if arrived is None else arrived)
            self.requests.append(request)
            if request.refused or (self.refusals and request.dest in FRAMES):
                self.refusals[canonical(request.url)] = request.refused
            self._touch()
            return len(self.requests) - 1

    def refused(self, url: str) -> bool:
        """Whether a page at this address is our own, because no site may answer there."""
        return self.refusals.get(canonical(url), False)

    def fault(self, text: str, kind: TroubleKind = "site_error") -> None:
        """Record that a site failed."""
        self.fault_kind = kind
        self.faults.append(text)

    def pending(self) -> int:
        """The number of requests that are being answered now."""
        return self._pending

    def last_activity(self) -> float:
        """When a connection or request last arrived or was answered, by `time.monotonic()`."""
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

    def wait_more(self, known_count: int, timeout: float) -> list[Request]:
        """The requests after the first `known_count`; blocks until there is one, at most `timeout` seconds."""
        with self._moved:
            self._moved.wait_for(lambda: len(self.requests) > known_count, timeout)
            return self.requests[known_count:]

    def _touch(self) -> None:
        self._last = time.monotonic()
        self._moved.notify_all()
