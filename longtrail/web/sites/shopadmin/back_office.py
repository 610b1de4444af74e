"""The shop's back office: a site that is URL- and label-compatible with Magento 2.4's admin."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from starlette.applications import Starlette
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from longtrail.paths import TASKS
from longtrail.tasks.hard import Notice
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.shifts.shift import Shift
from longtrail.tasks.task import Task
from longtrail.tasks.twins import in_world, load_twins
from longtrail.web.replica_notice import ABOUT_PATH
from longtrail.web.request_values import read_form
from longtrail.web.site import Edition, Site, SourceTransform, as_shipped
from longtrail.web.sites.shopadmin import (
    catalog_pages,
    creditmemo_pages,
    customer_pages,
    document_pages,
    inbox_pages,
    reports,
)
from longtrail.web.sites.shopadmin import order_actions as actions
from longtrail.web.sites.shopadmin import order_pages as orders
from longtrail.web.sites.shopadmin.build import build, build_hard, build_shift
from longtrail.web.sites.shopadmin.grid import grids
from longtrail.web.sites.shopadmin.visit import (
    COOKIE,
    FORM_KEY,
    SESSION,
    AdminVisit,
    has_inbox,
    is_hard,
    open_visit,
    render,
)
from longtrail.web.staged_app import GatePages, StagedApp

GRIDS = grids()
Handler = Callable[[AdminVisit], Response]
GET: Mapping[str, Handler] = {
    "dashboard/index/index": reports.dashboard,
    "sales/order/index": GRIDS["orders"].handle,
    "sales/order/view": orders.view,
    "sales/order/invoices": orders.invoices,
    "sales/order/creditmemos": orders.creditmemos,
    "sales/order/shipments": orders.shipments,
    "sales/order/commentsHistory": orders.history,
    "sales/order_creditmemo/start": creditmemo_pages.start,
    "sales/order_creditmemo/new": creditmemo_pages.new,
    "sales/order_creditmemo/view": document_pages.creditmemo,
    "sales/creditmemo/view": document_pages.creditmemo,
    "sales/order_invoice/view": document_pages.invoice,
    "sales/invoice/view": document_pages.invoice,
    "sales/shipment/view": document_pages.shipment,
    "order_shipment/view": document_pages.shipment,
    "sales/invoice/index": GRIDS["invoices"].handle,
    "sales/shipment/index": GRIDS["shipments"].handle,
    "sales/creditmemo/index": GRIDS["creditmemos"].handle,
    "customer/index/index": GRIDS["customers"].handle,
    "customer/index/edit": customer_pages.view,
    "customer/index/account": customer_pages.account,
    "customer/index/addresses": customer_pages.addresses,
    "customer/index/orders": customer_pages.orders,
    "customer/index/productReviews": customer_pages.reviews,
    "catalog/product/index": GRIDS["products"].handle,
    "catalog/product/edit": catalog_pages.product,
    "review/product/index": GRIDS["reviews"].handle,
    "review/product/edit": catalog_pages.review,
    "cms/page/index": GRIDS["pages"].handle,
    "cms/page/edit": catalog_pages.cms,
}
HARD_GET: Mapping[str, Handler] = {
    "logging/event/index": GRIDS["action_log"].handle,
    "logging/event/view": catalog_pages.log_entry,
    "reports/report_sales/coupons": reports.coupons,
    "reports/report_product/returned": reports.returned,
}
"""Pages that only the hard tier's worlds have."""
SHIFT_GET: Mapping[str, Handler] = {
    "inbox/index/index": inbox_pages.inbox,
    "inbox/archive/index": inbox_pages.archive,
    "inbox/message/view": inbox_pages.message,
}
"""Pages that only the worlds of shifts have."""
POST: Mapping[str, Handler] = {
    "sales/order/hold": actions.hold,
    "sales/order/unhold": actions.unhold,
    "sales/order/cancel": actions.cancel,
    "sales/order/email": actions.email,
    "sales/order/addComment": actions.add_comment,
    "sales/order_creditmemo/updateQty": creditmemo_pages.update,
    "sales/order_creditmemo/save": creditmemo_pages.save,
    "review/product/save": catalog_pages.save_review,
}
HARD_POST: Mapping[str, Handler] = {"reports/report_statistics/refresh": reports.refresh}
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
    form = await read_form(request) if posted else FormData()
    hard = is_hard(request)
    gets, posts = ({**GET, **HARD_GET}, {**POST, **HARD_POST}) if hard else (GET, POST)
    if has_inbox(request):
        gets = {**gets, **SHIFT_GET}
    handler, params = resolve(path, posts if posted else gets)
    if handler is None:
        raise HTTPException(405 if resolve(path, gets if posted else posts)[0] else 404)
    visit = open_visit(request, params, form)
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
    return render(open_visit(request, {}, FormData()), "about.html")


async def error(request: Request, problem: Exception) -> Response:
    """A page that explains the error in the request."""
    status = problem.status_code if isinstance(problem, HTTPException) else 500
    visit = open_visit(request, {}, FormData())
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


SIGN_IN, NOTICE = "/admin/admin/auth/login/", "/admin/admin/system_message/dismiss/"


def sign_in(request: Request) -> Response:
    """The sign-in page; the browser has filled in the user's name and password."""
    return render(open_visit(request, {}, FormData()), "sign_in.html", action=SIGN_IN)


def notice(request: Request, message: Notice) -> Response:
    """A message instead of the page; its button leads on."""
    return render(open_visit(request, {}, FormData()), "system_message.html", action=NOTICE, message=message)


def _is_page(path: str) -> bool:
    return path.startswith("/admin") and path not in ("/admin", "/admin/")


GATE = GatePages("/admin/admin/dashboard/", SIGN_IN, NOTICE, sign_in, notice, _is_page)


class ShopAdmin:
    """The site object for the front."""

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
        if tasks is None and edition == "usual":
            build(db, None, self._vary)
            return
        if isinstance(edition, Shift):
            build_shift(db, edition)
            return
        hard = edition in ("hard", "hard twins")
        if tasks is None:
            tasks = (*load_tasks(TASKS / ("hard_shop" if hard else "shopping_admin")).values(), *load_twins().values())
        chosen = in_world(tasks, twins=edition in ("twins", "hard twins"))
        if hard:
            build_hard(db, chosen, self._vary)
        else:
            build(db, chosen, self._vary)


def make(tasks: Iterable[Task] | None = None, vary: SourceTransform = as_shipped) -> Site:
    """The back office with the stories of these tasks, or of all shipped ones."""
    return ShopAdmin(tasks, vary)
