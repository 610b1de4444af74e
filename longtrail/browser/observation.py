"""Observation: one pass over the page, converted to the chosen form and cut to the token limit."""

import asyncio
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from longtrail.browser.observation_budget import CountTokens, PageLine, ScrollState, lines_of
from longtrail.browser.script_world import DocumentReplaced
from longtrail.browser.tab import Tab
from longtrail.browser.view import Passage, Trees, View, ViewSettings
from longtrail.records.observation import Box, Observation, ShownPicture

if TYPE_CHECKING:
    from longtrail.browser.set_of_marks import SetOfMarks


@dataclass
class Snapshot:
    """One reading of a page."""

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
        return Snapshot(await tab.frames.observe(function, settings.form, False))
    from longtrail.browser.set_of_marks import SetOfMarks

    reading = asyncio.ensure_future(tab.frames.observe(function, settings.form, True))
    drawing = asyncio.ensure_future(tab.picture(format="jpeg", quality=85))
    try:
        seen = await reading
        marks = SetOfMarks(seen["marks"], tab.window)
        return Snapshot(seen, marks, await drawing)
    finally:
        reading.cancel()
        drawing.cancel()


CLICKABLE = frozenset(
    {"link", "button", "checkbox", "radio", "switch", "tab", "option", "treeitem", "clickable"}
    | {"menuitem", "menuitemcheckbox", "menuitemradio"}
)
_ELEMENT = re.compile(r"^\s*\[[0-9]{1,7}\] ([a-z]+)")

ID = re.compile(r'\[\d+\] | id="\d+"')
"""Element ids in an observation's lines, in all forms."""
TRIES = 5
"""Attempts to observe a page that keeps replacing itself."""


class TabProvider(Protocol):
    """Returns the active tab. It may wait until its page has loaded."""

    async def readable_tab(self) -> Tab: ...


async def observe(tab: Tab, tabs: TabProvider, settings: ViewSettings, scroll: ScrollState, count: CountTokens) -> View:
    """What the active tab shows now. Asks `tabs` again if the page is just being replaced."""
    for _ in range(TRIES):
        if tab.unreachable:
            return _unreachable(tab, count)
        try:
            snapshot = await look(tab, settings)
        except DocumentReplaced:
            tab = await tabs.readable_tab()
            continue
        seen = snapshot.seen
        shown = written(seen, settings, scroll, count)
        return View(shown, snapshot.image, passages=passages(seen), boxes=boxes(seen["marks"]))
    note = "the page keeps going to another address before it can be read"
    return View(Observation(url=tab.url, text="", form=settings.form, note=note, text_hash=_hash("")))


def boxes(marks: Iterable[Sequence[int]]) -> dict[str, Box]:
    """Id -> position of each element in the window, as the page's script reports it."""
    return {str(number): (left, top, right, bottom) for number, left, top, right, bottom in marks}


def written(seen: dict[str, Any], settings: ViewSettings, scroll: ScrollState, count: CountTokens) -> Observation:
    """The report of the page's script, in the form that an agent gets."""
    lines = lines_of(seen["lines"])
    shown = tagged(lines, seen["height"]) if settings.element_states and settings.form == "axtree" else lines
    page = scroll.look(shown, seen["height"], settings.tokens, count, settings.viewport_first)
    return Observation(
        url=seen["url"],
        title=seen["title"],
        text=page.text,
        form=settings.form,
        tokens=count(page.text),
        truncated=page.truncated,
        pictures=tuple(map(_pictured, seen["pictures"])),
        text_hash=_hash(ID.sub("", "\n".join(line.text for line in lines))),
    )


def passages(seen: dict[str, Any]) -> tuple[Passage, ...]:
    """The title and the lines, each with the page's own text there; none unless requested."""
    if "sources" not in seen:
        return ()
    rows, sources = seen["lines"], seen["sources"]
    if len(rows) != len(sources):  # an extremely large page was cut in two places
        sources = [row[2] for row in rows]
    cut = [tuple(line.text for line in lines_of([row])) for row in rows]
    lines = [Passage(lines, str(source)) for lines, source in zip(cut, sources, strict=True)]
    return (Passage((seen["title"],), seen["title"]), *lines)


def _pictured(fields: list[Any]) -> ShownPicture:
    url, scale, left, top, right, bottom = fields
    return ShownPicture(url=url, scale=scale, left=left, top=top, right=right, bottom=bottom)


def _unreachable(tab: Tab, count: CountTokens) -> View:
    why = f": {tab.broken}" if tab.broken else ""
    text = f"This page could not be opened{why}. Go back, or open another address."
    return View(Observation(url=tab.unreachable, text=text, tokens=count(text), text_hash=_hash(text)))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def tagged(lines: Iterable[PageLine], height: int) -> list[PageLine]:
    """The lines, with tags at the end of those that begin with an element. `height`: of the window, in pixels."""
    return [_tagged(line, height) for line in lines]


def _tagged(line: PageLine, height: int) -> PageLine:
    element = _ELEMENT.match(line.text)
    if element is None:
        return line
    words = ["clickable"] * (element[1] in CLICKABLE) + ["visible"] * (line.bottom > 0 and line.top < height)
    return replace(line, text=f"{line.text} ({', '.join(words)})") if words else line


async def trees(tab: Tab, open_tabs: Sequence[Tab], tabs: TabProvider) -> Trees:
    """Read the active tab. Asks `tabs` again if its page is just being replaced."""
    for _ in range(TRIES):
        try:
            answer = await tab.frames.trees()
            picture = await tab.picture(format="png")
        except DocumentReplaced:
            tab = await tabs.readable_tab()
            continue
        break
    else:
        answer, picture = {"axtree": {"nodes": []}, "dom": {"documents": [], "strings": []}, "extra": {}}, b""
    return Trees(
        axtree=answer["axtree"],
        dom=answer["dom"],
        places=answer["extra"],
        focused=answer.get("focused", ""),
        urls=tuple(each.url for each in open_tabs),
        titles=tuple(
            str(info.get("title", "")) for info in await asyncio.gather(*(each.target_info() for each in open_tabs))
        ),
        tabs=tuple(each.number for each in open_tabs),
        picture=picture,
    )
