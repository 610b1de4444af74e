"""Settling: wait until the effects of an action have ended, or until a dialog of the page stops it. Uses events and
limits, no fixed sleeps.
"""

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any, TypeVar

from longtrail.browser.script_world import DocumentReplaced
from longtrail.browser.tab import Tab
from longtrail.browser.tabs import Tabs
from longtrail.browser.traffic import Traffic
from longtrail.records.trajectory import Outcome

T = TypeVar("T")

QUIET = 25
"""Milliseconds without a change after which a page counts as quiet."""
QUIET_LOADED = 50
"""The same after requests that the page made itself: their answers often cause further requests."""
LATEST = 4
"""A sealed site that is still answering at the time limit gets this many times as long."""


class Settling:
    """One wait, begun before the action, so that earlier requests are not waited for."""

    def __init__(
        self,
        tabs: Tabs,
        traffic: Traffic,
        seconds: float,
        *,
        patient: bool = False,
        known: frozenset[str] | None = None,
    ) -> None:
        self._tabs = tabs
        self._traffic = traffic
        self._seconds = seconds
        self._patient = patient
        """Whether sealed sites get more time for pending answers when the limit is reached on a busy machine."""
        self._known = traffic.under_way() if known is None else known
        self._loop = asyncio.get_running_loop()
        self._until = 0.0
        self._document: tuple[Tab, int] | None = None

    async def readable_tab(self, expect: bool = False) -> Tab:
        """Return the active tab once its document is loaded and quiet.

        `expect`: there was an action, so the page gets a little longer for its first reaction. A loading document is
        waited for up to the step's deadline; after it has loaded, further requests and changes are waited for at most
        `seconds`.
        """
        self._until = self._loop.time() + self._seconds
        quiet, fresh = QUIET, not expect
        while True:
            tab = await self._tabs.gather()
            self._restart_if_replaced(tab)
            left = self._until - self._loop.time()
            try:
                rested = await tab.ask("settle", quiet, max(1, int(left * 1000)), fresh)
            except DocumentReplaced:
                continue
            fresh = False
            if self._restart_if_replaced(tab):
                continue
            if tab.loading and rested and not tab.unreachable:
                await self._next_event(tab)
            elif not rested or self._loop.time() >= self._until:
                return await self._late()
            elif begun := self._begun():
                await self._traffic.ended(begun, self._until)
                quiet, fresh = QUIET_LOADED, True
            elif await self._tabs.gather() is tab:
                return tab

    def _begun(self) -> frozenset[str]:
        """What is pending now and was not pending before the action."""
        return self._traffic.under_way() - self._known

    def _restart_if_replaced(self, tab: Tab) -> bool:
        """If the document differs from the last one, its time begins now."""
        before, self._document = self._document, (tab, len(tab.navigations))
        replaced = before is not None and before != self._document
        if replaced:
            self._until = self._loop.time() + self._seconds
        return replaced

    async def _next_event(self, tab: Tab) -> None:
        """Wait until the loading document has loaded or failed."""
        tab.changed.clear()
        if tab.loading:
            await tab.changed.wait()

    async def _late(self) -> Tab:
        """The time limit is reached. On a busy machine, `patience` gives pending requests more time."""
        if self._patient and (begun := self._begun()):
            await self._traffic.ended(begun, self._loop.time() + LATEST * self._seconds)
            tab = await self._tabs.gather()
            with contextlib.suppress(DocumentReplaced):
                await tab.ask("settle", QUIET_LOADED, int(self._seconds * 1000), True)
        return await self._tabs.gather()


class PausedAction:
    """The action that an open dialog has stopped, if there is one."""

    def __init__(self, tabs: Tabs) -> None:
        self._tabs = tabs
        self._task: asyncio.Task[Outcome] | None = None

    async def run(self, work: Coroutine[Any, Any, Outcome]) -> Outcome | None:
        """The outcome of an action; None if it opened a dialog: then it is paused."""
        task = asyncio.ensure_future(work)
        if await self._finished(task):
            return task.result()
        self._task = task
        return None

    async def resume(self, accept: bool, text: str) -> Outcome:
        """Answer the dialog; returns the outcome of the paused action."""
        paused, self._task = self._task, None
        await self._tabs.answer(accept, text)
        return await paused if paused is not None else Outcome(ok=True)

    async def look(self, work: Coroutine[Any, Any, T]) -> T | None:
        """What a look at the page gives; None if a dialog is open, or opens meanwhile."""
        task = asyncio.ensure_future(work)
        if await self._finished(task):
            return task.result()
        task.cancel()
        return None

    async def give_up(self) -> None:
        """Dismiss an open dialog, and end the paused action."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        await self._tabs.answer(accept=False, text="")

    async def _finished(self, task: "asyncio.Task[T]") -> bool:
        """Wait for a task until it is done (True), or until a dialog that waits for an answer stops the page."""
        opened = asyncio.ensure_future(self._tabs.dialog_opened.wait())
        try:
            await asyncio.wait((task, opened), return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            task.cancel()
            raise
        finally:
            opened.cancel()
        return task.done()
