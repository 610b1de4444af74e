"""Open page: a session in a page of the user's own Playwright test. It goes on in the page's context with its cookies,
and leaves the page as it is at the end. Our engine's event loop sees the page's objects through `UsersObject`, whose
calls are made in the user's thread.
"""

import asyncio
import contextlib
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any

from playwright.async_api import BrowserContext as AsyncContext
from playwright.async_api import Error
from playwright.async_api import Page as AsyncPage
from playwright.sync_api import BrowserContext as SyncContext
from playwright.sync_api import Page as SyncPage

from longtrail.browser.async_session import AsyncSession
from longtrail.browser.open_page.context_log import ContextLog
from longtrail.browser.open_page.playwright_thread import PlaywrightThread
from longtrail.browser.open_session import Session
from longtrail.browser.session import Browser
from longtrail.browser.url_policy import UrlPolicy
from longtrail.browser.view_settings import NOTHING, Permissions, ViewSettings
from longtrail.errors import UsageError

OPEN = 30.0
"""Seconds to attach to the page."""
DIRECT = frozenset({"is_closed", "is_connected"})
"""Methods that only read what Playwright's client knows."""


class OpenPage:
    """The page, and what its context reported since `listen`."""

    def __init__(self, page: SyncPage | AsyncPage, thread: PlaywrightThread) -> None:
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
        self.log = ContextLog()
        self.thread, self._page = thread, page

    def session(
        self, browser: Browser, url_policy: UrlPolicy, settings: ViewSettings, permissions: Permissions = NOTHING
    ) -> Session:
        """A session in the page; `browser` only lends its event loop. Closing it leaves the page open."""
        engine = browser.engine
        objects = UsersObjects(self.thread)
        objects.submit(partial(self.log.listen, self._page.context))
        objects.on_release.append(partial(self.log.end_listening, self._page.context))
        context = objects.of(self._page.context)

        async def open_session() -> AsyncSession:
            objects.loop = asyncio.get_running_loop()
            page = objects.of(self._page)
            return await AsyncSession.adopt(context, page, url_policy, settings, browser.count_tokens, permissions)

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
        if not type(value).__module__.startswith("playwright."):
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
