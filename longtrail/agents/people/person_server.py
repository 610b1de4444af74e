"""Person server: serves the page in which a person plays, on this machine only, for all cases of a session.

Whoever has the address can drive the browser. So it holds a token, and a page of another site, which can't know it,
gets nothing: the host must be this machine, and the websocket's origin the page itself.
"""

import contextlib
import json
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import ValidationError
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from longtrail.agents.agent import Assignment
from longtrail.agents.cdp.agent_browser import AgentBrowser
from longtrail.agents.cdp.process import AgentReport, TaskMessage
from longtrail.agents.people.page_messages import PAGE_MESSAGE, DialogAnswer, Done, Draft, ReadPage, Stop
from longtrail.agents.people.shown_browser import ShownBrowser
from longtrail.browser.engine import Engine
from longtrail.records.memory import render_history
from longtrail.records.trajectory import Usage

ENGINE_SECONDS = 30.0
"""Time to begin or end something in the engine's loop."""
PAGES = Path(__file__).with_name("page")
FILES = {
    "": ("play.html", "text/html"),
    "play.css": ("play.css", "text/css"),
    "play.js": ("play.js", "text/javascript"),
}
"""Addresses below the token -> file and content type."""
SOCKET = "socket"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src blob:; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
MAX_BYTES = 1_000_000
"""Longest message of the page."""


class PersonPlay:
    """What the person is told, the form as it stands, and the report once it is sent."""

    def __init__(
        self,
        assignment: Assignment,
        browser: ShownBrowser,
        stopped: threading.Event,
        on_step: Callable[[], object],
        on_close: Callable[[], object],
    ) -> None:
        """`stopped`: the person stops for now, as with Ctrl-C. `on_step`: called when `steps` has changed; `on_close`:
        when the phase is over."""
        self.assignment, self.browser = assignment, browser
        self.draft: dict[str, Any] = {}
        self.steps = 0
        """Steps so far, as the limit counts them."""
        self.timed_out = False
        """A person has no time limit."""
        self._stopped, self._on_step, self._on_close = stopped, on_step, on_close
        self._report: AgentReport | None = None
        self._ended = threading.Event()
        self._clock = threading.Lock()
        self._seconds = 0.0
        """Not counted to a step yet."""
        self._since: float | None = None
        """Until when they are counted; None: the page is closed."""

    def task(self) -> dict[str, Any]:
        """The task for the page, with the form as it was left."""
        assignment = self.assignment
        return {
            "type": "task",
            "prompt": assignment.prompt,
            "history": render_history(assignment.history) if assignment.history else "",
            "decisions": assignment.decisions,
            "step_limit": assignment.step_limit,
            "steps": self.steps,
            "form": self.draft,
        }

    def send_in(self, report: AgentReport) -> str:
        """The person has answered. Returns what is wrong with the answer; empty if it is taken."""
        decisions = self.assignment.decisions
        if decisions and report.decision not in decisions:
            return f"Choose one decision: {', '.join(decisions)}."
        if not decisions and report.decision:
            return "Nothing is decided here: give an answer, or leave it empty."
        self._report = report.model_copy(update={"usage": Usage()})
        self._ended.set()
        return ""

    def open_page(self) -> None:
        """The person's page is open: the time runs."""
        with self._clock:
            self._since = self._since or time.monotonic()

    def close_page(self) -> None:
        """It is closed: the time stands still."""
        with self._clock:
            self._count()
            self._since = None

    def _count(self) -> None:
        if self._since is not None:
            now = time.monotonic()
            self._seconds, self._since = self._seconds + now - self._since, now

    def step_observed(self, steps: int) -> float:
        """Show the number of steps. Returns the person's seconds since the last call."""
        self.steps = steps
        self._on_step()
        with self._clock:
            self._count()
            seconds, self._seconds = self._seconds, 0.0
        return round(seconds, 3)

    def wait(self, seconds: float) -> bool:
        """Wait at most so long. Returns whether the person has answered. Raises KeyboardInterrupt if they stop for
        now: nothing of the case is scored then."""
        ended = self._ended.wait(seconds)
        if self._stopped.is_set():
            raise KeyboardInterrupt
        return ended

    def report(self) -> tuple[AgentReport | None, str]:
        """The answer."""
        return self._report, ""

    def close(self) -> None:
        """The phase is over, for whatever reason."""
        self._on_close()


class PersonServer:
    """The server and the phase that is being played. A context manager."""

    def __init__(self, say: Callable[[str], object]) -> None:
        """`say`: prints a line for the person."""
        self._say = say
        self._token = secrets.token_urlsafe(24)
        self._engine: Engine | None = None
        self._server: Server | None = None
        self._port = 0
        self._client: ServerConnection | None = None
        self.current_phase: PersonPlay | None = None
        """The phase that is being played; None between two phases."""
        self._stopped = threading.Event()

    def __enter__(self) -> "PersonServer":
        return self

    def __exit__(self, *_: object) -> None:
        """End the server."""
        if self._engine is not None:
            with contextlib.suppress(TimeoutError):
                self._engine.call(self._end_server(), ENGINE_SECONDS)

    @property
    def address(self) -> str:
        """The page's address. It opens for whoever has it: it is told to the person only."""
        return f"http://127.0.0.1:{self._port}/{self._token}/"

    def begin_phase(self, assignment: Assignment, engine: Engine, browser: AgentBrowser, _: TaskMessage) -> PersonPlay:
        """Let the person play a phase in this browser. Close it afterwards."""
        return engine.call(self._begin(assignment, engine, browser), ENGINE_SECONDS)

    def stop(self) -> None:
        """The person stops for now: the case that is being played ends with KeyboardInterrupt, as with Ctrl-C."""
        self._stopped.set()

    async def _begin(self, assignment: Assignment, engine: Engine, browser: AgentBrowser) -> PersonPlay:
        if engine is not self._engine:  # the first phase, or the browser was lost, and its loop with it
            self._client = None
            self._server = await serve(
                self._talk,
                "127.0.0.1",
                self._port,
                process_request=self._serve_file,
                compression=None,
                max_size=MAX_BYTES,
            )
            self._engine, self._port = engine, int(next(iter(self._server.sockets)).getsockname()[1])
            self._say(f"agent human: open this page to play: {self.address}")
        shown = ShownBrowser(browser.observer.context, self._send, screencast=engine.launch.headless)
        play = self.current_phase = PersonPlay(
            assignment,
            shown,
            self._stopped,
            on_step=lambda: engine.begin(self._send({"type": "steps", "steps": play.steps}), ENGINE_SECONDS),
            on_close=lambda: engine.call(self._end(), ENGINE_SECONDS),
        )
        await shown.begin()
        await self._greet()
        return play

    async def _end(self) -> None:
        play, self.current_phase = self.current_phase, None
        if play is not None:
            await play.browser.close()
        await self._send({"type": "wait"})

    async def _end_server(self) -> None:
        await self._send({"type": "over"})
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    async def _serve_file(self, client: ServerConnection, request: Request) -> Response | None:
        """A file of the page; None: the websocket."""
        host, path = request.headers.get("Host", ""), urlsplit(request.path).path
        token, _, name = path.removeprefix("/").partition("/")
        if urlsplit(f"//{host}").hostname not in ("127.0.0.1", "localhost"):
            return client.respond(403, "This page can be opened on this machine only.\n")
        if not secrets.compare_digest(token.encode(), self._token.encode()):
            return client.respond(404, "The page's whole address is in the terminal.\n")
        if name == SOCKET:
            same = request.headers.get("Origin", "") == f"http://{host}"
            return None if same else client.respond(403, "Another page can't use this address.\n")
        if name not in FILES:
            return client.respond(404, "There is nothing here.\n")
        file, kind = FILES[name]
        body = (PAGES / file).read_bytes()
        headers = {
            "Content-Type": f"{kind}; charset=utf-8",
            "Content-Length": str(len(body)),
            "Content-Security-Policy": POLICY,
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "no-store",
            "Connection": "close",
        }
        return Response(200, "OK", Headers(headers), body)

    async def _talk(self, client: ServerConnection) -> None:
        """Talk with the person's page over its websocket, until it is closed. One that is opened later replaces it."""
        before, self._client = self._client, client
        if before is not None:
            await before.close(4000, "opened elsewhere")
        with contextlib.suppress(ConnectionClosed):
            await self._greet()
            async for text in client:
                if problem := await self._handle_message(text):
                    await self._send({"type": "problem", "message": problem})
        if self._client is client:
            self._client = None
            if self.current_phase is not None:
                self.current_phase.close_page()
                self._say(f"the page was closed; the case waits: {self.address} (Ctrl-C: go on later with --resume)")

    async def _greet(self) -> None:
        """Tell a page that was opened, or a phase that has begun, how things stand."""
        if self.current_phase is None:
            await self._send({"type": "wait"})
        elif self._client is not None:
            self.current_phase.open_page()
            await self._send(self.current_phase.task())
            await self.current_phase.browser.show()

    async def _handle_message(self, text: str | bytes) -> str:
        """Carry out a message of the page. Returns what is wrong with it; empty if nothing is."""
        try:
            message = PAGE_MESSAGE.validate_json(text)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        play = self.current_phase
        if isinstance(message, Stop):
            self.stop()
        elif play is None:
            return ""
        elif isinstance(message, Done):
            await play.browser.finish_inputs()  # the last click belongs to the case
            return play.send_in(message.report)
        elif isinstance(message, Draft):
            play.draft = message.form
        elif isinstance(message, ReadPage):
            url, said = await play.browser.read(message.what)
            await self._send({"type": message.what, "url": url, "text": said})
        elif isinstance(message, DialogAnswer):
            await play.browser.answer(message)
        else:
            play.browser.queue_input(message)
        return ""

    async def _send(self, message: dict[str, Any] | bytes) -> None:
        client = self._client
        if client is not None:
            with contextlib.suppress(ConnectionClosed):
                await client.send(message if isinstance(message, bytes) else json.dumps(message))
