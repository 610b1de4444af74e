"""The search engine: full text over every page of the consumer web, and the app of its two hosts, each with its own
design and parameters."""

import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from pathlib import Path
from urllib.parse import urlencode

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from longtrail.web.page_templates import ABOUT_PATH, environment, notice, page, with_notice
from longtrail.web.request_values import query_pairs, whole_number
from longtrail.web.site import VARIANTS_KEPT, Edition, Site, SourceTransform, as_shipped
from longtrail.web.sites.consumer import sites
from longtrail.web.sites.consumer.finding import Document, documents
from longtrail.web.sites.consumer.full_text import FullText, Matches

COLUMNS = {"title": 8.0, "site": 5.0, "text": 3.0, "body": 1.0}
TEXT, BODY = 2, 3
MOST = 200
"""Maximum number of results of one query."""
ENOUGH = 10
"""With fewer pages than this that contain all words, pages with some of them follow."""
_SITE = re.compile(r"\bsite:(\S+)")


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One hit: `passage` is text around the words found, in (text, is a found word) runs."""

    title: str
    url: str
    host: str
    passage: tuple[tuple[str, bool], ...]


class SearchResults:
    """The results of a query, best first. Passages are made only for the results that are shown."""

    def __init__(self, index: "Index", matches: Matches) -> None:
        self._index, self._found, self._rows = index, matches, matches.rows[:MOST]
        self.instead = matches.instead
        """The corrected query, if its spelling was corrected."""

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def urls(self) -> list[str]:
        """The addresses of all results."""
        return [self._index.pages[row].url for row in self._rows]

    def shown(self, start: int, size: int) -> list[SearchHit]:
        """The results on one page."""
        return [self._hit(row) for row in self._rows[start : start + size]]

    def _hit(self, row: int) -> SearchHit:
        page = self._index.pages[row]
        text = self._index.texts.passage(self._found, row, TEXT, 40)
        body = self._index.texts.passage(self._found, row, BODY, 30)
        return SearchHit(page.title, page.url, _host(page), _runs(_passage(text, body)))


class Index:
    """Full-text search over documents; the title has the highest weight."""

    def __init__(self, documents: Iterable[tuple[str, Document]]) -> None:
        named = list(documents)
        self.pages = [page for _, page in named]
        texts = ((page.title, f"{name} {_host(page)}", page.text, page.body) for name, page in named)
        self.texts = FullText(COLUMNS, texts, [page.weight for page in self.pages])

    def find(self, query: str) -> SearchResults:
        """Pages with all words of the query, best first; then, if they are few, pages with some of them."""
        site_filter = _SITE.search(query)
        host = site_filter[1].lower().removeprefix("www.").strip("/") if site_filter else ""

        def wanted(row: int) -> bool:
            return not host or f".{_host(self.pages[row])}".endswith(f".{host}")

        matches = self.texts.find(_SITE.sub(" ", query), few=ENOUGH, loose=True, among=wanted)
        return SearchResults(self, matches)


def _host(page: Document) -> str:
    return page.url.split("/")[2]


def _passage(text: str, body: str) -> str:
    """The page's description if it contains a word of the query or there is nothing better, otherwise a passage."""
    return text if "\x02" in text or not ("\x02" in body or not text) else body


def _runs(passage: str) -> tuple[tuple[str, bool], ...]:
    parts = re.split("[\x02\x03]", passage)
    return tuple((part, at % 2 == 1) for at, part in enumerate(parts) if part)


def index(vary: SourceTransform = as_shipped) -> Index:
    """The index over all replicas."""
    return _index(vary)


@lru_cache(VARIANTS_KEPT)
def _index(vary: SourceTransform) -> Index:
    return Index((replica.spec.name, document) for replica in sites.replicas(vary) for document in documents(replica))


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
    return environment(Path(__file__).parent / "templates")


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
