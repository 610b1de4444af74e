"""The shop's back office: a site that is URL- and label-compatible with Magento 2.4's admin."""

import sqlite3
from collections.abc import Iterable

from starlette.types import ASGIApp

from longtrail.paths import TASKS
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import Task
from longtrail.tasks.twins import in_world, load_twins
from longtrail.web.site import Edition, Site, Vary, as_shipped
from longtrail.web.sites.shopadmin.app import make_app
from longtrail.web.sites.shopadmin.build import build
from longtrail.web.sites.shopadmin.gate_pages import GATE
from longtrail.web.sites.shopadmin.hard_build import build_hard
from longtrail.web.staged_app import StagedApp


class ShopAdmin:
    """The site object for the front."""

    name = "shopadmin"
    hosts: tuple[str, ...] = ("shopadmin.test",)

    def __init__(self, tasks: Iterable[Task] | None = None, vary: Vary = as_shipped) -> None:
        """`tasks`: the tasks whose stories the world contains; default: all shipped shop tasks."""
        self.app: ASGIApp = StagedApp(make_app(), GATE)
        self._tasks = None if tasks is None else tuple(tasks)
        self._vary = vary

    def build(self, db: sqlite3.Connection) -> None:
        """Create tables and rows of the world's initial state."""
        build(db, self._tasks and in_world(self._tasks, twins=False), self._vary)

    def build_edition(self, db: sqlite3.Connection, edition: Edition) -> None:
        """Create tables and rows of another initial state: of the hard tier's tasks, with or without twins."""
        twins, hard = edition in ("twins", "hard twins"), edition in ("hard", "hard twins")
        tasks = self._tasks
        if tasks is None:
            tasks = (*load_tasks(TASKS / ("hard_shop" if hard else "shopping_admin")).values(), *load_twins().values())
        if hard:
            build_hard(db, in_world(tasks, twins=twins))
        else:
            build(db, in_world(tasks, twins=twins))


def make(tasks: Iterable[Task] | None = None, vary: Vary = as_shipped) -> Site:
    """The back office with the stories of these tasks, or of all shipped ones."""
    return ShopAdmin(tasks, vary)
