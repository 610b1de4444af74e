"""Visit: one request for the handlers, with the world's database, the clock, pages, redirects and checked forms."""

import base64
import hashlib
import hmac
import sqlite3
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from longtrail.web.page_templates import environment, page
from longtrail.web.queried_page import MissingRow
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


def submission_url(row: Any) -> str:
    """The canonical address of a submission's page."""
    return f"/f/{row['forum']}/{row['id']}/{quote(names.slug(row['title']))}"


TEMPLATES.filters.update(
    markdown=markdown.html, date=times.date, absolute=times.absolute, iso=times.iso, address=submission_url
)
TEMPLATES.globals.update(site_name=SITE_NAME, me=MODERATOR, token=token)


class ForumVisit:
    """One request in one world."""

    def __init__(self, request: Request) -> None:
        self.request = request
        world: World = request.scope["world"]
        self.now = int(world.now.timestamp())
        self.db: sqlite3.Connection = world.db("forum")
        self.values: dict[str, Any] = {**request.path_params, "now": self.now, "me": MODERATOR}
        """What SQL may name: parts of the path, the time, the signed-in member, and columns of rows found so far."""

    @property
    def path(self) -> str:
        return self.request.url.path

    @property
    def posted(self) -> bool:
        """Whether a form was sent."""
        return self.request.method == "POST"

    def at(self, name: str, default: str = "") -> str:
        """A part of the path."""
        return str(self.values.get(name, default))

    def query(self, name: str, default: str = "") -> str:
        return self.request.query_params.get(name, default)

    def all(self, sql: str, **values: Any) -> list[sqlite3.Row]:
        return self.db.execute(sql, {**self.values, **values}).fetchall()

    def maybe(self, sql: str, **values: Any) -> sqlite3.Row | None:
        """The first row, if there is one."""
        row: sqlite3.Row | None = self.db.execute(sql, {**self.values, **values}).fetchone()
        return row

    def one(self, sql: str, **values: Any) -> sqlite3.Row:
        """The only row. 404 if there is none."""
        row = self.maybe(sql, **values)
        if row is None:
            raise MissingRow
        return row

    def run(self, sql: str, **values: Any) -> sqlite3.Cursor:
        """Execute a change."""
        return self.db.execute(sql, {**self.values, **values})

    def insert(self, table: str, **values: Any) -> int:
        """Insert a row and return its id."""
        names, marks = ", ".join(values), ", ".join(f":{name}" for name in values)
        cursor = self.db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", values)  # noqa: S608 (our names)
        return cursor.lastrowid or 0

    def page(self, template: str, status: int = 200, /, **context: Any) -> Response:
        """A page in the site's frame. It shows the last redirect's message once, and starts the session."""
        flash = unquote(self.request.cookies.get(FLASH, ""))
        shown = {"flash": flash, "now": self.now, "path": self.path, "ago": partial(times.ago, now=self.now)}
        unread = self.one("SELECT count(*) FROM message WHERE receiver = :me")[0]
        response = page(TEMPLATES, template, status, unread=unread, **shown, **context)
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

    async def fields(self, intent: str, **shown: Any) -> dict[str, str]:
        """The fields of the form of this intent by short name (`reason` of `forum_ban[reason]`): those sent, or before
        that what the form shows. 403 for a form without the session's token for this intent."""
        if not self.posted:
            return shown
        posted = await read_form(self.request)
        fields = {name: value.strip() for name, value in posted.items() if isinstance(value, str)}
        token = fields.get(f"{intent}[_token]") or fields.get("token", "")
        if not valid(token, intent, self.request.cookies.get(COOKIE)):
            raise HTTPException(403, "Invalid CSRF token")
        short = (name.removeprefix(f"{intent}[").removesuffix("]").replace("][", "_") for name in fields)
        return shown | dict(zip(short, fields.values(), strict=True))

    def back(self, default: str) -> str:
        """The redirect target of a button: the page of the button, if it is on this site."""
        referer = self.request.headers.get("referer", "")
        origin = f"{self.request.url.scheme}://{self.request.url.netloc}/"
        return referer if referer.startswith(origin) else default
