"""The shop's back office: a site that is URL- and label-compatible with Magento 2.4's admin."""

import sqlite3
from collections.abc import Iterable

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from longtrail.paths import TASKS
from longtrail.tasks.hard import Notice
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import Task
from longtrail.tasks.twins import in_world, load_twins
from longtrail.web.site import Edition, Site, Vary, as_shipped
from longtrail.web.sites.shopadmin.app import make_app
from longtrail.web.sites.shopadmin.build import build
from longtrail.web.sites.shopadmin.hard_build import build_hard
from longtrail.web.sites.shopadmin.visit import open_visit, render
from longtrail.web.staged_app import GatePages, StagedApp

SIGN_IN, NOTICE = "/admin/admin/auth/login/", "/admin/admin/system_message/dismiss/"


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


def sign_in(request: Request) -> Response:
    """The sign-in page; the browser has filled in the user's name and password."""
    return render(open_visit(request, {}, FormData()), "sign_in.html", action=SIGN_IN)


def notice(request: Request, message: Notice) -> Response:
    """A message instead of the page; its button leads on."""
    return render(open_visit(request, {}, FormData()), "system_message.html", action=NOTICE, message=message)


def _is_page(path: str) -> bool:
    return path.startswith("/admin") and path not in ("/admin", "/admin/")


GATE = GatePages("/admin/admin/dashboard/", SIGN_IN, NOTICE, sign_in, notice, _is_page)
