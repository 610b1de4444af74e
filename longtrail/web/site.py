"""Site: an ASGI app and the SQLite template of its state."""

import sqlite3
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from starlette.types import ASGIApp


class Site(Protocol):
    """One embedded site (or a family of sites behind one engine).

    The app finds the episode's world in `scope["world"]` (a `longtrail.web.world.World`) and must keep no state of its
    own: everything that an agent may change lives in `world.db(site.name)`. What it puts into `scope["told"]` before it
    answers (`listed`), the request log keeps. Endpoints are `async def`: they run on the front's one loop, so that what
    a request does to the database between two awaits, no other request sees by half.
    """

    name: str
    """`shopadmin`, `forum`, `consumer`, `search`."""
    hosts: tuple[str, ...]
    """Every host name it serves, lower case."""
    app: "ASGIApp"

    def build(self, db: sqlite3.Connection) -> None:
        """Create the tables and rows of the site's initial state in an empty in-memory database.

        All tables must be made here: a table that appears later makes the episode invalid, because its changes would
        not be recorded. The result must be identical in every process.
        """
        ...
