"""Visit: one request to the back office with all that a page needs, the ways to answer it, and how pages show money,
times and states."""

import json
import sqlite3
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast
from urllib.parse import quote, unquote

from starlette.datastructures import FormData, QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from longtrail.tasks.shifts.shift import Shift
from longtrail.web.page_templates import environment, page
from longtrail.web.world import World
from longtrail.yaml_file import read

NOTIFIED = {0: "Not Notified", 1: "Customer Notified", 2: "Notification Not Applicable"}


@cache
def labels() -> Mapping[str, Mapping[str, str]]:
    """Kind (`statuses`, `states` ...) -> value in the database -> its label. Raises DataError."""
    return read(dict[str, dict[str, str]], Path(__file__).with_name("labels.yaml"))


def money(amount: float) -> str:
    """`$1,204.50`, with a leading minus if negative."""
    return f"-${-amount:,.2f}" if amount < 0 else f"${amount:,.2f}"


def day(stamp: str) -> str:
    """`Mar 4, 2026`, from a date or a time."""
    moment = datetime.fromisoformat(stamp)
    return f"{moment:%b} {moment.day}, {moment.year}"


def weekday(stamp: str) -> str:
    """`Wed Mar 4`."""
    moment = datetime.fromisoformat(stamp)
    return f"{moment:%a} {moment:%b} {moment.day}"


def clock(stamp: str) -> str:
    """`9:42:17 AM`."""
    moment = datetime.fromisoformat(stamp)
    return f"{moment.hour % 12 or 12}:{moment:%M:%S} {'AM' if moment.hour < 12 else 'PM'}"


def moment(stamp: str) -> str:
    """`Mar 4, 2026, 9:42:17 AM`."""
    return f"{day(stamp)}, {clock(stamp)}"


TEMPLATES = environment(Path(__file__).parent / "templates")
TEMPLATES.filters.update(
    {filter.__name__: filter for filter in (money, day, weekday, clock, moment)},
    percent="{:g}%".format,
    state=lambda code: labels()["states"].get(code, code),
    status=lambda code: labels()["statuses"].get(code, code),
    notified=NOTIFIED.__getitem__,
    parsed=json.loads,
)
REVIEW_STATUSES = ("Approved", "Pending", "Not Approved")
TEMPLATES.globals.update(review_statuses=REVIEW_STATUSES)
SESSION = "q7d2m1vk0c9r5n3t8bszhf4xga"
"""The signed-in user's session. Worlds are private and temporary, so a fixed value is enough."""
FORM_KEY = "Jr8XkPz3TnV5wQcM"
"""The token that every form must send (the platform's protection against forged requests)."""
COOKIE, MESSAGES = "admin", "mage-messages"
SHOP = "Larkmoor Outfitters"
Worlds = Literal["usual", "hard", "shift"]
"""Worlds with different pages: those of the hard tier and of shifts have some more than the usual ones."""


class _Values(dict[str, object]):
    """Values for SQL: the numbers in the address, and what is added."""

    def __init__(self, visit: "AdminVisit") -> None:
        self._visit = visit
        super().__init__(now=visit.stamp())

    def __missing__(self, name: str) -> int:
        return self._visit.id(name)


class AdminVisit:
    """A request, its world's database and time, and its path-style parameters."""

    def __init__(self, request: Request, form: FormData | None = None) -> None:
        self.request, self.form = request, form or FormData()
        self.params: Mapping[str, str] = {}
        world: World = request.scope["world"]
        self.db, self.now = world.db("shopadmin"), world.now.replace(tzinfo=None)

    @property
    def worlds(self) -> Worlds:
        """The kind of its world."""
        edition = self.request.scope["world"].edition
        return "shift" if isinstance(edition, Shift) else "hard" if edition in ("hard", "hard twins") else "usual"

    @property
    def query(self) -> QueryParams:
        """The parameters after the question mark."""
        return self.request.query_params

    @property
    def ajax(self) -> bool:
        """Whether the page's script asks for a part of the page."""
        return self.query.get("isAjax") == "true"

    def id(self, name: str) -> int:
        """A number from the path. 404 if it is missing or not a number."""
        value = self.params.get(name, "")
        if not value.isascii() or not value.isdigit() or len(value) > 15:
            raise HTTPException(404)
        return int(value)

    def field(self, name: str) -> str:
        """A posted field as trimmed text; empty if missing."""
        value = self.form.get(name, "")
        return value.strip() if isinstance(value, str) else ""

    def values(self) -> dict[str, object]:
        """The values that SQL may name: numbers in the path (404 if one is missing), and the time as `now`."""
        return _Values(self)

    def row(self, sql: str, *values: object) -> sqlite3.Row | None:
        """The first row, or None."""
        return cast("sqlite3.Row | None", self.db.execute(sql, values).fetchone())

    def rows(self, sql: str, *values: object) -> list[sqlite3.Row]:
        """All rows."""
        return self.db.execute(sql, values).fetchall()

    def value(self, sql: str, *values: object) -> Any:
        """The first value of the first row."""
        row = self.row(sql, *values)
        return row[0] if row else None

    def stamp(self) -> str:
        """The world's time in the database's format."""
        return f"{self.now:%Y-%m-%d %H:%M:%S}"


def render(visit: AdminVisit, template: str, status: int = 200, **context: Any) -> Response:
    """A page (or a part of one) with the messages that the last action left."""
    messages = read_messages(visit.request)
    response = page(
        TEMPLATES,
        template,
        status,
        shop=SHOP,
        form_key=FORM_KEY,
        path=visit.request.url.path,
        messages=messages,
        worlds=visit.worlds,
        **context,
    )
    response.headers["cache-control"] = "no-store"
    if messages and not visit.ajax:
        response.delete_cookie(MESSAGES, path="/admin")
    return response


def redirect(path: str, text: str = "", kind: str = "success") -> Response:
    """Redirect to another page, with a message to show there."""
    response = RedirectResponse(path, status_code=302)
    if text:
        value = quote(json.dumps([[kind, text]]))
        response.set_cookie(MESSAGES, value, path="/admin", httponly=True, samesite="lax")
    return response


def read_messages(request: Request) -> list[tuple[str, str]]:
    """The messages that the last action left for the next page."""
    try:
        messages = json.loads(unquote(request.cookies.get(MESSAGES, "")) or "[]")
        return [(str(kind), str(text)) for kind, text in messages]
    except (ValueError, TypeError):
        return []
