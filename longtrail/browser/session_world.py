"""Session world: what a browser session needs of its episode's world."""

from typing import Any, Protocol

from longtrail.records.trajectory import Request
from longtrail.web.request_log import ServedBodies


class SessionWorld(Protocol):
    """What a session needs of an episode's world: its clock, and its pending requests."""

    @property
    def now(self) -> Any:
        """The time at which the pages' clock is frozen (an aware datetime)."""

    @property
    def sealed(self) -> bool:
        """False: real sites, whose clock runs, and whose scripts may show any address."""

    @property
    def violations(self) -> list[str]:
        """Attempts to leave the sealed web that the front noticed; grows."""

    @property
    def requests(self) -> list[Request]:
        """Every request that its sites have received; grows."""

    def pending(self) -> int:
        """Requests being answered now."""


class ServedWorld(SessionWorld, Protocol):
    """The same for a browser that an agent drives itself: also the sites' requests and answers."""

    @property
    def arrivals(self) -> list[float]:
        """The time of each request, in seconds of the wall clock."""

    def keep_bodies(self) -> ServedBodies:
        """Start or continue to store the bodies of answers; returns where."""
