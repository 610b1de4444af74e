"""Snapshot: what a page's script tells of it, and what the browser draws at the same moment."""

import asyncio
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from longtrail.browser.tab import Tab
from longtrail.browser.view_settings import VIEWPORT, ViewSettings

if TYPE_CHECKING:
    from longtrail.browser.set_of_marks import SetOfMarks


@dataclass
class Snapshot:
    """One look."""

    seen: dict[str, Any]
    """Lines, marks, pictures: as `page/observe.js` tells them."""
    marks: "SetOfMarks | None" = None
    jpeg: bytes = b""

    @cached_property
    def image(self) -> bytes | None:
        """The picture with its marks, if one was taken."""
        return self.marks.draw(self.jpeg) if self.marks else None


async def look(tab: Tab, settings: ViewSettings) -> Snapshot:
    """Have the page tell of itself. The browser draws while the page is read and the marks are placed: it does both in
    this order, and nothing that the page does lies between them."""
    function = "observeSources" if settings.sources else "observe"
    if not settings.screenshot:
        return Snapshot(await tab.ask_json(function, settings.form, False))
    from longtrail.browser.set_of_marks import SetOfMarks

    reading = asyncio.ensure_future(tab.ask_json(function, settings.form, True))
    drawing = asyncio.ensure_future(tab.picture(format="jpeg", quality=85))
    try:
        seen = await reading
        marks = SetOfMarks(seen["marks"], VIEWPORT)
        return Snapshot(seen, marks, await drawing)
    finally:
        reading.cancel()
        drawing.cancel()
