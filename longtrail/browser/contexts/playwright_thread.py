"""Playwright thread: the thread in which the user's test uses Playwright. An episode in one of its pages is played in
another thread, so that any agent can play it; calls on the page are made in the user's thread, which meanwhile handles
its events (mocked routes, listeners).
"""

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from functools import wraps
from typing import Any, Protocol, TypeVar

import greenlet
from playwright.async_api import Page as AsyncPage
from playwright.sync_api import Page as SyncPage

from longtrail.errors import HarnessTrouble

T = TypeVar("T")


class PlaywrightThread(Protocol):
    """Where calls on the user's page are made."""

    def submit(self, call: Callable[[], Any]) -> Future[Any]:
        """Make a call in the thread, after all earlier ones have begun. Its value, or that of the coroutine that it
        returns."""
        ...

    def play(self, episode: Callable[[], T]) -> T | Awaitable[T]:
        """Play an episode in another thread, and handle calls and events until it is over."""
        ...


def thread_of(page: SyncPage | AsyncPage) -> PlaywrightThread:
    """The present thread, for a page of Playwright's sync or async API."""
    return SyncThread(page) if isinstance(page, SyncPage) else AsyncThread()


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
