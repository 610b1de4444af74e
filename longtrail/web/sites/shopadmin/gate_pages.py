"""Gate pages: the back office's sign-in page after the session has expired, and a message of the system."""

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from longtrail.tasks.hard import Notice
from longtrail.web.sites.shopadmin.visit import open_visit, render
from longtrail.web.staged_app import GatePages

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
