"""The live view of a run: pages on request in the browser, or a table in the terminal."""

import asyncio
import hmac
import secrets
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import unquote

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from longtrail.errors import DataError, UsageError
from longtrail.records.result import Result
from longtrail.report.addresses import PLAYS
from longtrail.report.figures import percent, span, usd
from longtrail.report.leaderboard.page import leaderboard_files
from longtrail.report.run.page import run_files
from longtrail.report.run.view import RunView, view_run
from longtrail.report.text import clip, plain
from longtrail.report.trace.step_list import step_script
from longtrail.runs.own_tasks import tasks_of
from longtrail.runs.store import Run
from longtrail.statistics.aggregate import summarize

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
OWN = ("leaderboard.html", "compare.html", "data/pairs.js")
RUN_OWN = ("index.html", "cases.html", "data/cases.js")
REFRESH = 5
"""Seconds after which a page of an unfinished run is loaded again."""


class LiveSite:
    """The folder and its cached views: a run is read again only when its files have changed."""

    def __init__(self, reports: Path, token: str = "") -> None:
        self.reports = reports.resolve()
        self.token = token or secrets.token_urlsafe(24)
        self._views: dict[str, tuple[tuple[int, ...], RunView]] = {}
        self._pages: dict[str, tuple[tuple[int, ...], Mapping[str, str]]] = {}

    def app(self) -> Starlette:
        """The server's application: GET and HEAD only."""
        return Starlette(routes=[Route("/{path:path}", self._answer, methods=["GET"])])

    async def _answer(self, request: Request) -> Response:
        if not self._host_is_ours(request):
            return Response("not this host", 421)
        given = request.query_params.get("token", "")
        if given and hmac.compare_digest(given.encode(), self.token.encode()):
            answer: Response = RedirectResponse(request.url.path)
            answer.set_cookie(COOKIE, self.token, httponly=True, samesite="strict")
            return answer
        held = request.cookies.get(COOKIE, "")
        if not hmac.compare_digest(held.encode(), self.token.encode()):
            return Response("Open the address that `longtrail view` printed: it contains the token.", 403)
        path = request.path_params["path"] or "leaderboard.html"
        return await asyncio.to_thread(self._page, path)

    @staticmethod
    def _host_is_ours(request: Request) -> bool:
        """Accept only our own host names: a page of another site can point its own host name at this server (DNS
        rebinding)."""
        return (request.url.hostname or "") in ("127.0.0.1", "localhost", "::1")

    def _page(self, path: str) -> Response:
        made = self._made(path)
        if made is not None:
            text, again = made
            kind = KINDS[Path(path).suffix]
            headers = {"refresh": str(REFRESH)} if again and path.endswith("index.html") else {}
            return Response(text, media_type=kind, headers=_HEADERS | headers)
        file = (self.reports / path).resolve()
        if not file.is_relative_to(self.reports) or not file.is_file() or file.suffix not in KINDS:
            return Response("there is no such page", 404)
        if any(part.startswith(".") for part in file.relative_to(self.reports).parts):
            return Response("there is no such page", 404)
        return FileResponse(file, media_type=KINDS[file.suffix], headers=_HEADERS)

    def _made(self, path: str) -> tuple[str, bool] | None:
        """A generated page, and whether its run is unfinished; None for a file that is served unchanged."""
        if path in OWN or path.startswith(PLAYS):
            views = self.views()
            text = self._cached("", self._stamp(), lambda: leaderboard_files(views)).get(path)
            return None if text is None else (text, False)
        top, _, rest = path.partition("/")
        run, _, name = rest.partition("/")
        if top != "runs" or not run or not (self.reports / "runs" / run / "run.json").is_file():
            return None
        folder = self.reports / "runs" / unquote(run)
        if name in RUN_OWN:
            view = self._view(folder)
            return self._cached(run, _stamp(folder), lambda: run_files(view, tasks_of(Run.open(folder))))[
                name
            ], not view.finished
        if name.startswith("steps/") and not (folder / name).is_file():
            return self._steps(folder, Path(name).stem), False
        return None

    def views(self) -> tuple[RunView, ...]:
        """All runs with a readable manifest, oldest first."""
        fresh = []
        for manifest in sorted((self.reports / "runs").glob("*/run.json")):
            try:
                fresh.append(self._view(manifest.parent))
            except DataError:  # being written
                continue
        return tuple(sorted(fresh, key=lambda view: (view.manifest.started, view.name)))

    def _view(self, folder: Path) -> RunView:
        stamp = _stamp(folder)
        if self._views.get(folder.name, ((),))[0] != stamp:
            self._views[folder.name] = (stamp, view_run(folder))
        return self._views[folder.name][1]

    def _cached(self, name: str, stamp: tuple[int, ...], make: Callable[[], Mapping[str, str]]) -> Mapping[str, str]:
        if name not in self._pages or self._pages[name][0] != stamp:
            self._pages[name] = (stamp, make())
        return self._pages[name][1]

    def _stamp(self) -> tuple[int, ...]:
        return tuple(
            number for path in sorted((self.reports / "runs").glob("*/run.json")) for number in _stamp(path.parent)
        )

    @staticmethod
    def _steps(folder: Path, stem: str) -> str:
        run = Run(folder)
        trajectory = run.latest(run.attempts().get(stem, []))
        return step_script(trajectory) if trajectory is not None else ""


_HEADERS = {"cache-control": "no-store", "x-content-type-options": "nosniff", "referrer-policy": "no-referrer"}


def _stamp(folder: Path) -> tuple[int, ...]:
    """A version that changes when a case begins, ends or has a new screenshot, and when the run ends."""
    watched = ("run.json", "results.jsonl", "gate.json", "results", "episodes", "running")
    return tuple((folder / name).stat().st_mtime_ns if (folder / name).exists() else 0 for name in watched)


EVERY = 1.0
"""Seconds between two updates."""
LAST = 8
"""Number of recently finished cases that are shown."""
COLOURS = {"passed": "green", "failed": "red", "invalid": "yellow"}


def watch(reports: Path, console: Console | None = None) -> int:
    """Update until the run has ended or the user interrupts. Raises UsageError if there is no run."""
    with Live(screen(_latest(reports)), console=console or Console(), auto_refresh=False) as live:
        while True:
            view = _latest(reports)
            live.update(screen(view), refresh=True)
            if view.finished:
                return 0
            time.sleep(EVERY)


def _latest(reports: Path) -> RunView:
    folders = [path.parent for path in (reports / "runs").glob("*/run.json")]
    if not folders:
        raise UsageError(f"{reports / 'runs'}: there is no run")
    return view_run(max(folders, key=lambda folder: ((folder / "run.json").stat().st_ctime_ns, folder.name)))


def screen(view: RunView) -> Group:
    """The table of a run: progress, rates so far, running cases, recently finished cases."""
    done, left = len(view.results), len(view.open_cases)
    counts = {word: sum(result.outcome == word for result in view.results) for word in COLOURS}
    heading = Text(f"{plain(view.name)}  {done}/{done + left}  ")
    for word, count in counts.items():
        heading.append(f"{count} {word}  ", COLOURS[word])
    head = Table.grid(padding=(0, 1))
    head.add_row(heading, ProgressBar(total=max(done + left, 1), completed=done, width=30))
    parts: list[RenderableType] = [head, _rates(view)]
    for waiting in view.open_cases:
        if waiting.playing:
            parts.append(Text(f"  playing {plain(waiting.case.id)}, step {waiting.playing.steps}", "cyan"))
    for recent in _last(view):
        line = Text(f"  {recent.outcome:8}", COLOURS[recent.outcome])
        line.append(f"{plain(recent.case.id)}: {clip(plain(recent.reason), 60)}", "default")
        parts.append(line)
    return Group(*parts)


def _rates(view: RunView) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("contender", "suite", "headline", "95 %", "n", "cost"):
        table.add_column(name, justify="left" if name in ("contender", "suite") else "right")
    for row in summarize(view.results):
        rate = row.headline
        table.add_row(
            Text(clip(plain(row.contender.label), 40)),
            row.suite.replace("_", " "),
            percent(rate.mean if rate else None),
            span(rate.low, rate.high) if rate else "",
            str(rate.n if rate else 0),
            usd(row.usage.usd),
        )
    return table


def _last(view: RunView) -> list[Result]:
    written = (view.folder / "results").glob("*.json")
    times = {path.name.rpartition(".a")[0]: path.stat().st_mtime_ns for path in written}
    return sorted(view.results, key=lambda result: times.get(result.case.id, 0))[-LAST:]
