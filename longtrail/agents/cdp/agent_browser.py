"""Agent browser: a Chromium process for an agent that drives it itself through CDP, observed from outside.

It can reach only a proxy port that leads into one world; its profile is temporary. The agent's program gets the
address of a filter (`command_filter`). Our own devtools connection observes what the agent does (`observer`); the
record of what the sites served is the second source.
"""

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, TypeVar, Unpack, cast
from urllib.parse import urlsplit

from playwright.async_api import Browser as Chromium
from playwright.async_api import BrowserContext, Error, Page

from longtrail.agents.cdp.command_filter import CommandFilter
from longtrail.agents.cdp.observed_steps import ObservedStep
from longtrail.agents.cdp.observer import CdpObserver, ObserverOptions
from longtrail.agents.cdp.served_evidence import AssignedRequest, ServedEvidence
from longtrail.browser.context_records import Recording
from longtrail.browser.engine import PREFIX
from longtrail.browser.guardian import GUARDIAN
from longtrail.browser.launcher import arguments, environment
from longtrail.browser.open_session import RECORD
from longtrail.browser.script_world import PRINT, clock, restored, shadow
from longtrail.browser.session import Browser
from longtrail.browser.view import VIEWPORT, View, whole
from longtrail.errors import HarnessTrouble
from longtrail.web.world import World

T = TypeVar("T")

START_SECONDS = 30.0
"""Seconds for the process to open its devtools port."""
CALL = 30.0
"""Seconds for one observation from outside."""
COMPARE_SECONDS = 120.0
"""Time to compare what was seen with what was served."""
ENDING = 3.0
"""Seconds from a lost connection to the end of its process."""
PROXY = "proxy.invalid"
"""The proxy's name in this browser. No other name or address can be reached: a context that the agent makes with
another proxy, or without one, reaches nothing."""
CLOSED = 0
"""The exit code of a browser that was told to close, as most agents' drivers do at the end."""


class AgentBrowser:
    """The browser of one phase. Calls block; always close it."""

    def __init__(
        self,
        browser: Browser,
        world: World,
        proxy: str,
        *,
        storage: Mapping[str, Any] | None = None,
        recording: Recording | None = None,
        **options: Unpack[ObserverOptions],
    ) -> None:
        """A separate process of the same Chromium; `proxy` is its only connection. `options`: what counts as a step.
        Raises HarnessTrouble("browser_crash") if it does not start."""
        self._engine, self._world, self._storage = browser.engine, world, storage
        self._recording, self._options = recording, options
        self._settings, self._count = whole(browser.settings), browser.count_tokens
        self.files = Path(tempfile.mkdtemp(prefix=f"longtrail-agent-{os.getpid()}-"))
        """The folder for the program's temporary files and for downloads."""
        self._folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
        self._chromium: Chromium | None = None
        self._observer: CdpObserver | None = None
        self._evidence: ServedEvidence | None = None
        self._filter: CommandFilter | None = None
        self._cookies: list[Any] = []
        self.crashed = ""
        """How a tab of it crashed in this phase (`killed`, `oom` ...); empty if none did."""
        engine = self._engine
        engine.call(engine.browser(), 2 * START_SECONDS)  # shows whether the sandbox works
        self._process = self._start(proxy)
        try:
            port = self._port()
            self._observer = engine.call(self._attach(f"http://127.0.0.1:{port}"), 2 * START_SECONDS)
            self._filter = CommandFilter(port, self.files, world.log.violations.append)
            self.address = f"http://127.0.0.1:{engine.call(self._filter.start(), START_SECONDS)}"
            """The devtools address that the agent is given."""
        except (Error, TimeoutError) as error:
            self.close()
            raise HarnessTrouble("browser_crash", f"the agent's browser can't be watched: {error}") from error
        except HarnessTrouble:
            self.close()
            raise

    def _start(self, proxy: str) -> "subprocess.Popen[bytes] | None":
        """Start the process; None where the user's own browser is driven."""
        port = urlsplit(proxy).port
        command = [
            str(self._engine.executable),
            *arguments(self._engine.launch),
            *(["--headless"] if self._engine.launch.headless else []),
            *([] if self._engine.sandbox else ["--no-sandbox"]),
            f"--proxy-server=http://{PROXY}:{port}",
            f"--host-resolver-rules=MAP {PROXY}:{port} 127.0.0.1:{port}, MAP * ~NOTFOUND",
            "--proxy-bypass-list=<-loopback>",
            "--remote-debugging-port=0",
            f"--user-data-dir={self._folder}",
            f"--window-size={VIEWPORT[0]},{VIEWPORT[1]}",
            "--lang=en-US",
            "about:blank",
        ]
        env = {name: str(value) for name, value in environment(self._folder).items()}
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(  # noqa: S603 (a fixed command)
            command, env=env, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )
        GUARDIAN.watch(process.pid, self._folder)
        return process

    def _port(self) -> int:
        """The devtools port; waits until the process has written it."""
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self._process is not None and self._process.poll() is None:
            if port := devtools_port(self._folder):
                return port
            time.sleep(0.02)
        raise HarnessTrouble("browser_crash", "the agent's browser did not open its devtools port")

    async def _attach(self, address: str) -> CdpObserver:
        if self._world.sealed:
            self._world.log.keep_bodies()
        self._chromium = await self._engine.connect(address)
        session = await self._chromium.new_browser_cdp_session()
        session.on("Target.targetCrashed", self._see_crash)
        await session.send("Target.setDiscoverTargets", {"discover": True})
        observer = await self._observe(self._chromium.contexts[0])
        self._evidence = await ServedEvidence.begin(self._engine, self._world, observer.causes)
        return observer

    async def _observe(self, context: BrowserContext) -> CdpObserver:
        """Prepare the context, and observe its pages."""
        stopped = [clock(self._world.now)] if self._world.sealed else []
        await context.add_init_script(";\n".join([PRINT, shadow(), *stopped]))
        if self._storage:
            await context.add_cookies(cast(Any, self._storage.get("cookies", [])))
            for origin in self._storage.get("origins", []):
                await context.add_init_script(restored(origin))
        if self._recording is not None:
            await self._recording.start(context, self._engine.traces)
        return await self._new_observer(context)

    async def _new_observer(self, context: BrowserContext, page: Page | None = None) -> CdpObserver:
        observer = CdpObserver(context, self._world, self._settings, self._count, **self._options)
        await observer.attach(page)
        return observer

    def _see_crash(self, event: dict[str, Any]) -> None:
        self.crashed = str(event["status"])

    @property
    def observer(self) -> CdpObserver:
        """What is observed of it."""
        if self._observer is None:
            raise HarnessTrouble("harness_bug", "the agent's browser was closed")
        return self._observer

    @property
    def url(self) -> str:
        """The address of the page that was used last."""
        return self.observer.url

    def goto(self, url: str) -> None:
        """Opens a start page for the harness. Raises HarnessTrouble("site_error") if it can't be opened."""
        try:
            self._engine.call(self.observer.open_start_page(url), CALL)
        except (Error, TimeoutError) as error:
            raise HarnessTrouble("site_error", f"start page {url}: {error}") from error

    def rest(self) -> None:
        """Wait until no request is pending; the sites' state is read next."""
        with contextlib.suppress(TimeoutError):
            self._engine.call(self.observer.traffic.rest(self._settings.settle), CALL)

    def with_page(self, use: Callable[[Page], Coroutine[Any, Any, T]]) -> T:
        """Use the page that was used last, in the engine's loop. Raises HarnessTrouble."""
        try:
            return self._engine.call(use(self.observer.page), CALL)
        except (Error, TimeoutError) as error:
            raise HarnessTrouble("browser_crash", f"the agent's browser does not answer: {error}") from error

    def begin_phase(self) -> None:
        """Start counting steps, as after `goto`; a tab that crashed before is forgotten."""
        self.crashed = ""
        self._engine.call(self.observer.begin_phase(), CALL)

    def look(self, *, last: bool = False) -> list[ObservedStep]:
        """What happened since the last look; with `last`, what the page shows now belongs to it. Nothing more happens
        where the agent has closed the browser. Raises HarnessTrouble("browser_crash") if it was lost by itself."""
        happened: list[ObservedStep] = []
        with contextlib.suppress(Error, TimeoutError):
            happened = self._engine.call(self._look(last), CALL)
        if self._ended() not in (None, CLOSED):
            raise HarnessTrouble("browser_crash", "the agent's browser is gone")
        return happened

    def compared_with_served(self, happened: list[ObservedStep]) -> list[ObservedStep]:
        """The same steps, compared with what was served; content that was not served is marked."""
        assert self._evidence is not None
        return self._engine.call(self._evidence.compared(happened), COMPARE_SECONDS)

    def view_compared_with_served(self, view: View) -> View:
        """The same for the final page."""
        assert self._evidence is not None
        return self._engine.call(self._evidence.view(view, self.observer.document), COMPARE_SECONDS)

    def assigned(self, *, last: bool = False) -> list[AssignedRequest]:
        """Requests of the sites' log with their steps, each once. With `last`, all remaining ones."""
        assert self._evidence is not None
        return self._engine.call(self._evidence.assigned(last=last), COMPARE_SECONDS)

    async def _look(self, last: bool) -> list[ObservedStep]:
        if last:
            await self.observer.traffic.rest(self._settings.settle)
        happened = await self.observer.look(last=last)
        with contextlib.suppress(Error):  # what was observed counts, even if the browser is closed meanwhile
            self._cookies = list(await self.observer.context.cookies())
        return happened

    def record_step(self, title: str, outcome: str) -> None:
        """Write a step into a recorded trace, once it is known."""
        if self._recording is not None:
            with contextlib.suppress(Error, TimeoutError):  # the agent has closed the browser
                self._engine.call(self._recording.add_step(self.observer.context, title, outcome), CALL)

    def _ended(self) -> int | None:
        """The exit code of the process. It is waited for, because the connection is lost shortly before the process
        ends."""
        gone = self._chromium is None or not self._chromium.is_connected()
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(ENDING if gone else 0) if self._process else None
        return None

    def storage_state(self) -> dict[str, Any]:
        """Cookies and local storage, for a browser that continues from this state; if the agent has closed the
        browser, the last observed cookies."""
        try:
            return cast("dict[str, Any]", self._engine.call(self.observer.context.storage_state(), CALL))
        except (Error, TimeoutError) as error:
            if self._ended() != CLOSED:
                raise HarnessTrouble("browser_crash", f"the agent's cookies can't be read: {error}") from error
            return {"cookies": self._cookies, "origins": []}

    def close(self) -> None:
        """End the process and remove its profile. May be called again."""
        if self._filter is not None:
            with contextlib.suppress(TimeoutError, HarnessTrouble):
                self._engine.call(self._filter.close(), 5)
        if self._recording is not None and self._observer is not None:
            with contextlib.suppress(Error, TimeoutError, HarnessTrouble):
                self._engine.call(self._recording.stop(self._observer.context), RECORD)
        if self._chromium is not None:
            with contextlib.suppress(Error, TimeoutError, HarnessTrouble):
                self._engine.call(asyncio.wait_for(self._chromium.close(), 3), 5)
        if self._evidence is not None:
            with contextlib.suppress(Error, TimeoutError, HarnessTrouble):
                self._engine.call(self._evidence.close(), 5)
        self._chromium = self._observer = self._evidence = self._filter = None
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            GUARDIAN.release(self._process.pid)
        for folder in (self._folder, self.files):
            shutil.rmtree(folder, ignore_errors=True)


def devtools_port(profile: Path) -> int:
    """The devtools port of a browser with this profile; 0: it has not opened one."""
    file = profile / "DevToolsActivePort"
    lines = file.read_text().split() if file.is_file() else []
    return int(lines[0]) if lines else 0
