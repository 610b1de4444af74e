"""Engine: Playwright's async API in a separate thread and event loop, behind one blocking call with a deadline. The
caller's thread gets no running loop (so pytest-asyncio, pytest-playwright and notebooks keep working), and a hanging
page, browser or driver costs at most the deadline.
"""

import asyncio
import contextlib
import inspect
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Coroutine, Iterable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

import psutil
from playwright.async_api import Browser as Chromium
from playwright.async_api import Error, Playwright, async_playwright

from longtrail.browser.guardian import GUARDIAN
from longtrail.browser.launcher import (
    Launch,
    arguments,
    driver_environment,
    environment,
    find_chromium,
    is_shell,
    sandbox_allowed,
)
from longtrail.errors import HarnessTrouble, UsageError

T = TypeVar("T")

START_SECONDS = 60.0
"""Seconds for the driver and the browser to start, each."""
STOP_SECONDS = 3.0
"""Seconds for the browser to close before it is killed."""
UNWANTED = ["--disable-ipc-flooding-protection"]
"""An argument that the driver adds and we remove: with it, a page can change its address endlessly and flood us with
events."""
GRACE_SECONDS = 1.0
"""Seconds within which a cancelled call must return before its thread counts as stuck."""
PREFIX = "longtrail-browser-"
LOST = "Connection closed"
PROXY_LOOPBACK = "PLAYWRIGHT_DISABLE_FORCED_CHROMIUM_PROXIED_LOOPBACK"


class DriverLoop(asyncio.ProactorEventLoop if sys.platform == "win32" else asyncio.SelectorEventLoop):  # type: ignore[misc]
    """An event loop whose child processes get further environment variables: Playwright has no option for those of its
    driver."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        super().__init__()
        self._variables = variables

    async def subprocess_exec(self, *args: Any, env: Mapping[str, str] | None = None, **options: Any) -> Any:
        """See asyncio."""
        env = {**(os.environ if env is None else env), **self._variables}
        return await super().subprocess_exec(*args, env=env, **options)


class Engine:
    """The thread, the driver and the browser. All three start on first use and again after a loss."""

    def __init__(self, launch: Launch, notify: Callable[[str], None] = lambda _: None) -> None:
        if PROXY_LOOPBACK in os.environ:
            raise UsageError(f"unset {PROXY_LOOPBACK}: with it the browser could bypass the proxy on this machine")
        self.launch = launch
        self.executable = launch.executable_path or (Path() if launch.channel else find_chromium(launch.headless))
        """Of a channel known once the browser has run."""
        self.version = ""
        """Product and version, once the browser has run."""
        self._notify = notify
        self._notified: set[str] = set()
        self.sandbox = sandbox_allowed()
        """Whether Chromium's sandbox works here, known once the browser has run."""
        self._folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
        self.traces = self._folder / "traces"
        """The folder in which the browser writes Playwright's traces."""
        self._loop = DriverLoop(driver_environment(self._folder))
        self._loop.set_exception_handler(_quiet)
        self._thread = threading.Thread(target=self._run, name="longtrail-browser", daemon=True)
        self._driver: Playwright | None = None
        self._browser: Chromium | None = None
        self._pids: list[int] = []
        self._starting: asyncio.Lock | None = None
        _sweep()
        self._thread.start()

    def _run(self) -> None:
        """The thread: runs the loop, and closes it at the end."""
        self._loop.run_forever()
        self._loop.run_until_complete(_cancel_tasks())
        self._loop.close()

    def call(self, work: Coroutine[Any, Any, T], deadline: float) -> T:
        """Run a coroutine in the engine's loop and wait for it. Raises TimeoutError after `deadline` seconds."""
        future = self.begin(work, deadline)
        try:
            return future.result(deadline + GRACE_SECONDS)
        except BaseException:
            future.cancel()
            raise

    def begin(self, work: Coroutine[Any, Any, T], deadline: float | None = None) -> Future[T]:
        """Start a coroutine in the engine's loop; it is cancelled after `deadline` seconds."""
        if self._loop.is_closed():
            work.close()
            raise HarnessTrouble("harness_bug", "the browser was closed")
        return asyncio.run_coroutine_threadsafe(asyncio.wait_for(normalize_driver_error(work), deadline), self._loop)

    async def browser(self) -> Chromium:
        """The running browser; a new one if it (or the driver) was lost. Raises HarnessTrouble("browser_crash")."""
        self._starting = self._starting or asyncio.Lock()
        async with self._starting:
            if self._browser is not None and self._browser.is_connected():
                return self._browser
            try:
                return await normalize_driver_error(self._start())
            except (Error, OSError, TimeoutError) as error:
                if self.launch.channel and not isinstance(error, TimeoutError):
                    raise UsageError(f"--browser-channel {self.launch.channel}: {_first(error)}") from error
                await self._stop()  # perhaps the driver was lost
            try:
                return await normalize_driver_error(self._start())
            except (Error, OSError, TimeoutError) as error:
                raise HarnessTrouble("browser_crash", f"{self.executable} does not start: {_first(error)}") from error

    async def _start(self) -> Chromium:
        if self._driver is None:
            self._driver = await asyncio.wait_for(async_playwright().start(), START_SECONDS)
        try:
            browser = await self._open(self._driver, self.sandbox)
        except Error as error:
            if not self.sandbox or "sandbox" not in str(error).lower():
                raise
            self.sandbox = False
            browser = await self._open(self._driver, sandbox=False)
        if not self.sandbox:
            self._notify_once("Chromium's sandbox is off: this system does not let it start as this user")
        self._browser = browser
        self._pids = await _processes(browser)
        if self.launch.channel:
            self.executable = Path(psutil.Process(self._pids[0]).exe())
        kind = "headless shell" if is_shell(self.executable) else "chromium"
        self.version = f"{kind} {browser.version}"
        for pid in self._pids:
            GUARDIAN.watch(pid, self._folder)
        return browser

    async def _open(self, driver: Playwright, sandbox: bool) -> Chromium:
        return await driver.chromium.launch(
            executable_path=None if self.launch.channel else self.executable,
            channel=self.launch.channel,
            headless=self.launch.headless,
            slow_mo=self.launch.slow_mo,
            args=arguments(self.launch),
            ignore_default_args=UNWANTED,
            chromium_sandbox=sandbox,
            env=environment(self._folder),
            handle_sigint=False,  # the run handles Ctrl-C, not the driver
            timeout=START_SECONDS * 1000,
            traces_dir=self.traces,
        )

    def runs(self, browser: Chromium | None) -> bool:
        """Whether this browser is the engine's present one, and was not lost."""
        return browser is not None and browser is self._browser and browser.is_connected()

    async def connect(self, address: str) -> Chromium:
        """Connect to another browser by its devtools address. Closing the connection does not close the browser."""
        await self.browser()  # this also starts the driver
        assert self._driver is not None
        connect = self._driver.chromium.connect_over_cdp
        takes = inspect.signature(connect).parameters  # older versions can't say where traces are written
        options: dict[str, Any] = {"artifacts_dir": self.traces} if "artifacts_dir" in takes else {}
        return await connect(address, timeout=START_SECONDS * 1000, **options)

    async def end_browser(self, which: Chromium | None = None) -> None:
        """End the browser, by force if necessary. The next `browser()` starts another. If `which` is not the present
        one, it was replaced already."""
        if which is not None and which is not self._browser:
            return
        browser, self._browser = self._browser, None
        pids, self._pids = self._pids, []
        if browser is not None:
            with contextlib.suppress(Exception):  # browser and driver can fail in any way; we end them anyway
                await asyncio.wait_for(browser.close(), STOP_SECONDS)
        _kill(pids)

    def kill(self, which: Chromium | None = None) -> None:
        """End the browser's process at once, from any thread; `which` as for `end_browser`. The next `browser()` starts
        another."""
        if which is not None and which is not self._browser:
            return
        _kill(self._pids)

    async def _stop(self) -> None:
        """End the browser and the driver."""
        await self.end_browser()
        driver, self._driver = self._driver, None
        if driver is not None:
            with contextlib.suppress(Exception):  # a lost driver can fail in any way; we end it anyway
                await asyncio.wait_for(driver.stop(), STOP_SECONDS)

    def close(self) -> None:
        """End everything and remove the folder of temporary files. May be called again."""
        if self._loop.is_closed():
            return
        with contextlib.suppress(TimeoutError):
            self.call(self._stop(), 3 * STOP_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(3 * GRACE_SECONDS)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _notify_once(self, line: str) -> None:
        if line not in self._notified:
            self._notified.add(line)
            self._notify(line)


def _kill(pids: Iterable[int]) -> None:
    """Kill browsers' processes."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
        GUARDIAN.release(pid)


async def normalize_driver_error(work: Coroutine[Any, Any, T]) -> T:
    """Await it. A lost driver raises Error, not a bare Exception as in older versions of Playwright."""
    try:
        return await work
    except Exception as error:
        if type(error) is Exception and LOST in str(error):
            raise Error(str(error)) from error
        raise


async def _processes(browser: Chromium) -> list[int]:
    session = await browser.new_browser_cdp_session()
    info = await session.send("SystemInfo.getProcessInfo")
    await session.detach()
    return [int(process["id"]) for process in info["processInfo"] if process["type"] == "browser"]


async def _cancel_tasks() -> None:
    """Let cancelled tasks finish, so that closing the loop leaves nothing pending."""
    unfinished = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in unfinished:
        task.cancel()
    await asyncio.wait(unfinished, timeout=GRACE_SECONDS) if unfinished else None
    await asyncio.sleep(0)


def _sweep() -> None:
    """Remove what killed workers left behind."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        pid = folder.name.removeprefix(PREFIX).partition("-")[0]
        if pid.isdecimal() and not psutil.pid_exists(int(pid)):
            shutil.rmtree(folder, ignore_errors=True)


def _quiet(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Ignore Playwright's futures that fail when a page closes; log everything else."""
    if not isinstance(context.get("exception"), Error):
        loop.default_exception_handler(context)


def _first(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
