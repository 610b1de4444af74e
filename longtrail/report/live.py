"""The live view of a reports folder: its pages, built from the current files on request."""

import asyncio
import hmac
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from longtrail.errors import DataError
from longtrail.report.addresses import PLAYS
from longtrail.report.leaderboard.page import leaderboard_files
from longtrail.report.run.page import run_files
from longtrail.report.run.view import RunView, view_run
from longtrail.runs.own_tasks import tasks_of
from longtrail.runs.store import Run

T = TypeVar("T")
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".jsonl": "text/plain; charset=utf-8",
    ".css": "text/css",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".svg": "image/svg+xml",
}
"""The files that are served; all others are not found."""
COOKIE = "longtrail_token"
SITE_PAGES = ("leaderboard.html", "compare.html", "data/pairs.js")
RUN_PAGES = ("index.html", "cases.html", "data/cases.js")
REFRESH = 5
"""Seconds after which a page of an unfinished run is loaded again."""


class LiveReports:
    """The folder and its cached views: a run is read again only when its files have changed."""

    def __init__(self, reports: Path, token: str = "") -> None:
        self.reports = reports.resolve()
        self.token = token or secrets.token_urlsafe(24)
        self._cache: dict[tuple[str, str], tuple[tuple[int, ...], Any]] = {}
        """What and of which run (empty: of all) -> the version of the files that it was made of, and what was made."""

    def app(self) -> Starlette:
        """The server's application: GET and HEAD only."""
        return Starlette(routes=[Route("/{path:path}", self._answer, methods=["GET"])])

    async def _answer(self, request: Request) -> Response:
        if not self._host_is_ours(request):
            return Response("not this host", 421)
        token = request.query_params.get("token", "")
        if token and hmac.compare_digest(token.encode(), self.token.encode()):
            answer: Response = RedirectResponse(request.url.path)
            answer.set_cookie(COOKIE, self.token, httponly=True, samesite="strict")
            return answer
        cookie = request.cookies.get(COOKIE, "")
        if not hmac.compare_digest(cookie.encode(), self.token.encode()):
            return Response("Open the address that `longtrail view` printed: it contains the token.", 403)
        path = request.path_params["path"] or "leaderboard.html"
        return await asyncio.to_thread(self._page, path)

    @staticmethod
    def _host_is_ours(request: Request) -> bool:
        """Accept only our own host names: a page of another site can point its own host name at this server (DNS
        rebinding)."""
        return (request.url.hostname or "") in ("127.0.0.1", "localhost", "::1")

    def _page(self, path: str) -> Response:
        page = self._made(path)
        if page is not None:
            text, unfinished = page
            kind = KINDS[Path(path).suffix]
            headers = {"refresh": str(REFRESH)} if unfinished and path.endswith("index.html") else {}
            return Response(text, media_type=kind, headers=_HEADERS | headers)
        file = (self.reports / path).resolve()
        if not file.is_relative_to(self.reports) or not file.is_file() or file.suffix not in KINDS:
            return Response("there is no such page", 404)
        if any(part.startswith(".") for part in file.relative_to(self.reports).parts):
            return Response("there is no such page", 404)
        return FileResponse(file, media_type=KINDS[file.suffix], headers=_HEADERS)

    def _made(self, path: str) -> tuple[str, bool] | None:
        """A generated page, and whether its run is unfinished; None for a file that is served unchanged."""
        if path in SITE_PAGES or path.startswith(PLAYS):
            stamp = tuple(number for run in self._runs() for number in _stamp(run))
            text = self._cached("pages", "", stamp, lambda: leaderboard_files(self.views())).get(path)
            return None if text is None else (text, False)
        top, _, below = path.partition("/")
        run, _, name = below.partition("/")
        folder = self.reports / "runs" / unquote(run)
        if top != "runs" or name not in RUN_PAGES or folder not in self._runs():
            return None
        view = self._view(folder)
        pages = self._cached("pages", run, _stamp(folder), lambda: run_files(view, tasks_of(Run.open(folder))))
        return pages[name], not view.finished

    def views(self) -> tuple[RunView, ...]:
        """All runs with a readable manifest, oldest first."""
        fresh = []
        for folder in self._runs():
            try:
                fresh.append(self._view(folder))
            except DataError:  # being written
                continue
        return tuple(sorted(fresh, key=lambda view: (view.manifest.started, view.name)))

    def _runs(self) -> list[Path]:
        return sorted(manifest.parent for manifest in (self.reports / "runs").glob("*/run.json"))

    def _view(self, folder: Path) -> RunView:
        return self._cached("view", folder.name, _stamp(folder), lambda: view_run(folder))

    def _cached(self, what: str, run: str, stamp: tuple[int, ...], make: Callable[[], T]) -> T:
        if self._cache.get((what, run), ((),))[0] != stamp:
            self._cache[what, run] = (stamp, make())
        made: T = self._cache[what, run][1]
        return made


_HEADERS = {"cache-control": "no-store", "x-content-type-options": "nosniff", "referrer-policy": "no-referrer"}


def _stamp(folder: Path) -> tuple[int, ...]:
    """A version that changes when a case begins, ends or has a new screenshot, and when the run ends."""
    watched = ("run.json", "results.jsonl", "gate.json", "results", "episodes", "running")
    return tuple((folder / name).stat().st_mtime_ns if (folder / name).exists() else 0 for name in watched)
