"""The tool library: a small complete site with links, a search form, a form that writes, a counter, a cookie, and a
late XHR."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from longtrail.web import page_templates as pages
from longtrail.web.site import Edition
from longtrail.yaml_file import read_yaml

TEMPLATES = pages.environment(Path(__file__).parent / "templates")
DAYS = ("Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
MAX_WAIT = 5_000
"""Maximum of `/api/hours?wait=` in milliseconds."""

View = Callable[[Request], Awaitable[Response]]


def _db(request: Request) -> sqlite3.Connection:
    return request.scope["world"].db("tiny")  # type: ignore[no-any-return]


def _page(request: Request, name: str, status: int = 200, **context: Any) -> Response:
    return pages.page(TEMPLATES, name, status, member=request.cookies.get("member", ""), **context)


async def home(request: Request) -> Response:
    return _page(request, "home.html.j2")


async def tools(request: Request) -> Response:
    query = request.query_params.get("q", "").strip()
    rows = _db(request).execute(
        "SELECT * FROM tools WHERE instr(lower(name || ' ' || kind), lower(?)) ORDER BY name", (query,)
    )
    return _page(request, "tools.html.j2", query=query, tools=rows.fetchall())


async def tool(request: Request) -> Response:
    row = _db(request).execute("SELECT * FROM tools WHERE slug = ?", (request.path_params["slug"],)).fetchone()
    return _page(request, "tool.html.j2", tool=row, days=DAYS) if row else await missing(request)


async def reserve(request: Request) -> Response:
    """Write a reservation, then show it (POST, redirect, GET)."""
    form = await request.form()
    slug, member, day = request.path_params["slug"], str(form.get("member", "")).strip(), form.get("day")
    db = _db(request)
    tool = db.execute("SELECT 1 FROM tools WHERE slug = ?", (slug,)).fetchone()
    if not tool or not member or day not in DAYS:
        return _page(request, "refused.html.j2", 422)
    row = db.execute("INSERT INTO reservations (tool, member, day) VALUES (?, ?, ?)", (slug, member, day))
    return RedirectResponse(f"/reservations/{row.lastrowid}", 303)


async def reservation(request: Request) -> Response:
    row = (
        _db(request)
        .execute(
            "SELECT reservations.*, tools.name, tools.deposit FROM reservations JOIN tools ON slug = tool WHERE id = ?",
            (request.path_params["id"],),
        )
        .fetchone()
    )
    return _page(request, "reservation.html.j2", reservation=row) if row else await missing(request)


async def visits(request: Request) -> Response:
    if request.method == "POST":
        _db(request).execute("UPDATE visits SET count = count + 1")
        return RedirectResponse("/visits", 303)
    (count,) = _db(request).execute("SELECT count FROM visits").fetchone()
    return _page(request, "visits.html.j2", count=count)


async def join(request: Request) -> Response:
    if request.method == "GET":
        return _page(request, "join.html.j2")
    member = str((await request.form()).get("member", "")).strip()
    answer = RedirectResponse("/", 303)
    answer.set_cookie("member", member, httponly=True, samesite="lax")
    return answer


async def hours(request: Request) -> Response:
    return _page(request, "hours.html.j2", wait=_wait(request))


async def hours_data(request: Request) -> Response:
    """The opening hours, after `?wait=` milliseconds: simulates a page that loads late."""
    await asyncio.sleep(_wait(request) / 1000)
    today = request.scope["world"].now.strftime("%A")
    return JSONResponse({"open": DAYS, "from": "10:00", "to": "18:30", "today": today})


def _wait(request: Request) -> int:
    seconds = request.query_params.get("wait", "0")
    return min(int(seconds), MAX_WAIT) if seconds.isdecimal() else 0


async def missing(request: Request) -> Response:
    return _page(request, "missing.html.j2", 404)


async def _not_found(request: Request, error: Exception) -> Response:
    return await missing(request)


app = Starlette(
    routes=[
        Route("/", home),
        Route("/tools", tools),
        Route("/tools/{slug}", tool),
        Route("/tools/{slug}/reserve", reserve, methods=["POST"]),
        Route("/reservations/{id:int}", reservation),
        Route("/visits", visits, methods=["GET", "POST"]),
        Route("/join", join, methods=["GET", "POST"]),
        Route("/hours", hours),
        Route("/api/hours", hours_data),
    ],
    exception_handlers={404: _not_found},
)


class Tiny:
    """A site by the protocol `longtrail.web.site.Site`."""

    name = "tiny"
    hosts: tuple[str, ...] = ("tiny.test", "www.tiny.test")
    app: ASGIApp = staticmethod(app)

    def build(self, db: sqlite3.Connection, _: Edition) -> None:
        """Tables and rows of the initial state."""
        db.execute(
            "CREATE TABLE tools (slug TEXT PRIMARY KEY, name TEXT, kind TEXT, deposit INTEGER, days INTEGER, note TEXT)"
        )
        db.execute("CREATE TABLE reservations (id INTEGER PRIMARY KEY, tool TEXT, member TEXT, day TEXT)")
        db.execute("CREATE TABLE visits (id INTEGER PRIMARY KEY CHECK (id = 1), count INTEGER)")
        db.execute("INSERT INTO visits VALUES (1, 0)")
        rows = read_yaml(Path(__file__).parent / "tools.yaml")
        db.executemany("INSERT INTO tools VALUES (:slug, :name, :kind, :deposit, :days, :note)", rows)


def make() -> Tiny:
    """The tool library at https://tiny.test/."""
    return Tiny()
