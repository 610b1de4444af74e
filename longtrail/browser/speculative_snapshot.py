"""Speculative snapshot: a look at a page that is taken while it comes to rest: the browser draws the picture in
the meantime.

It holds if nothing that can be seen has changed until it is asked for (`page/ahead.js`); else it is thrown away.
"""

import asyncio
import contextlib

from playwright.async_api import Error

from longtrail.browser.snapshot import Snapshot, look
from longtrail.browser.tab import DocumentReplaced, Tab
from longtrail.browser.view_settings import ViewSettings
from longtrail.errors import HarnessTrouble

TRIES = 2
"""Looks in vain, after which a document is believed to be a restless one."""


class Ahead:
    """One such look, begun when it is made."""

    def __init__(self, tab: Tab, settings: ViewSettings) -> None:
        self._tab, self._settings = tab, settings
        self._document = len(tab.navigations)
        self._work = asyncio.ensure_future(self._look())

    @classmethod
    def begin(cls, tab: Tab, settings: ViewSettings) -> "Ahead | None":
        """None where it would be of no use: without a picture the page itself would be busy all the time that it is
        given to come to rest, and nothing be won."""
        restless = tab.in_vain.get(len(tab.navigations), 0) >= TRIES
        return cls(tab, settings) if settings.screenshot and not (restless or tab.loading or tab.unreachable) else None

    async def _look(self) -> Snapshot | None:
        with contextlib.suppress(Error, DocumentReplaced, HarnessTrouble):  # whoever looks next will meet it
            return await look(self._tab, self._settings, "ahead")
        return None

    async def taken(self, tab: Tab) -> Snapshot | None:
        """What was seen, if it holds."""
        try:
            if not self._is_of(tab):
                return None
            sight = await self._work
            if sight is not None:
                holds, _ = await asyncio.gather(tab.ask("holds"), asyncio.to_thread(lambda: sight.image))
                if holds and self._is_of(tab):
                    return sight
        except DocumentReplaced:
            return None
        finally:
            self.drop()
        tab.in_vain = {self._document: tab.in_vain.get(self._document, 0) + 1}
        return None

    def _is_of(self, tab: Tab) -> bool:
        return tab is self._tab and len(tab.navigations) == self._document and not tab.loading

    def drop(self) -> None:
        """Nobody asks for it any more."""
        self._work.cancel()
