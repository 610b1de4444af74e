"""Gate pages: the forum's log-in page after the session has ended, and a notice of the administrator."""

from starlette.requests import Request
from starlette.responses import Response

from longtrail.tasks.hard import Notice
from longtrail.web.sites.forum.visit import ForumVisit
from longtrail.web.staged_app import GatePages

LOG_IN, NOTICE = "/login_check", "/notice/read"


def log_in(request: Request) -> Response:
    """The log-in page; the browser has filled in the user's name and password."""
    return ForumVisit(request).page("log_in.html", action=LOG_IN)


def notice(request: Request, message: Notice) -> Response:
    """A notice instead of the page; its button leads on."""
    return ForumVisit(request).page("notice.html", action=NOTICE, message=message)


def _is_page(path: str) -> bool:
    return not path.endswith((".css", ".json", ".ico", ".png", ".jpg"))


GATE = GatePages("/", LOG_IN, NOTICE, log_in, notice, _is_page)
