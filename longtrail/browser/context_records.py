"""Context records: what is recorded of a browser context: the answers that its pages get, what goes wrong in them, and
Playwright's trace, video and last screenshot. These three are raw: a trace is a folder of files that hold cookies and
keys. `runs/recordings.py` keeps what is asked for, without them.

Everybody who plays cases loads this module, so it loads Playwright only when a browser is used.
"""

import asyncio
import contextlib
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from longtrail.records.site_reports import PageError
from longtrail.records.trajectory import Request
from longtrail.web.request_log import RequestLog

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext


UNREACHABLE = (
    "ERR_CONNECTION_REFUSED",
    "ERR_CONNECTION_RESET",
    "ERR_CONNECTION_CLOSED",
    "ERR_CONNECTION_TIMED_OUT",
    "ERR_EMPTY_RESPONSE",
    "ERR_NAME_NOT_RESOLVED",
    "ERR_ADDRESS_UNREACHABLE",
)
"""The browser's reasons if a site does not answer at all."""
DESTINATIONS = {"xhr": "empty", "fetch": "empty", "stylesheet": "style", "media": "video"}
"""Playwright's resource types whose `sec-fetch-dest` has another name."""

NETWORK = "Failed to load resource:"
"""Begins the console's line for an answer with an error status, which is counted as a request."""
CANCELLED = "ERR_ABORTED"
"""The reason if the page itself was left."""
LONGEST = 500
"""Maximum characters of a message."""
MOST = 50
"""Maximum number of errors of one step."""

Kind = Literal["tracing", "video", "screenshot"]
"""pytest-playwright's options."""
KINDS: tuple[Kind, ...] = get_args(Kind)
FILES: dict[Kind, str] = {"tracing": "trace.zip", "video": "video.webm", "screenshot": "screenshot.png"}
"""The name of each kind's file."""
LONGEST_TITLE = 200
"""Maximum characters of a step's title."""
TRACE = "trace"
"""The folder of a raw trace, and the name of its files."""
REFERRED = re.compile(rb'"((?:\w+/)?[\w@.-]+\.\w{2,6})"')
"""A text in a trace's records that may name another of its files."""
SHARED = "resources"
"""The folder of traces' files that are named by their content: traces of one browser share them."""


class ContextLog(RequestLog):
    """Every answer that the pages of a context get, mocked ones included. It takes the place of the sites' log for
    pages of the user's own tests, which no proxy of ours serves. Written by the thread of the context."""

    def listen(self, context: Any) -> None:
        """Listen to a context of Playwright's sync or async API, in its thread."""
        context.on("response", self.add_response)
        context.on("requestfailed", self.add_failure)

    def end_listening(self, context: Any) -> None:
        """Stop listening, in the same thread."""
        context.remove_listener("response", self.add_response)
        context.remove_listener("requestfailed", self.add_failure)

    def add_response(self, response: Any) -> None:
        """Record an answer."""
        request = response.request
        document = request.resource_type == "document"
        self.add(
            Request(
                method=request.method,
                url=request.url,
                status=response.status,
                dest=_destination(request),
                mode="navigate" if document else "",
            )
        )

    def add_failure(self, request: Any) -> None:
        """Record a site that does not answer to a page's own request as a fault of the site."""
        reason = request.failure or ""
        if _destination(request) == "document" and any(word in reason for word in UNREACHABLE):
            self.fault(f"{request.url}: {reason}")


class PageErrors:
    """Console errors, uncaught exceptions of scripts, and requests without an answer."""

    def __init__(self) -> None:
        self._new: list[PageError] = []

    def listen(self, context: Any) -> None:
        """Listen to a context."""
        context.on("console", self._add_console)
        context.on("weberror", lambda event: self._add("exception", str(event.error), event.page))
        context.on("requestfailed", self._add_request)

    def take(self) -> tuple[PageError, ...]:
        """The errors since the last call."""
        taken, self._new = tuple(self._new), []
        return taken

    def _add_console(self, message: Any) -> None:
        if message.type == "error" and not message.text.startswith(NETWORK):
            self._add("console", message.text, message.page)

    def _add_request(self, request: Any) -> None:
        if CANCELLED not in (reason := request.failure or ""):
            self._new.append(PageError(kind="request", text=f"{request.method} {request.url}: {reason}"[:LONGEST]))

    def _add(self, kind: Literal["console", "exception"], text: str, page: Any) -> None:
        if len(self._new) < MOST:
            self._new.append(PageError(kind=kind, text=text[:LONGEST], url=page.url if page else ""))


def _destination(request: Any) -> str:
    """Its `sec-fetch-dest`."""
    kind = str(request.resource_type)
    if kind != "document":
        return DESTINATIONS.get(kind, kind)
    from playwright.async_api import Error

    with contextlib.suppress(Error):  # the first request of a new page, which is no frame's
        if request.frame.parent_frame is not None:
            return "iframe"
    return "document"


class StepGroups:
    """Groups of a trace that somebody else records, if anybody does. All methods run in the engine's loop.
    Playwright has groups since 1.49."""

    async def begin_step(self, context: "BrowserContext", title: str) -> None:
        """Open the group of a step."""
        if hasattr(context.tracing, "group"):
            await context.tracing.group(title[:LONGEST_TITLE])

    async def end_step(self, context: "BrowserContext", outcome: str) -> None:
        """Write a step's outcome, and close its group."""
        tracing = context.tracing
        if hasattr(tracing, "group"):
            # They are carried out in this order, and waited for once.
            await asyncio.gather(tracing.group(outcome[:LONGEST_TITLE]), tracing.group_end(), tracing.group_end())

    async def add_step(self, context: "BrowserContext", title: str, outcome: str) -> None:
        """Write a step that is over already."""
        await self.begin_step(context, title)
        await self.end_step(context, outcome)

    async def stop(self, context: "BrowserContext") -> None:
        """Called before the session is closed."""


class Recording(StepGroups):
    """What one session records. All methods but `files` run in the engine's loop."""

    def __init__(self, folder: Path, kinds: frozenset[Kind]) -> None:
        """`folder` gets the files."""
        self.kinds = kinds
        self._folder = folder
        self._traces = Path()
        self._name = ""

    @property
    def context_options(self) -> dict[str, Any]:
        """Further arguments of Playwright's `new_context`."""
        return {"record_video_dir": self._folder} if "video" in self.kinds else {}

    async def start(self, context: "BrowserContext", traces: Path) -> None:
        """Begin, before a page is opened in it. `traces`: the folder in which its browser writes traces."""
        if "tracing" in self.kinds:
            self._traces, self._name = traces, f"{self._folder.name}-{os.urandom(4).hex()}"
            await context.tracing.start(name=self._name, snapshots=True)  # `Recordings` adds pictures

    async def begin_step(self, context: "BrowserContext", title: str) -> None:
        """Does nothing without a trace."""
        if "tracing" in self.kinds:
            await super().begin_step(context, title)

    async def end_step(self, context: "BrowserContext", outcome: str) -> None:
        """Does nothing without a trace."""
        if "tracing" in self.kinds:
            await super().end_step(context, outcome)

    async def stop(self, context: "BrowserContext") -> None:
        """End the trace and take the screenshot, before the context is closed. The video is complete afterwards."""
        from playwright.async_api import Error  # plugins read the names above before a browser is needed

        with contextlib.suppress(Error):  # a page that is gone has no picture
            if "screenshot" in self.kinds and context.pages:
                await context.pages[-1].screenshot(path=self._folder / FILES["screenshot"], timeout=5_000)
        if "tracing" in self.kinds:
            try:
                await context.tracing.stop()  # Playwright's own zip would take as long as everything else of a trace
            finally:
                await asyncio.to_thread(self._take_trace)

    def _take_trace(self) -> None:
        """Move the files of the trace into a folder of its own. Those that others may need stay as links."""
        for kind in (".trace", ".network"):
            source, records = self._traces / f"{self._name}{kind}", self._folder / TRACE / f"{TRACE}{kind}"
            if not source.is_file():
                continue  # the browser was lost before it began
            records.parent.mkdir(exist_ok=True)
            source.rename(records)
            for name in sorted(set(REFERRED.findall(records.read_bytes()))):
                for path in (name.decode(), f"{SHARED}/{name.decode()}"):  # Playwright before 1.60 names no folder
                    _take(self._traces / path, self._folder / TRACE / path)

    def files(self) -> dict[Kind, Path]:
        """What was recorded, once the session is over; the trace is a folder. Of several pages' videos, the longest."""
        files = {kind: self._folder / name for kind, name in FILES.items()} | {"tracing": self._folder / TRACE}
        videos = sorted(self._folder.glob("*.webm"), key=lambda path: path.stat().st_size)
        files |= {"video": videos[-1]} if videos else {}
        return {kind: path for kind, path in files.items() if path.exists()}


def _take(source: Path, target: Path) -> None:
    """Move a file, or link it if others may need it."""
    if source.is_file() and not target.exists():
        target.parent.mkdir(exist_ok=True)
        os.link(source, target)
        if source.parent.name != SHARED:
            source.unlink()
