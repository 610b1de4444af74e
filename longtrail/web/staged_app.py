"""Staged app: a site's app with the events of the task that is played: the session expires, a notice replaces
a page, messages get answers. In worlds without events it passes everything on.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from longtrail.tasks.hard import WorldEvents

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from longtrail.web.world import World


@dataclass(frozen=True)
class GatePages:
    """How a site shows the pages that replace its own. Their forms post to `sign_in_at` and `notice_at`."""

    home: str
    """Where the user goes if no page was wanted."""
    sign_in_at: str
    notice_at: str
    sign_in: str
    """Template of the page to sign in; the browser has filled in the user's name and password."""
    notice: str
    """Template of a message; its button leads on."""
    is_page: Callable[[str], bool]
    """Whether a path is a page, not a file."""
    page: Callable[..., Response]
    """Makes a page from a request, a template and its context."""


class StagedApp:
    """The app of a site whose tasks may have events."""

    def __init__(self, app: "ASGIApp", pages: GatePages) -> None:
        self._app, self._pages = app, pages

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        world: World | None = scope.get("world")
        if scope["type"] != "http" or world is None or world.session.events == WorldEvents():
            await self._app(scope, receive, send)
            return
        gate_response = self._gate_response(scope, world)
        await (gate_response or self._app)(scope, receive, send)
        if scope["method"] == "POST" and gate_response is None:
            world.answer_messages()

    def _gate_response(self, scope: "Scope", world: "World") -> Response | None:
        """The answer if the request must not reach the site; otherwise None."""
        pages, session = self._pages, world.session
        path, query = scope["path"], scope["query_string"].decode("latin-1")
        if scope["method"] == "POST":
            if path == pages.sign_in_at:
                return RedirectResponse(session.sign_in() or pages.home, status_code=302)
            if path == pages.notice_at:
                return RedirectResponse(session.dismiss() or pages.home, status_code=302)
            return None
        if not pages.is_page(path) or "isAjax=true" in query:
            return None
        gate = session.gate(f"{path}?{query}" if query else path)
        if gate == "sign_in":
            return pages.page(Request(scope), pages.sign_in, action=pages.sign_in_at)
        if gate == "notice" and session.events.notice is not None:
            return pages.page(Request(scope), pages.notice, action=pages.notice_at, message=session.events.notice)
        return None
