"""Ready session: a blank page in a world that is used next, opened while the current episode waits for its model."""

import asyncio
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Error

from longtrail.browser.async_session import AsyncSession
from longtrail.browser.engine import Engine
from longtrail.browser.session_world import SessionWorld
from longtrail.browser.url_policy import UrlPolicy
from longtrail.browser.view_settings import ViewSettings
from longtrail.errors import HarnessTrouble

PATIENCE = 30.0
"""Seconds until it must be open or closed; otherwise a new session is opened."""

ANSWER = 5.0
"""Seconds within which its page must answer."""


@dataclass(frozen=True)
class ReadySession:
    """A session that is open or opens just now."""

    world: SessionWorld
    fence: UrlPolicy
    settings: ViewSettings
    engine: Engine
    opening: Future[AsyncSession]
    left: Callable[[], object]
    """Must be called once, when the session is over."""

    def take(self, fence: UrlPolicy, settings: ViewSettings, storage: Mapping[str, Any] | None) -> AsyncSession | None:
        """The open session with these cookies. None if it is lost or was opened for something else: it is closed."""
        storage = storage or {}
        if (fence.hosts, settings) == (self.fence.hosts, self.settings) and not storage.get("origins"):
            try:
                seat = self.opening.result(PATIENCE)
                self.engine.call(seat.answer(), ANSWER)
                if cookies := storage.get("cookies"):
                    self.engine.call(seat.context.add_cookies(cookies), PATIENCE)
                return seat
            except (Error, TimeoutError, HarnessTrouble):
                pass
        self.discard()
        return None

    def discard(self) -> None:
        """Close it, without waiting for that."""
        try:
            self.engine.begin(_close(self.opening))  # cancelling it midway would leave an open context behind
        except HarnessTrouble:  # the browser is closed
            pass
        finally:
            self.left()


class NextSession:
    """The one session of a browser that is made ready."""

    def __init__(self) -> None:
        self._ready: ReadySession | None = None
        self._lock = threading.Lock()

    def put(self, ready: ReadySession) -> None:
        """Keep this one. An earlier one that nobody took is closed."""
        with self._lock:
            old, self._ready = self._ready, ready
        if old is not None:
            old.discard()

    def waits_in(self, engine: Engine) -> bool:
        """Whether one waits in this engine."""
        ready = self._ready
        return ready is not None and ready.engine is engine

    def of(self, world: SessionWorld | None) -> ReadySession | None:
        """The one for this world, once."""
        with self._lock:
            if self._ready is None or self._ready.world is not world:
                return None
            ready, self._ready = self._ready, None
            return ready


async def _close(opening: "Future[AsyncSession]") -> None:
    try:
        seat = await asyncio.wrap_future(opening)
        await asyncio.wait_for(seat.context.close(), PATIENCE)
    except (Exception, asyncio.CancelledError):  # noqa: BLE001, S110 (it is closed as well as lost)
        pass
