"""Open page: a session in a page of the user's own Playwright test. It goes on in the page's context with its cookies,
and leaves the page as it is at the end.

Two threads meet here. The test uses Playwright in its own thread; the episode is played in another one, so that any
agent can play it. Calls on the page are made in the test's thread (`PlaywrightThread`), which meanwhile handles the
page's events: mocked routes, listeners. Our engine's event loop sees the page's objects through `UsersObject`.
"""

import asyncio
import contextlib
import inspect
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from functools import partial, wraps
from typing import Any, Protocol, TypeVar

import greenlet
from playwright.async_api import BrowserContext as AsyncContext
from playwright.async_api import Error
from playwright.async_api import Page as AsyncPage
from playwright.sync_api import BrowserContext as SyncContext
from playwright.sync_api import Page as SyncPage

from longtrail.browser.async_session import AsyncSession, SessionSetup
from longtrail.browser.context_records import ContextLog
from longtrail.browser.open_session import Session
from longtrail.browser.session import Browser
from longtrail.browser.url_policy import UrlPolicy
from longtrail.browser.view import NOTHING, Permissions, ViewSettings
from longtrail.errors import HarnessTrouble, UsageError
from longtrail.web.world import Templates, World

T = TypeVar("T")

OPEN = 30.0
"""Seconds to attach to the page."""
DIRECT = frozenset({"is_closed", "is_connected"})
"""Methods that only read what Playwright's client knows."""


class PlaywrightThread(Protocol):
    """Where calls on the user's page are made."""

    def submit(self, call: Callable[[], Any]) -> Future[Any]:
        """Make a call in the thread, after all earlier ones have begun. Its value, or that of the coroutine that it
        returns."""

    def play(self, episode: Callable[[], T]) -> T | Awaitable[T]:
        """Play an episode in another thread, and handle calls and events until it is over."""


def made_in(thread: PlaywrightThread, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that calls this one in the user's thread, because it may use the page or the app's database."""

    @wraps(function)
    def call(*args: Any) -> Any:
        return thread.submit(lambda: function(*args)).result()

    return call


class SyncThread:
    """Playwright's sync API. Its event loop runs in a greenlet of the same thread, but only while a call waits."""

    def __init__(self, page: SyncPage) -> None:
        self._loop = asyncio.get_running_loop()
        entered: list[greenlet.greenlet] = []
        self._loop.call_soon(lambda: entered.append(greenlet.getcurrent()))
        page.context.cookies()  # any call lets the loop run
        self._dispatcher = entered[0]

    def submit(self, call: Callable[[], Any]) -> Future[Any]:
        """Each call has a greenlet of its own, so that one that waits does not hold up the others."""
        future: Future[Any] = Future()
        self._loop.call_soon_threadsafe(lambda: greenlet.greenlet(lambda: _settle(future, call)).switch())
        return future

    def play(self, episode: Callable[[], T]) -> T:
        """Blocks; Playwright's event loop runs meanwhile."""
        main, waiting = greenlet.getcurrent(), True

        def resume() -> None:
            if waiting:
                main.switch()

        future = _begin(episode)
        future.add_done_callback(lambda _: self._loop.call_soon_threadsafe(resume))
        try:
            while not future.done():
                if self._dispatcher.dead:
                    raise HarnessTrouble("browser_crash", "the connection to Playwright's driver was lost")
                self._dispatcher.switch()
        finally:
            waiting = False
        return future.result()


class AsyncThread:
    """Playwright's async API."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()

    def submit(self, call: Callable[[], Any]) -> Future[Any]:
        """Each call is a task of the user's event loop."""
        return asyncio.run_coroutine_threadsafe(_called(call), self._loop)

    async def play(self, episode: Callable[[], T]) -> T:
        """To be awaited in the user's event loop."""
        return await asyncio.wrap_future(_begin(episode))


def _begin(episode: Callable[[], T]) -> Future[T]:
    """Play in a new thread, which does not keep the process alive."""
    future: Future[T] = Future()
    threading.Thread(target=_settle, args=(future, episode), name="longtrail-episode", daemon=True).start()
    return future


def _settle(future: Future[T], call: Callable[[], T]) -> None:
    try:
        value = call()
    except BaseException as error:  # noqa: BLE001 (whoever waits for the future gets it, pytest's outcomes too)
        future.set_exception(error)
    else:
        future.set_result(value)


async def awaited(value: Any) -> Any:
    """A value, or that of a coroutine."""
    return await value if inspect.isawaitable(value) else value


async def _called(call: Callable[[], Any]) -> Any:
    return await awaited(call())


class OpenPage:
    """The page, and what its context reported since `listen`."""

    def __init__(self, page: SyncPage | AsyncPage) -> None:
        """Called in the user's thread. Raises UsageError for a page that can't be used."""
        if page.is_closed():
            raise UsageError("web_agent: the page is closed")
        browser = page.context.browser
        name = browser.browser_type.name if browser else "chromium"
        if name != "chromium":
            raise UsageError(f"web_agent: page= needs Chromium, whose protocol reads the page; this is {name}")
        if not page.url.startswith(("http://", "https://")):
            raise UsageError(f"web_agent: the page shows {page.url}; open your app in it first")
        self.version = f"chromium {browser.version}" if browser else "chromium"
        self.url = page.url
        self._log = ContextLog()
        self.world = World("users-page", Templates(()), log=self._log)
        self.world.sealed = False
        self.thread: PlaywrightThread = SyncThread(page) if isinstance(page, SyncPage) else AsyncThread()
        self._page = page

    def begin_log(self) -> None:
        """Begin to record what the page's context reports."""
        self.thread.submit(partial(self._log.listen, self._page.context))

    def end_log(self) -> None:
        """End that."""
        with contextlib.suppress(Error):  # the page was closed
            self.thread.submit(partial(self._log.end_listening, self._page.context)).result(OPEN)

    def process_id(self) -> int:
        """The id of its browser's process."""
        assert self._page.context.browser is not None
        session = self._call(self._page.context.browser.new_browser_cdp_session)
        processes = self._call(session.send, "SystemInfo.getProcessInfo")["processInfo"]
        self._call(session.detach)
        return next(int(process["id"]) for process in processes if process["type"] == "browser")

    def target(self) -> str:
        """The browser's own name for the page."""
        session = self._call(self._page.context.new_cdp_session, self._page)
        target = self._call(session.send, "Target.getTargetInfo")["targetInfo"]["targetId"]
        self._call(session.detach)
        return str(target)

    def _call(self, method: Callable[..., Any], *args: Any) -> Any:
        return self.thread.submit(partial(method, *args)).result(OPEN)

    def session(
        self, browser: Browser, url_policy: UrlPolicy, settings: ViewSettings, permissions: Permissions = NOTHING
    ) -> Session:
        """A session in the page; `browser` only lends its event loop. Closing it leaves the page open."""
        setup = SessionSetup(settings, browser.count_tokens, url_policy, permissions=permissions)
        engine, objects = browser.engine, UsersObjects(self.thread)
        self.begin_log()
        objects.on_release.append(partial(self._log.end_listening, self._page.context))
        context = objects.of(self._page.context)

        async def open_session() -> AsyncSession:
            objects.loop = asyncio.get_running_loop()
            page = objects.of(self._page)
            return await AsyncSession.adopt(context, page, setup)

        return Session(engine, engine.call(open_session(), OPEN))


class UsersObjects:
    """The user's Playwright objects, each with one `UsersObject`, and the listeners that we added to them."""

    def __init__(self, thread: PlaywrightThread) -> None:
        self.loop: asyncio.AbstractEventLoop
        self.on_release: list[Callable[[], object]] = []
        """Called in the user's thread when we leave."""
        self._thread = thread
        self._known: dict[int, UsersObject] = {}

    def of(self, value: Any) -> Any:
        """A value as our event loop may use it."""
        if isinstance(value, list):
            return [self.of(each) for each in value]
        if not type(value).__module__.startswith(("playwright.sync_api", "playwright.async_api")):
            return value
        kind = UsersContext if isinstance(value, SyncContext | AsyncContext) else UsersObject
        return self._known.setdefault(id(value), kind(value, self))

    def submit(self, call: Callable[[], Any]) -> Future[Any]:
        """Make a call in the user's thread."""
        return self._thread.submit(call)

    async def release(self) -> None:
        """Remove our listeners and devtools sessions."""
        for call in reversed(self.on_release):
            with contextlib.suppress(Error):  # the page was closed meanwhile
                await asyncio.wrap_future(self.submit(call))


class UsersObject:
    """A page, context, devtools session ... of the user's: its methods are coroutines in our event loop."""

    def __init__(self, target: Any, objects: UsersObjects) -> None:
        self._target, self._objects = target, objects

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._target, name)
        if name in DIRECT or not callable(value):
            return self._objects.of(value)

        async def call(*args: Any, **options: Any) -> Any:
            return self._objects.of(await asyncio.wrap_future(self._objects.submit(partial(value, *args, **options))))

        return call

    def on(self, event: str, handler: Callable[[Any], object]) -> None:
        """Call `handler` in our event loop, in the order of the events."""
        objects, target = self._objects, self._target

        def forward(value: Any) -> None:
            objects.loop.call_soon_threadsafe(handler, objects.of(value))

        objects.submit(partial(target.on, event, forward))
        objects.on_release.append(partial(target.remove_listener, event, forward))


class UsersContext(UsersObject):
    """The user's context. Closing it only ends our part."""

    async def new_cdp_session(self, page: UsersObject) -> Any:
        """A devtools session on a page, until we leave."""
        open_session = partial(self._target.new_cdp_session, page._target)
        session = await asyncio.wrap_future(self._objects.submit(open_session))
        self._objects.on_release.append(session.detach)
        return self._objects.of(session)

    async def close(self) -> None:
        """Leave the context open."""
        await self._objects.release()
