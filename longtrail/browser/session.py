"""Browser and session: one Chromium per worker, with one isolated context per episode. Blocking calls.

Several threads may have a session each. If the browser must be ended (a page can't be recovered), all of them end.
"""

import asyncio
import threading
from collections.abc import Callable, Mapping
from typing import Any

from playwright.async_api import Error

from longtrail.browser.async_session import AsyncSession, SessionSetup
from longtrail.browser.context_records import Recording
from longtrail.browser.engine import Engine, normalize_driver_error
from longtrail.browser.launcher import NO_FFMPEG, Launch, context_options
from longtrail.browser.observation_budget import CountTokens, quarter
from longtrail.browser.open_session import Session
from longtrail.browser.url_policy import UrlPolicy
from longtrail.browser.view import NOTHING, Permissions, ViewSettings
from longtrail.errors import HarnessTrouble, UsageError
from longtrail.web.world import World

OPEN = 30.0
"""Seconds to open a session, without the browser's start."""
RECYCLE = 150
"""Number of sessions after which new ones get a new browser and driver (the driver keeps some memory for each). The old
ones end with their last session."""

__all__ = ["Browser", "Session", "ViewSettings"]


class Browser:
    """One Chromium, started on first use. A context manager; `close` ends it and removes its temporary files.

    `launch` takes Playwright's launch options (pytest-playwright's `browser_type_launch_args`), `context` those of its
    contexts (`browser_context_args`; one that can't be changed raises UsageError); `count` counts tokens; `notify` is
    called once for each message to the user (such as that the sandbox is off).
    """

    def __init__(
        self,
        settings: ViewSettings | None = None,
        launch: Launch | Mapping[str, Any] | None = None,
        context: Mapping[str, Any] | None = None,
        *,
        count: CountTokens = quarter,
        notify: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.settings = settings or ViewSettings()
        self.notices: list[str] = []
        """The messages of `notify`."""
        self._notify = notify
        self._launch = launch if isinstance(launch, Launch) else Launch.of(launch or {})
        self._context_options = context_options(context or {})
        self.engine = Engine(self._launch, self._notify_once)
        """The engine that new sessions get."""
        self.count_tokens = count
        self._opened = 0
        self._session_counts: dict[Engine, int] = {self.engine: 0}
        """How many sessions each running engine has."""
        self._counting = threading.Lock()

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def version(self) -> str:
        """Kind and version of the browser, `headless shell 156.0.8078.79`; starts it if needed."""
        if not self.engine.version:
            self.engine.call(self.engine.browser(), 3 * OPEN)
        return self.engine.version

    def session(
        self,
        world: World | None = None,
        proxy: Mapping[str, str] | None = None,
        *,
        storage: Mapping[str, Any] | None = None,
        url_policy: UrlPolicy | None = None,
        settings: ViewSettings | None = None,
        recording: Recording | None = None,
        permissions: Permissions = NOTHING,
    ) -> "Session":
        """A new, isolated session without cookies, cache or history. `proxy`: Playwright's proxy settings; `storage`:
        from `Session.storage_state`; `url_policy`: the hosts that exist (None: every public name); `recording`: what is
        recorded of it; `permissions`: what is allowed beyond the paper's actions. Raises
        HarnessTrouble("browser_crash").
        """
        options = self._context_options | (recording.context_options if recording else {})
        options |= {
            "accept_downloads": permissions.downloads is not None,
            "service_workers": "allow" if permissions.service_workers else "block",
        }
        options |= {"proxy": dict(proxy)} if proxy else {}
        options |= {"storage_state": dict(storage)} if storage else {}
        policy = url_policy or UrlPolicy()
        setup = SessionSetup(settings or self.settings, self.count_tokens, policy, world, permissions)
        engine = self._next_engine()
        try:
            async_session = engine.call(self._open(engine, setup, options, recording), 4 * OPEN)
        except BaseException as error:
            self._session_ended(engine)
            if isinstance(error, TimeoutError):
                raise HarnessTrouble("browser_crash", "the browser did not open a page in time") from error
            raise
        return Session(engine, async_session, lambda: self._session_ended(engine))

    def _next_engine(self) -> Engine:
        """The engine of a new session, which is counted."""
        with self._counting:
            self._opened += 1
            if self._opened % RECYCLE == 0:
                before, self.engine = self.engine, Engine(self._launch, self._notify_once)
                self.engine.version = before.version
                self._session_counts[self.engine] = 0
                self._end_idle()
            self._session_counts[self.engine] += 1
            return self.engine

    def _session_ended(self, engine: Engine) -> None:
        """A session is over."""
        with self._counting:
            self._session_counts[engine] -= 1
            self._end_idle()

    def _end_idle(self) -> None:
        """End engines that have no session and will get none."""
        idle = [each for each, number in self._session_counts.items() if not number and each is not self.engine]
        for engine in idle:
            del self._session_counts[engine]
            threading.Thread(target=engine.close, name="longtrail-browser-end").start()

    async def _open(
        self, engine: Engine, setup: SessionSetup, options: Mapping[str, Any], recording: Recording | None
    ) -> AsyncSession:
        for attempt in (1, 2):
            browser = await engine.browser()
            try:
                async with asyncio.timeout(OPEN):
                    context = await normalize_driver_error(browser.new_context(**options))
                    async_session = await AsyncSession.open(context, setup)
                    if recording is not None:
                        async_session.recording = recording
                        await recording.start(context, engine.traces)
                    return async_session
            except (Error, TimeoutError) as error:
                if "ffmpeg" in str(error):
                    raise UsageError(NO_FFMPEG) from error
                if self._session_counts.get(engine, 0) <= 1 or not engine.runs(browser):  # others need one that answers
                    await engine.end_browser(browser)  # lost between two episodes: start a new one
                if attempt == 2:
                    raise HarnessTrouble("browser_crash", f"no page could be opened: {error}") from error
        raise AssertionError("unreachable")

    def close(self) -> None:
        """End the browser and remove its temporary files. May be called again."""
        for engine in list(self._session_counts):
            engine.close()

    def _notify_once(self, line: str) -> None:
        self.notices.append(line)
        self._notify(line)
