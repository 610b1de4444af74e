"""Open session: one episode's browser context, as blocking calls. Every call ends by its deadline."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, TypeVar, cast

from playwright.async_api import Error, Page

from longtrail.browser.async_session import AsyncSession
from longtrail.browser.engine import Engine
from longtrail.browser.view import View
from longtrail.errors import HarnessTrouble
from longtrail.records.action import Action
from longtrail.records.site_reports import PageError
from longtrail.records.trajectory import Outcome

T = TypeVar("T")

RECOVERY = 2.0
"""Seconds for each attempt to recover an unresponsive page."""
RECORD = 20.0
"""Seconds to write what was recorded."""
CLOSE = 10.0
"""Seconds within which a context must close; otherwise its pages' processes are ended, and then the browser."""


class Session:
    """One episode's browser: observe, act, observe again. Every call ends by its deadline, whatever the page does."""

    def __init__(
        self, engine: Engine, async_session: AsyncSession, on_close: Callable[[], object] = lambda: None
    ) -> None:
        """`on_close` is called once, when the session is over."""
        self._engine = engine
        self._async_session = async_session
        self._on_close = on_close
        self._closed = False

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def url(self) -> str:
        """The address of the active page."""
        return self._async_session.url

    def goto(self, url: str) -> None:
        """Opens a start page for the harness. Raises HarnessTrouble("site_error") if it can't be opened."""
        self._do(self._async_session.start(url))

    def observe(self) -> View:
        """What the active page shows now."""
        view = self._do(self._async_session.observe())
        return replace(view, trees=lambda: self._do(self._async_session.trees()))

    def act(self, action: Action) -> Outcome:
        """Carry out an action and wait until its effects have ended. The agent's mistakes are errors in the outcome;
        raises HarnessTrouble if the browser or the site failed."""
        return self._do(self._async_session.act(action))

    def begin_step(self, title: str) -> None:
        """A step begins: what follows stands under its title in a recorded trace."""
        if recording := self._async_session.recording:
            self._do(recording.begin_step(self._async_session.context, title))

    def end_step(self, outcome: str) -> None:
        """The step is over."""
        if recording := self._async_session.recording:
            self._do(recording.end_step(self._async_session.context, outcome))

    def with_page(self, use: Callable[[Page], Coroutine[Any, Any, T]]) -> T:
        """Use the active page of Playwright's async API, in the engine's loop. Raises HarnessTrouble."""
        return self._do(use(self._async_session.page))

    def rest(self) -> None:
        """Wait until no request is pending; the sites' state is read next."""
        try:
            self._engine.call(self._async_session.rest(), self._async_session.settings.deadline)
        except TimeoutError:
            pass  # the page does not answer and is not used again
        except Error as error:
            raise _lost(error) from error

    def with_arrivals(self, outcome: Outcome) -> Outcome:
        """The outcome of the last action, with the addresses that were opened, or shown without loading a document,
        after it had ended: a page that opens late after a click is part of the click."""
        late, routes = self._async_session.arrivals(), self._async_session.routes()
        if not (late or routes):
            return outcome
        addresses = {"navigations": (*outcome.navigations, *late), "routes": (*outcome.routes, *routes)}
        return outcome.model_copy(update={**addresses, "url": self.url})

    def page_errors(self) -> tuple[PageError, ...]:
        """What went wrong in the pages of an own app since the last call."""
        return self._async_session.page_errors.take()

    def new_violations(self) -> tuple[str, ...]:
        """Violations that were noticed after the last action had ended."""
        return self._async_session.new_violations()

    def storage_state(self) -> dict[str, Any]:
        """Cookies and local storage, for a session that goes on where this one is now."""
        return cast("dict[str, Any]", self._do(self._async_session.context.storage_state()))

    def close(self) -> None:
        """Close the context and all of its pages. May be called again, and after any trouble."""
        if self._closed:
            return
        self._closed = True
        try:
            with contextlib.suppress(TimeoutError, HarnessTrouble):
                self._engine.call(self._leave(), RECORD + 3 * CLOSE)
        finally:
            self._on_close()

    async def _leave(self) -> None:
        if recording := self._async_session.recording:
            with contextlib.suppress(Error, TimeoutError):  # the browser is gone, or its page does not answer
                await asyncio.wait_for(recording.stop(self._async_session.context), RECORD)
        with contextlib.suppress(TimeoutError):
            return await self._close()
        with contextlib.suppress(TimeoutError):  # otherwise it would live on in the next episodes' browser
            await asyncio.wait_for(self._async_session.crash(), RECOVERY)
            return await self._close()
        await self._engine.end_browser(self._async_session.browser)

    async def _close(self) -> None:
        try:
            await asyncio.wait_for(self._async_session.close(), CLOSE)
        except TimeoutError:
            raise
        except Exception:  # noqa: BLE001, S110 (older Playwrights raise bare ones)
            pass  # the browser or its driver is gone, and the context with it

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        try:
            return self._engine.call(work, self._async_session.settings.deadline)
        except TimeoutError:
            self._recover_page()
            raise HarnessTrouble("site_timeout", f"the page at {self.url} stopped answering") from None
        except Error as error:
            raise _lost(error) from error
        except HarnessTrouble as error:
            if error.kind != "browser_crash" or self._engine.runs(self._async_session.browser):
                raise
            raise _lost(error) from error

    def _recover_page(self) -> None:
        """Recover the page, or end its process. Only if the browser doesn't do that either, end it, with all sessions
        in it."""
        with contextlib.suppress(TimeoutError, Error):
            return self._engine.call(self._async_session.recover(RECOVERY / 2), 1.25 * RECOVERY)
        with contextlib.suppress(TimeoutError, Error):
            return self._engine.call(self._async_session.crash(), RECOVERY)
        self._engine.kill(self._async_session.browser)


def _lost(error: Exception) -> HarnessTrouble:
    return HarnessTrouble("browser_crash", str(error).splitlines()[0])
