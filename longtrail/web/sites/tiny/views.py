"""The tool library's pages: links, a search form, a form that writes, a counter, a cookie, and a late XHR."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from longtrail.web import page_templates as pages

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


async def _not_found(request: Request, error: Exception) -> Response:  # noqa: ARG001 (Starlette's signature)
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
