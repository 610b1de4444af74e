"""Action effect: what an action did to the page, where its element is, and the action that a dialog has stopped."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from longtrail.browser.tab import Tab
from longtrail.browser.tabs import Tabs
from longtrail.records.trajectory import Outcome, Target

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ActionEffect:
    """What an action did, before the page has settled."""

    error: str = ""
    target: Target | None = None
    value: str = ""
    note: str = ""
    violation: str = ""

    @classmethod
    def of(cls, spot: dict[str, Any]) -> "ActionEffect":
        """The element that the page's `locate` found, or its error."""
        target = Target(**spot["target"]) if "target" in spot else None
        error = spot.get("error", "")
        return cls(error=f"{error}; look again" if error and target is None else error, target=target)


async def located(number: str, tab: Tab) -> tuple[dict[str, Any], ActionEffect]:
    """Where to put the mouse for an element (`x`, `y`, `kind`, `editable`), and the element or the error."""
    spot: dict[str, Any] = await tab.ask_json("locate", int(number))
    effect = ActionEffect.of(spot)
    tab.acted_on = effect.target
    return spot, effect


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
