"""Snapshot: the report of a page's script and the browser's screenshot of the same moment."""

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
    """Lines, marks and pictures from `page/observe.js`."""
    marks: "SetOfMarks | None" = None
    jpeg: bytes = b""

    @cached_property
    def image(self) -> bytes | None:
        """The picture with its marks, if one was taken."""
        return self.marks.draw(self.jpeg) if self.marks else None


async def look(tab: Tab, settings: ViewSettings) -> Snapshot:
    """Read the page and take its screenshot. The browser handles both in this order without running the page's code in
    between, while we read the page and place the marks."""
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
