"""Trap: a site of the sealed web whose pages the tests write, as if visitors could put scripts into them."""

import asyncio
import sqlite3

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from longtrail.web.site import Edition

HOME = "https://trap.test"
PAGES: list[str] = []


def page(body: str) -> str:
    """The address of a page with this body."""
    PAGES.append(body)
    return f"{HOME}/page/{len(PAGES) - 1}"


async def shown(request: Request) -> Response:
    answer = HTMLResponse(f"<!doctype html><title>Trap</title>{PAGES[request.path_params['number']]}")
    answer.headers["x-seen"] = request.cookies.get("seen", "no")
    return answer


async def elsewhere(request: Request) -> Response:
    return RedirectResponse(request.query_params["to"], int(request.query_params.get("status", "302")))


async def cached(request: Request) -> Response:
    """Answers with the number of requests in this world; the browser may keep the answer for a year."""
    db = request.scope["world"].db("trap")
    db.execute("UPDATE asked SET times = times + 1")
    (times,) = db.execute("SELECT times FROM asked").fetchone()
    return PlainTextResponse(str(times), headers={"cache-control": "public, max-age=31536000, immutable"})


WORKER = Response(
    "onfetch = event => event.respondWith(new Response('forged'))",
    media_type="text/javascript",
    headers={"service-worker-allowed": "/"},
)


async def slow(request: Request) -> Response:
    await asyncio.sleep(30)
    return PlainTextResponse("")


async def broken(request: Request) -> Response:
    raise RuntimeError("the site was brought down")


async def swallow(request: Request) -> Response:
    return PlainTextResponse(str(len(await request.body())))


class Trap:
    """A site by the protocol `longtrail.web.site.Site`."""

    name = "trap"
    hosts: tuple[str, ...] = ("trap.test",)
    app = Starlette(
        routes=[
            Route("/page/{number:int}", shown),
            Route("/to", elsewhere, methods=["GET", "POST"]),
            Route("/cached", cached),
            Route("/worker.js", WORKER),
            Route("/slow", slow),
            Route("/broken", broken),
            Route("/swallow", swallow, methods=["POST"]),
            Route("/save", PlainTextResponse("saved")),
            Route("/done", HTMLResponse("<!doctype html><title>Done</title><p>It is done")),
        ]
    )

    def build(self, db: sqlite3.Connection, _: Edition) -> None:
        """Its only state: a counter."""
        db.execute("CREATE TABLE asked (id INTEGER PRIMARY KEY, times INTEGER)")
        db.execute("INSERT INTO asked VALUES (1, 0)")
