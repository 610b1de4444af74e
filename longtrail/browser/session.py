"""Browser and session: one Chromium per worker, with one isolated context per episode. Blocking calls.

Several threads may have a session each. If the browser must be ended (a page can't be recovered), all of them end.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from typing import Any, TypeVar, cast

from playwright.async_api import BrowserContext, Error, ProxySettings, StorageState

from longtrail.browser.agent_browser import AgentBrowser
from longtrail.browser.async_session import AsyncSession
from longtrail.browser.engine import Engine, told
from longtrail.browser.launcher import Launch
from longtrail.browser.observation_budget import CountTokens, quarter
from longtrail.browser.ready_session import NextSession, ReadySession
from longtrail.browser.session_world import ServedWorld, SessionWorld
from longtrail.browser.url_policy import UrlPolicy
from longtrail.browser.view import Trees, View
from longtrail.browser.view_settings import VIEWPORT, ViewSettings
from longtrail.errors import HarnessTrouble
from longtrail.records.action import Action
from longtrail.records.trajectory import Outcome

T = TypeVar("T")

OPEN = 30.0
"""Seconds to open a session, without the browser's start."""
RECYCLE = 150
"""Number of sessions after which new ones get a new browser and driver (the driver keeps some memory for each). The old
ones end with their last session."""
RESCUE = 2.0
"""Seconds for each attempt to recover an unresponsive page."""
CLOSE = 10.0
"""Seconds within which a context must close; otherwise the browser is ended."""

__all__ = ["Browser", "Session", "ViewSettings"]


class Browser:
    """One Chromium, started on first use. A context manager; `close` ends it and removes its temporary files.

    `launch` takes Playwright's launch options (pytest-playwright's `browser_type_launch_args`); `count` counts tokens;
    `notify` is called once for each message to the user (such as that the sandbox is off).
    """

    def __init__(
        self,
        settings: ViewSettings | None = None,
        launch: Launch | Mapping[str, Any] | None = None,
        *,
        count: CountTokens = quarter,
        notify: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.settings = settings or ViewSettings()
        self.notices: list[str] = []
        """The messages of `notify`."""
        self._notify = notify
        self._launch = launch if isinstance(launch, Launch) else Launch.of(launch or {})
        self._engine = Engine(self._launch, self._tell)
        self._count = count
        self._opened = 0
        self._seats: dict[Engine, int] = {self._engine: 0}
        """How many sessions each running engine has. The last one is `_engine`, which new sessions get."""
        self._counting = threading.Lock()
        self._ready = NextSession()

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def version(self) -> str:
        """Kind and version of the browser, `headless shell 156.0.8078.79`; starts it if needed."""
        if not self._engine.version:
            self._engine.call(self._engine.browser(), 3 * OPEN)
        return self._engine.version

    def session(
        self,
        world: SessionWorld | None = None,
        proxy: Mapping[str, str] | None = None,
        *,
        storage: Mapping[str, Any] | None = None,
        fence: UrlPolicy | None = None,
        settings: ViewSettings | None = None,
    ) -> "Session":
        """A new, isolated session without cookies, cache or history. `proxy`: Playwright's proxy settings; `storage`:
        from `Session.storage_state`; `fence`: the hosts that exist (None: every public name). Raises
        HarnessTrouble("browser_crash").
        """
        fence, settings = fence or UrlPolicy(), settings or self.settings
        if (ready := self._ready.of(world)) and (seat := ready.take(fence, settings, storage)):
            return Session(ready.engine, seat, ready.left)
        engine = self._next_engine()
        opening = self._open(engine, world, proxy, storage, fence, settings)
        try:
            seat = engine.call(opening, 4 * OPEN)
        except BaseException as error:
            self._left(engine)
            if isinstance(error, TimeoutError):
                raise HarnessTrouble("browser_crash", "the browser did not open a page in time") from error
            raise
        return Session(engine, seat, lambda: self._left(engine))

    def make_ready(
        self, world: SessionWorld, proxy: Mapping[str, str], fence: UrlPolicy, settings: ViewSettings
    ) -> None:
        """Begin to open the session of a world that will be used next, and return at once. `session` then takes it."""
        engine = self._next_engine()
        opening = engine.begin(self._open(engine, world, proxy, None, fence, settings))
        self._ready.put(ReadySession(world, fence, settings, engine, opening, lambda: self._left(engine)))

    def _next_engine(self) -> Engine:
        """The engine of a new session, which is counted."""
        with self._counting:
            self._opened += 1
            if self._opened % RECYCLE == 0:
                old, self._engine = self._engine, Engine(self._launch, self._tell)
                self._engine.version = old.version
                self._seats[self._engine] = 0
                if not self._seats[old]:
                    self._end(old)
            self._seats[self._engine] += 1
            return self._engine

    def _left(self, engine: Engine) -> None:
        """A session is over."""
        with self._counting:
            self._seats[engine] -= 1
            if engine is not self._engine and not self._seats[engine]:
                self._end(engine)

    def _end(self, old: Engine) -> None:
        del self._seats[old]
        threading.Thread(target=old.close, name="longtrail-browser-end").start()

    def own(
        self,
        world: ServedWorld,
        proxy: str,
        *,
        storage: Mapping[str, Any] | None = None,
        fence: UrlPolicy | None = None,
    ) -> AgentBrowser:
        """A separate Chromium process for an agent that drives it itself; `proxy` is its only connection.

        Raises HarnessTrouble("browser_crash") if it does not start.
        """
        return AgentBrowser(self._engine, world, proxy, self.settings, self._count, fence or UrlPolicy(), storage)

    async def _open(
        self,
        engine: Engine,
        world: SessionWorld | None,
        proxy: Mapping[str, str] | None,
        storage: Mapping[str, Any] | None,
        fence: UrlPolicy,
        settings: ViewSettings,
    ) -> AsyncSession:
        for attempt in (1, 2):
            try:
                async with asyncio.timeout(OPEN):
                    context = await told(self._context(engine, proxy, storage))
                    return await AsyncSession.open(context, world, fence, settings, self._count)
            except (Error, TimeoutError) as error:
                if self._seats.get(engine, 0) < 2 or not engine.connected:  # others need one that answers
                    await engine.drop()  # lost between two episodes: start a new one
                if attempt == 2:
                    raise HarnessTrouble("browser_crash", f"no page could be opened: {error}") from error
        raise AssertionError("unreachable")

    async def _context(
        self, engine: Engine, proxy: Mapping[str, str] | None, storage: Mapping[str, Any] | None
    ) -> BrowserContext:
        browser = await engine.browser()
        context = await browser.new_context(
            viewport={"width": VIEWPORT[0], "height": VIEWPORT[1]},
            device_scale_factor=1,
            locale="en-US",
            timezone_id="UTC",
            accept_downloads=False,
            service_workers="block",
            permissions=[],
            reduced_motion="reduce",
            color_scheme="light",
            proxy=cast(ProxySettings, dict(proxy)) if proxy else None,
            storage_state=cast(StorageState, dict(storage)) if storage else None,
        )
        return context

    def close(self) -> None:
        """End the browser and remove its temporary files. May be called again."""
        for engine in list(self._seats):
            engine.close()

    def _tell(self, line: str) -> None:
        self.notices.append(line)
        self._notify(line)


class Session:
    """One episode's browser: observe, act, observe again. Every call ends by its deadline, whatever the page does."""

    def __init__(self, engine: Engine, seat: AsyncSession, on_close: Callable[[], object] = lambda: None) -> None:
        """`on_close` is called once, when the session is over."""
        self._engine = engine
        self._seat = seat
        self._on_close = on_close
        self._closed = False

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def url(self) -> str:
        """The address of the active page."""
        return self._seat.url

    def goto(self, url: str) -> None:
        """Opens a start page for the harness. Raises HarnessTrouble("site_error") if it can't be opened."""
        self._do(self._seat.start(url))

    def observe(self) -> View:
        """What the active page shows now."""
        view = self._do(self._seat.observe())
        return replace(view, trees=self._trees)

    def _trees(self) -> Trees:
        return self._do(self._seat.trees())

    def act(self, action: Action) -> Outcome:
        """Carry out an action and wait until its effects have ended. The agent's mistakes are errors in the outcome;
        raises HarnessTrouble if the browser or the site failed."""
        return self._do(self._seat.act(action))

    def rest(self) -> None:
        """Wait until no request is pending; the sites' state is read next."""
        try:
            self._engine.call(self._seat.rest(), self._seat.settings.deadline)
        except TimeoutError:
            pass  # the page does not answer and is not used again
        except Error as error:
            raise HarnessTrouble("browser_crash", str(error).splitlines()[0]) from error

    def arrivals(self) -> tuple[str, ...]:
        """Addresses of documents that were opened after the last action had ended, and are shown now."""
        return self._seat.arrivals()

    def leftover(self) -> tuple[str, ...]:
        """Violations that were noticed after the last action had ended."""
        return self._seat.leftover()

    def storage_state(self) -> dict[str, Any]:
        """Cookies and local storage, for a session that goes on where this one is now."""
        return cast("dict[str, Any]", self._do(self._seat.context.storage_state()))

    def close(self) -> None:
        """Close the context and all of its pages. May be called again, and after any trouble."""
        if self._closed:
            return
        self._closed = True
        try:
            with contextlib.suppress(TimeoutError, HarnessTrouble):
                self._engine.call(self._leave(), 2 * CLOSE)
        finally:
            self._on_close()

    async def _leave(self) -> None:
        try:
            await asyncio.wait_for(self._seat.context.close(), CLOSE)
        except TimeoutError:
            await self._engine.drop()  # a context that can't be closed would live on in the next episodes' browser
        except Exception:  # noqa: BLE001, S110 (older Playwrights raise bare ones)
            pass  # the browser or its driver is gone, and the context with it

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        try:
            return self._engine.call(work, self._seat.settings.deadline)
        except TimeoutError:
            self._rescue()
            raise HarnessTrouble("site_timeout", f"the page at {self.url} stopped answering") from None
        except Error as error:
            raise HarnessTrouble("browser_crash", str(error).splitlines()[0]) from error

    def _rescue(self) -> None:
        try:
            self._engine.call(self._seat.rescue(RESCUE / 2), 1.25 * RESCUE)
        except (TimeoutError, Error):
            self._engine.kill()
