"""Foreign frames: documents in a page that scripts of its main document can't reach: of other origins, or sandboxed.

Our world in the main document can't reach them either, and the browser keeps its web security. So each gets a world of
its own, in which the same functions run. Ids are unique in the whole page; positions are converted to those in the
window.
"""

import contextlib
import json
from collections.abc import Sequence
from typing import Any

from playwright.async_api import Error

from longtrail.browser.script_world import DocumentReplaced, ScriptWorld, from_page

ON_ELEMENTS = frozenset(
    {"locate", "target", "selectAll", "fieldValue", "setValue", "focusOn", "choose", "limits", "scrollBox"}
)
"""Functions of the page's script whose first argument is an element's id."""
ON_LAST = "landed"
"""The function about the last located element."""
EVERYWHERE = frozenset({"watchForChanges", "settle"})
"""Functions that are also called in the frame of the last located element."""
MAX_FRAMES = 40
"""Maximum number of foreign frames that are read in one page."""
FIRST_QUIET = 25
"""Milliseconds without a change after which a frame that is read for the first time counts as quiet."""
FIRST_LIMIT = 500
"""Milliseconds within which it is read in any case."""
UNREADABLE = "(this frame could not be read)"


class ForeignFrames:
    """The foreign frames of a tab's page, and which of them has which element."""

    def __init__(self, main: ScriptWorld) -> None:
        """`main`: our world in the main document."""
        self._main = main
        self._worlds: dict[str, ScriptWorld] = {}
        """By the frame's id."""
        self._holders: dict[str, tuple[ScriptWorld, int]] = {}
        """Frame's id -> the world that its element is in, and the element's id."""
        self._next_id = 1
        """The next free element id."""
        self._ids: list[tuple[range, ScriptWorld]] = []
        """Element ids that were given in frames."""
        self._last: ScriptWorld | None = None
        """Where the last located element is, if in a frame."""
        self._unread = 0
        """How many more frames may be read now."""

    def navigated(self, frame: str) -> None:
        """A frame shows another document."""
        if world := self._worlds.get(frame):
            world.forget()

    async def ask(self, function: str, *arguments: Any) -> Any:
        """Call a function of the page's script where its element is, in the main document or in a frame. Those of
        EVERYWHERE are called in the main document, and in the frame of the last located element."""
        main = self._main
        if function in ON_ELEMENTS:
            number = int(arguments[0])
            world = next((world for ids, world in self._ids if number in ids), None)
            if function != "locate":
                return await (world or main).ask(function, *arguments)
            self._last = world
            answer = await (world or main).ask(function, *arguments)
            return json.dumps(await self._in_window(world, from_page(answer))) if world else answer
        if self._last is None or function not in (ON_LAST, *EVERYWHERE):
            return await main.ask(function, *arguments)
        if function == ON_LAST:
            return await self._last.ask(function)
        answer = await main.ask(function, *arguments)
        with contextlib.suppress(DocumentReplaced):  # the click has opened another document in the frame
            return await self._last.ask(function, *arguments) and answer
        return answer

    async def _in_window(self, world: ScriptWorld, spot: dict[str, Any]) -> dict[str, Any]:
        """The located position in the window. Each frame around it is scrolled to; one that is covered is an error."""
        while "x" in spot and world is not self._main:
            world, number = self._holders[world.frame]
            outside = from_page(await world.ask("throughFrame", number, spot["x"], spot["y"]))
            if "error" in outside:
                return {**{name: spot[name] for name in spot if name not in ("x", "y")}, **outside}
            spot = {**spot, **outside}
        return spot

    async def observe(self, *request: Any) -> dict[str, Any]:
        """The report of the page's script with the lines of all foreign frames in their places. `request`: `observe` or
        `observeSources`, the form, and whether marks are wanted."""
        self._unread = MAX_FRAMES
        return await self._read(self._main, None, *request)

    async def _read(self, world: ScriptWorld, frame_box: dict[str, Any] | None, *request: Any) -> dict[str, Any]:
        function, *settings = request
        first = self._next_id
        settings += [first, frame_box] if function == "observeSources" else [False, first, frame_box]
        seen: dict[str, Any] = from_page(await world.ask(function, *settings))
        self._took_ids(world, first, seen["next"])
        if seen["frames"]:
            await self._insert_frames(world, seen, *request)
        return seen

    async def _insert_frames(self, world: ScriptWorld, seen: dict[str, Any], *request: Any) -> None:
        """Put the lines, sources and marks of the frames behind the lines of their elements."""
        rows: list[list[Any]] = []
        sources: list[str] = []
        for index, (top, bottom, text, *frame) in enumerate(seen["lines"]):
            if text or not frame:
                rows.append([top, bottom, text])
                sources += seen["sources"][index : index + 1] if "sources" in seen else []
            for frame_box in frame:
                inner = await self._frame(world, frame_box, *request)
                indent = " " * (len(text) - len(text.lstrip()) + 1) if text else ""
                rows += [[*_vertical(line, frame_box), indent + line[2]] for line in inner["lines"]]
                sources += inner.get("sources", [])
                seen["marks"] += [[mark[0], *_box(mark[1:], frame_box)] for mark in inner["marks"]]
        seen["lines"] = rows
        if "sources" in seen:
            seen["sources"] = sources

    async def trees(self) -> dict[str, Any]:
        """The report of `trees`, with the trees of all foreign frames under their elements."""
        self._unread = MAX_FRAMES
        return await self._trees(self._main, None)

    async def _trees(self, world: ScriptWorld, frame_box: dict[str, Any] | None) -> dict[str, Any]:
        first = self._next_id
        report: dict[str, Any] = from_page(await world.ask("trees", first, frame_box))
        self._took_ids(world, first, report["next"])
        for frame in report["frames"]:
            self._unread -= 1
            if self._unread >= 0 and (inner := await self._world(world, frame["id"])):
                _graft(report, await self._trees(inner, frame), frame)
        return report

    def _took_ids(self, world: ScriptWorld, first: int, following: int) -> None:
        """The world has used the ids from `first` up to `following`."""
        self._next_id = max(first, following)
        if world is not self._main and self._next_id > first:
            self._ids.append((range(first, self._next_id), world))

    async def _frame(self, holder: ScriptWorld, frame_box: dict[str, Any], *request: Any) -> dict[str, Any]:
        """The report about a frame's document."""
        self._unread -= 1
        if self._unread >= 0 and (world := await self._world(holder, frame_box["id"])):
            if world.context is None:
                await world.ask("settle", FIRST_QUIET, FIRST_LIMIT, False)
            seen = await self._read(world, frame_box, *request)
            if not seen["url"].startswith("chrome-error:"):
                return seen
        return {"lines": [[0, 1, UNREADABLE]], "sources": [""], "marks": []}

    async def _world(self, holder: ScriptWorld, number: int) -> ScriptWorld | None:
        """Our world in the frame of this element; None if it shows no document."""
        element = await holder.evaluate(f"longtrail.element({number})", by_value=False)
        try:
            node = (await self._main.cdp.send("DOM.describeNode", {"objectId": element}))["node"]
        except Error:
            return None  # the element is gone
        frame = node.get("frameId", "")
        if not frame:
            return None
        self._holders[frame] = holder, number
        return self._worlds.setdefault(frame, self._main.of_frame(frame))


def _vertical(line: Sequence[Any], frame_box: dict[str, Any]) -> list[int]:
    """Upper and lower edge of a line in the holder's window."""
    return [round(frame_box["dy"] + edge * frame_box["ky"]) for edge in line[:2]]


def _box(box: Sequence[int], frame_box: dict[str, Any]) -> list[int]:
    left, top, right, bottom = box
    return [
        round(frame_box[origin] + edge * frame_box[scale])
        for edge, origin, scale in ((left, "dx", "kx"), (top, "dy", "ky"), (right, "dx", "kx"), (bottom, "dy", "ky"))
    ]


def _graft(page: dict[str, Any], inner: dict[str, Any], frame: dict[str, Any]) -> None:
    """Put the trees of a frame under its element. Numbers of nodes, documents and strings continue the page's."""
    nodes, strings, documents = page["axtree"]["nodes"], page["dom"]["strings"], page["dom"]["documents"]
    offset, first_string, first_document = len(nodes), len(strings), len(documents)
    for node in inner["axtree"]["nodes"]:
        for key in ("nodeId", "parentId"):
            if key in node:
                node[key] = str(int(node[key]) + offset)
        node["childIds"] = [str(int(child) + offset) for child in node["childIds"]]
    root = inner["axtree"]["nodes"][0]
    root["parentId"] = frame["parent"]
    next(node for node in nodes if node["nodeId"] == frame["parent"])["childIds"].append(root["nodeId"])
    nodes += inner["axtree"]["nodes"]
    for document in inner["dom"]["documents"]:
        _shift(document, first_string, first_document)
    holder = documents[frame["document"]]["nodes"]["contentDocumentIndex"]
    holder["index"].append(frame["at"])
    holder["value"].append(first_document)
    documents += inner["dom"]["documents"]
    strings += inner["dom"]["strings"]
    for place in inner["extra"].values():
        if place["bbox"]:
            left, top, width, height = place["bbox"]
            box = _box((left, top, left + width, top + height), frame)
            place["bbox"] = [*box[:2], box[2] - box[0], box[3] - box[1]]
    page["extra"].update(inner["extra"])


def _shift(document: dict[str, Any], strings: int, documents: int) -> None:
    """The numbers of strings and documents in a document of a DOM snapshot, continued; -1 stands for no string."""
    document["documentURL"] += strings
    document["title"] += strings
    nodes = document["nodes"]
    for key in ("nodeName", "nodeValue"):
        nodes[key] = [number + strings if number >= 0 else number for number in nodes[key]]
    nodes["attributes"] = [[number + strings for number in attributes] for attributes in nodes["attributes"]]
    nodes["contentDocumentIndex"]["value"] = [n + documents for n in nodes["contentDocumentIndex"]["value"]]
