"""Site: an ASGI app and the SQLite template of its state."""

import sqlite3
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, Protocol

from longtrail.records.case import HARD
from longtrail.tasks.shifts.compose import compose
from longtrail.tasks.shifts.shift import Shift, ShiftTask
from longtrail.tasks.task import Task

if TYPE_CHECKING:
    from starlette.types import ASGIApp

Edition = Literal["usual", "hard", "twins", "hard twins"] | Shift
"""Which initial state a world's sites have: the usual one, that of the hard tier's tasks, or those of either with the
records of the counterfactual twins. A shift has a world of its own."""


def edition_of(task: Task) -> Edition:
    """The initial state in which a task is played."""
    if isinstance(task, ShiftTask):
        return compose(task)
    if task.suite in HARD:
        return "hard twins" if getattr(task, "counterfactual", False) else "hard"
    return "twins" if getattr(task, "counterfactual", False) else "usual"


class Site(Protocol):
    """One embedded site (or a family of sites behind one engine).

    The app finds the episode's world in `scope["world"]` (a `longtrail.web.world.World`) and must not keep state
    itself: everything that an agent may change is in `world.db(site.name)`. The request log stores what the app puts
    into `scope["notes"]` before it answers (`listed`). Endpoints are `async def` and run on the proxy's single loop, so
    no other request sees a partial change between two awaits. The object is hashable: a dataclass needs `eq=False`.
    """

    name: str
    """`shopadmin`, `forum`, `consumer`, `search`."""
    hosts: tuple[str, ...]
    """Every host name it serves, lower case."""
    app: "ASGIApp"

    def build(self, db: sqlite3.Connection, edition: Edition, /) -> None:
        """Create the tables and rows of the site's initial state in an empty in-memory database.

        The tables are the same in all editions; sites whose rows are the same, too, ignore `edition`. All tables must
        be made here: a table that appears later makes the episode invalid, because its changes would not be recorded.
        The result must be identical in every process.
        """
        ...


SourceTransform = Callable[[str, Any], Any]
"""The name of a source (`shop/crowd`, `forum/crowd`, `consumer/www.ikea.com`) and its contents -> the contents to
build from. It is a key of caches, so it must be hashable, and two of them may be equal only if they change everything
in the same way."""
VARIANTS_KEPT = 2
"""How many variants' sources, tasks and webs a process keeps. Training goes through many, and each takes 40 MB."""


def as_shipped(_: str, contents: Any) -> Any:
    """Without a variant: the shipped contents."""
    return contents


@lru_cache(VARIANTS_KEPT)
def for_hard_tier(vary: SourceTransform) -> SourceTransform:
    """A variant for the worlds of the hard tier: other substitutions, by names such as `hard-shop/crowd`."""
    return vary if vary is as_shipped else lambda name, contents: vary(f"hard-{name}", contents)
