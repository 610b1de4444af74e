"""The ASGI app of the search engine: two hosts with their own design and parameters, and one shared index."""

import sqlite3
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from urllib.parse import urlencode

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from longtrail.web.page_templates import environment, page
from longtrail.web.replica_notice import ABOUT_PATH, ABOUT_TITLE, notice, with_notice
from longtrail.web.request_values import query_pairs, whole_number
from longtrail.web.site import Edition, Site, SourceTransform, as_shipped
from longtrail.web.sites.search.index import index

PAGE_SIZE = 10


@dataclass(frozen=True, slots=True)
class Face:
    """How one host presents the engine."""

    name: str
    results: str
    """Path of the result pages."""
    offset: str
    """The parameter that skips results."""
    template: str


FACES = {
    "www.google.com": Face("Google", "/search", "start", "google.html"),
    "duckduckgo.com": Face("DuckDuckGo", "/", "s", "duckduckgo.html"),
}
ALIASES = {"google.com": "www.google.com", "www.duckduckgo.com": "duckduckgo.com"}


@cache
def _templates() -> Environment:
    templates = environment(Path(__file__).parent / "templates")
    templates.globals.update(about_path=ABOUT_PATH, about_title=ABOUT_TITLE)
    return templates


async def app(vary: SourceTransform, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer one HTTP request."""
    if scope["type"] == "http":
        await _answer(Request(scope, receive), vary)(scope, receive, send)


def _answer(request: Request, vary: SourceTransform) -> Response:
    host = (request.headers.get("host") or "").partition(":")[0].lower()
    path, query = request.scope["path"], request.scope["query_string"].decode("latin-1")
    if host in ALIASES:
        return RedirectResponse(f"https://{ALIASES[host]}{path}{'?' + query if query else ''}", status_code=301)
    face = FACES.get(host)
    if face is None:
        return Response("Misdirected Request", status_code=421)
    if request.method not in ("GET", "HEAD"):
        return Response("Method Not Allowed", status_code=405, headers={"allow": "GET, HEAD"})
    params = dict(query_pairs(query))
    words = params.get("q", "").strip()
    if path == face.results and words:
        return _results(face, words[:400], whole_number(params.get(face.offset, "")), vary)
    if path in ("/", face.results):
        return page(_templates(), face.template, face=face, query="", results=None)
    if path == ABOUT_PATH:
        return page(_templates(), "about.html", face=face, notice=notice(face.name))
    return page(_templates(), "missing.html", 404, face=face, path=path)


def _results(face: Face, query: str, start: int, vary: SourceTransform) -> Response:
    results = index(vary).find(query)
    start = min(start // PAGE_SIZE * PAGE_SIZE, max(0, (len(results) - 1) // PAGE_SIZE * PAGE_SIZE))
    pages = [(number + 1, _address(face, query, number * PAGE_SIZE)) for number in range(-(-len(results) // PAGE_SIZE))]
    page_number = start // PAGE_SIZE
    return page(
        _templates(),
        face.template,
        face=face,
        query=query,
        results=results.shown(start, PAGE_SIZE),
        instead=results.instead,
        instead_url=_address(face, results.instead, 0),
        total=len(results),
        here=page_number + 1,
        pages=pages[max(0, page_number - 5) : page_number + 6],
        previous=pages[page_number - 1][1] if page_number else "",
        next=pages[page_number + 1][1] if page_number + 1 < len(pages) else "",
    )


def _address(face: Face, query: str, start: int) -> str:
    return f"{face.results}?{urlencode({'q': query, **({face.offset: start} if start else {})})}"


class SearchEngine:
    """The search engine as the proxy sees it."""

    def __init__(self, vary: SourceTransform = as_shipped) -> None:
        self.name = "search"
        self._vary = vary
        self.hosts = (*FACES, *ALIASES)
        self.app: ASGIApp = with_notice(partial(app, vary))

    def build(self, db: sqlite3.Connection, _: Edition) -> None:  # noqa: ARG002 (every site has one)
        """No tables: searching changes nothing. The index is built here in advance, because that takes seconds."""
        index(self._vary)


def make(vary: SourceTransform = as_shipped) -> Site:
    """The site object for the proxy."""
    return SearchEngine(vary)
