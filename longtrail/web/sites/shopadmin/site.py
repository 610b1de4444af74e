"""The shop's back office: a site that is URL- and label-compatible with Magento 2.4's admin."""

import sqlite3
from collections.abc import Iterable

from starlette.types import ASGIApp

from longtrail.tasks.task import Task
from longtrail.web.site import Site
from longtrail.web.sites.shopadmin.app import make_app
from longtrail.web.sites.shopadmin.build import build


class ShopAdmin:
    """The site as the front knows it."""

    name = "shopadmin"
    hosts: tuple[str, ...] = ("shopadmin.test",)

    def __init__(self, tasks: Iterable[Task] | None = None) -> None:
        """`tasks`: whose stories the world holds; all shipped shop tasks if not given."""
        self.app: ASGIApp = make_app()
        self._tasks = tasks

    def build(self, db: sqlite3.Connection) -> None:
        """Tables and rows of the world's first state."""
        build(db, self._tasks)


def make(tasks: Iterable[Task] | None = None) -> Site:
    """The back office with the stories of these tasks, or of all shipped ones."""
    return ShopAdmin(tasks)
