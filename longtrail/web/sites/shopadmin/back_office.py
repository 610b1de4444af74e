"""The shop's back office: a site that is URL- and label-compatible with Magento 2.4's admin."""

import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from longtrail.paths import TASKS
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.shifts.shift import Shift
from longtrail.tasks.task import Task
from longtrail.tasks.twins import in_world, load_twins
from longtrail.web.page_templates import ABOUT_PATH
from longtrail.web.request_values import read_form
from longtrail.web.site import Edition, Site, SourceTransform, as_shipped
from longtrail.web.sites.shopadmin import creditmemo_pages, orders, pages
from longtrail.web.sites.shopadmin.build import build, build_hard, build_shift
from longtrail.web.sites.shopadmin.pages import Handler, addresses
from longtrail.web.sites.shopadmin.visit import COOKIE, FORM_KEY, SESSION, AdminVisit, render
from longtrail.web.staged_app import GatePages, StagedApp

USUAL: Mapping[str, Handler] = {
    **addresses("usual"),
    "sales/order_creditmemo/start": creditmemo_pages.start,
    "sales/order_creditmemo/new": creditmemo_pages.new,
}
GET: Mapping[str, Mapping[str, Handler]] = {
    "usual": USUAL,
    "hard": {**USUAL, **addresses("hard")},
    "shift": {**USUAL, **addresses("shift")},
}
"""Kind of world -> address below `/admin/` -> the page."""
POST: Mapping[str, Handler] = {
    **pages.actions(),
    "sales/order/addComment": orders.add_comment,
    "sales/order_creditmemo/updateQty": creditmemo_pages.update,
    "sales/order_creditmemo/save": creditmemo_pages.save,
}
HARD_POST: Mapping[str, Handler] = {**POST, "reports/report_statistics/refresh": pages.refresh_reports}
START = "/admin/admin/dashboard/"


def resolve(path: str, table: Mapping[str, Handler]) -> tuple[Handler | None, dict[str, str]]:
    """The handler of an address below `/admin/`, and its path-style parameters.

    Module, controller and action come first (`index` where they are missing), then names and values in turn. The admin
    module's name may come first, as in some of the platform's links.
    """
    parts = [part for part in path.split("/") if part]
    if parts and parts[0] == "admin":
        parts = parts[1:]
    if not parts:
        parts = ["dashboard"]
    size = 2 if parts[:1] == ["order_shipment"] else 3
    head = [*parts[:size], *["index"] * (size - len(parts[:size]))]
    arguments = parts[size:]
    return table.get("/".join(head)), dict(zip(arguments[0::2], arguments[1::2], strict=False))


async def admin(request: Request) -> Response:
    """Answer any request below `/admin/`."""
    path = request.path_params["path"]
    posted = request.method == "POST"
    visit = AdminVisit(request, await read_form(request) if posted else None)
    gets, posts = GET[visit.worlds], HARD_POST if visit.worlds == "hard" else POST
    handler, visit.params = resolve(path, posts if posted else gets)
    if handler is None:
        raise HTTPException(405 if resolve(path, gets if posted else posts)[0] else 404)
    if posted and visit.field("form_key") != FORM_KEY:
        raise HTTPException(403)
    response = handler(visit)
    if request.cookies.get(COOKIE) != SESSION:
        response.set_cookie(COOKIE, SESSION, path="/admin", httponly=True, secure=True, samesite="lax")
    return response


async def front(_: Request) -> Response:
    """The address without a page leads to the dashboard."""
    return RedirectResponse(START, status_code=302)


async def about(request: Request) -> Response:
    """What the site is: the one page that says it."""
    return render(AdminVisit(request), "about.html")


async def error(request: Request, problem: Exception) -> Response:
    """A page that explains the error in the request."""
    status = problem.status_code if isinstance(problem, HTTPException) else 500
    visit = AdminVisit(request)
    messages = {
        403: "Invalid Form Key. Please refresh the page.",
        405: "This address does not answer this kind of request.",
    }
    return render(visit, "error.html", status, text=messages.get(status, ""))


def make_app() -> Starlette:
    """The back office as an ASGI app."""
    return Starlette(
        routes=[
            Route("/", front),
            Route(ABOUT_PATH, about),
            Route("/admin", front),
            Route("/admin/", front),
            Mount("/static", StaticFiles(directory=Path(__file__).parent / "static")),
            Route("/admin/{path:path}", admin, methods=["GET", "POST"]),
        ],
        exception_handlers={HTTPException: error},
    )


GATE = GatePages(
    home=START,
    sign_in_at="/admin/admin/auth/login/",
    notice_at="/admin/admin/system_message/dismiss/",
    sign_in="sign_in.html",
    notice="system_message.html",
    is_page=lambda path: path.startswith("/admin") and path not in ("/admin", "/admin/"),
    page=lambda request, template, **shown: render(AdminVisit(request), template, **shown),
)


class ShopAdmin:
    """The site object for the proxy."""

    name = "shopadmin"
    hosts: tuple[str, ...] = ("shopadmin.test",)

    def __init__(self, tasks: Iterable[Task] | None = None, vary: SourceTransform = as_shipped) -> None:
        """`tasks`: the tasks whose stories the world contains; default: all shipped shop tasks."""
        self.app: ASGIApp = StagedApp(make_app(), GATE)
        self._tasks = None if tasks is None else tuple(tasks)
        self._vary = vary

    def build(self, db: sqlite3.Connection, edition: Edition) -> None:
        """Create tables and rows of an initial state. Raises DataError."""
        tasks = self._tasks
        if isinstance(edition, Shift):
            build_shift(db, edition)
            return
        hard, twins = edition in ("hard", "hard twins"), edition in ("twins", "hard twins")
        if tasks is None:
            suite = "hard_shop" if hard else "shopping_admin"
            tasks = (*load_tasks(TASKS / suite).values(), *(load_twins().values() if twins else ()))
        chosen = in_world(tasks, twins=twins)
        if hard:
            build_hard(db, chosen, self._vary)
        else:
            build(db, chosen, self._vary)


def make(tasks: Iterable[Task] | None = None, vary: SourceTransform = as_shipped) -> Site:
    """The back office with the stories of these tasks, or of all shipped ones."""
    return ShopAdmin(tasks, vary)
