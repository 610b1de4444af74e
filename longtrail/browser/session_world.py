"""Session world: what a browser session needs of the world that its episode is played in."""

from typing import Any, Protocol

from longtrail.records.trajectory import Request
from longtrail.web.served_bodies import ServedBodies


class SessionWorld(Protocol):
    """What a session needs of an episode's world: its clock, and what its sites are busy with."""

    @property
    def now(self) -> Any:
        """The moment at which the pages' clock stands still (an aware datetime)."""

    @property
    def sealed(self) -> bool:
        """False: real sites, whose clock runs, and whose scripts may show what address they like."""

    @property
    def violations(self) -> list[str]:
        """Attempts to leave the sealed web, as the front saw them; grows."""

    @property
    def requests(self) -> list[Request]:
        """Every request that its sites have received; grows."""

    def pending(self) -> int:
        """Requests being answered now."""


class ServedWorld(SessionWorld, Protocol):
    """The same for a browser that an agent drives itself: also what the sites were asked, and what they answered."""

    @property
    def arrivals(self) -> list[float]:
        """When each of them came in, in seconds of the wall clock."""

    def keep_bodies(self) -> ServedBodies:
        """Keep what answers hold from now on, or go on with it; returns where."""
