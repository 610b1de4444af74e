"""Visit: one request for the handlers, with the world's database, the clock, pages, redirects and checked forms."""

import base64
import hashlib
import hmac
import sqlite3
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from longtrail.web.page_templates import environment, page
from longtrail.web.replica_notice import ABOUT_PATH, ABOUT_TITLE
from longtrail.web.request_values import read_form
from longtrail.web.sites.forum import markdown, names, times
from longtrail.web.world import World

MODERATOR = "WrenHalloway"
"""The account that the harness signs in: a moderator of every forum, not an administrator."""
COOKIE = "PHPSESSID"
FLASH = "flash"
SESSION = hashlib.sha256(b"commonroom session").hexdigest()[:26]
"""Fixed, so that pages are identical in every run; the proxy distinguishes worlds without cookies."""


def token(intent: str, session: str = SESSION) -> str:
    """The token that a form of this intent must send."""
    digest = hashlib.sha256(f"{session}:{intent}".encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def valid(given: str, intent: str, session: str | None) -> bool:
    """Whether the form came from a page of this session."""
    return session == SESSION and hmac.compare_digest(given.encode(), token(intent).encode())


TEMPLATES = environment(Path(__file__).parent / "templates")
SITE_NAME = "Commonroom"


@lru_cache(maxsize=8192)
def _marked_up(text: str) -> Markup:
    return Markup(TEMPLATES.get_template("markdown.html").render(blocks=markdown.blocks(text)).strip())  # noqa: S704


def submission_url(row: Any) -> str:
    """The canonical address of a submission's page."""
    return f"/f/{row['forum']}/{row['id']}/{quote(names.slug(row['title']))}"


TEMPLATES.filters.update(
    markdown=_marked_up, date=times.date, absolute=times.absolute, iso=times.iso, address=submission_url
)
TEMPLATES.globals.update(site_name=SITE_NAME, me=MODERATOR, token=token, about_path=ABOUT_PATH, about_title=ABOUT_TITLE)


class ForumVisit:
    """One request in one world."""

    def __init__(self, request: Request) -> None:
        self.request = request
        world: World = request.scope["world"]
        self.now = int(world.now.timestamp())
        self.db: sqlite3.Connection = world.db("forum")

    @property
    def path(self) -> str:
        return self.request.url.path

    def at(self, name: str) -> str:
        """A part of the path."""
        return str(self.request.path_params[name])

    def number(self, name: str) -> int:
        """A numeric part of the path."""
        return int(self.request.path_params[name])

    def query(self, name: str, default: str = "") -> str:
        return self.request.query_params.get(name, default)

    def all(self, sql: str, *values: Any) -> list[sqlite3.Row]:
        return self.db.execute(sql, values).fetchall()

    def one(self, sql: str, *values: Any) -> sqlite3.Row:
        """The only row. 404 if there is none."""
        row: sqlite3.Row | None = self.db.execute(sql, values).fetchone()
        if row is None:
            raise HTTPException(404)
        return row

    def maybe(self, sql: str, *values: Any) -> sqlite3.Row | None:
        row: sqlite3.Row | None = self.db.execute(sql, values).fetchone()
        return row

    def run(self, sql: str, *values: Any) -> int:
        """Execute a change and return the id of the new row, if one was made."""
        return self.db.execute(sql, values).lastrowid or 0

    def page(self, template: str, status: int = 200, /, **context: Any) -> Response:
        """A page in the site's frame. It shows the last redirect's message once, and starts the session."""
        flash = unquote(self.request.cookies.get(FLASH, ""))
        shown = {"flash": flash, "now": self.now, "path": self.path, "ago": self._ago, "unread": self._unread()}
        response = page(TEMPLATES, template, status, **shown, **context)
        if flash:
            response.delete_cookie(FLASH)
        if self.request.cookies.get(COOKIE) != SESSION:
            response.set_cookie(COOKIE, SESSION, httponly=True, samesite="lax")
        return response

    def redirect(self, url: str, message: str = "", status: int = 302) -> Response:
        """Redirect the browser; the next page shows `message`."""
        response = RedirectResponse(url, status_code=status)
        if message:
            response.set_cookie(FLASH, quote(message), httponly=True, samesite="lax")
        return response

    async def form(self, intent: str) -> dict[str, str]:
        """The fields of a posted form. 403 without the session's token for this intent."""
        posted = await read_form(self.request)
        fields = {name: value.strip() for name, value in posted.items() if isinstance(value, str)}
        token = fields.get(f"{intent}[_token]") or fields.get("token", "")
        if not valid(token, intent, self.request.cookies.get(COOKIE)):
            raise HTTPException(403, "Invalid CSRF token")
        return fields

    def back(self, default: str) -> str:
        """The redirect target of a button: the page of the button, if it is on this site."""
        referer = self.request.headers.get("referer", "")
        origin = f"{self.request.url.scheme}://{self.request.url.netloc}/"
        return referer if referer.startswith(origin) else default

    def _ago(self, seconds: int) -> str:
        return times.ago(seconds, self.now)

    def _unread(self) -> int:
        row = self.maybe("SELECT count(*) AS n FROM message WHERE receiver = ?", MODERATOR)
        return row["n"] if row else 0
