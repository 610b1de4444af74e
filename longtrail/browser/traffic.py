"""Traffic: what the pages of one session have begun and the browser has not ended. Told by the browser's devtools.

A page's process tells of a request when a script makes it, long before a site hears of it on a busy machine. It tells
in order: what was begun before it answers us is known here when its answer comes.
"""

import asyncio
import contextlib
from collections import Counter
from typing import Any

from playwright.async_api import CDPSession, Error

from longtrail.browser.session_world import SessionWorld

UNCOUNTED = {"EventSource", "WebSocket", "Media"}
"""Requests that don't end by themselves."""
LOOK = 0.005
"""Seconds between two looks at what is under way (the front counts its part in another thread)."""
STUCK = 3.0
"""Seconds that a page has to answer before it counts as stuck."""
BEACON = "Ping"
"""A request whose answer nobody waits for: the browser calls it ended before a site has heard of it."""
SILENT = {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0, "maxPostDataSize": 0}
"""The browser need not keep what was sent and answered."""


class Traffic:
    """Requests under way, documents on their way and beacons that no site has received. All methods run in the
    engine's loop."""

    def __init__(self, world: SessionWorld | None) -> None:
        self._world = world
        self._pages: set[PageTraffic] = set()
        self._posted: Counter[str] = Counter()
        """Posts that pages sent, by address."""
        self._received: Counter[str] = Counter()
        """Posts that sites have received."""
        self._read = 0
        """How many of the world's requests are counted in that."""
        self._beacons: set[str] = set()

    def page(self, cdp: CDPSession) -> "PageTraffic":
        """Listen to one more page. Its devtools session has `Network` and `Page` on."""
        page = PageTraffic(self, cdp)
        self._pages.add(page)
        return page

    def forget(self, page: "PageTraffic") -> None:
        """The page is gone, and with it what it had under way."""
        self._pages.discard(page)

    def posted(self, url: str, beacon: bool) -> None:
        """A page sent something."""
        self._posted[url] += 1
        if beacon:
            self._beacons.add(url)

    def under_way(self) -> frozenset[str]:
        """One name for each request, document and beacon that is under way now."""
        own = [name for page in self._pages for name in page.under_way()]
        return frozenset((*own, *self._unreceived(), *self._answering()))

    async def told(self) -> None:
        """Wait until all is here that the pages have to tell up to now; of a page that is stuck that is not known."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STUCK):
                await asyncio.gather(*(page.told() for page in self._pages))

    async def ended(self, names: frozenset[str], until: float) -> None:
        """Wait until none of these is under way any more, or the loop's clock says `until`."""
        loop = asyncio.get_running_loop()
        while names & self.under_way() and loop.time() < until:
            await asyncio.sleep(LOOK)

    async def rest(self, seconds: float) -> None:
        """Wait until nothing is under way any more, so long at most."""
        await self.told()
        until = asyncio.get_running_loop().time() + seconds
        while (names := self.under_way()) and asyncio.get_running_loop().time() < until:
            await self.ended(names, until)

    def _answering(self) -> list[str]:
        """The sites' own count: it has also what no page tells of, such as the requests of workers."""
        return [f"answer {number}" for number in range(self._world.pending())] if self._world else []

    def _unreceived(self) -> list[str]:
        """Beacons that no site has received yet."""
        if not self._beacons or self._world is None:
            return []
        fresh = self._world.requests[self._read :]
        self._read += len(fresh)
        self._received.update(request.url for request in fresh if request.method == "POST")
        return [
            f"beacon {number} to {url}"
            for url in self._beacons
            for number in range(self._received[url], self._posted[url])
        ]


class PageTraffic:
    """The same for one page, its frames included."""

    def __init__(self, traffic: Traffic, cdp: CDPSession) -> None:
        self._traffic, self._cdp = traffic, cdp
        self._requests: dict[str, tuple[str, str]] = {}
        """Frame and document (`loaderId`) by the request's id."""
        self._leaving: set[str] = set()
        """Frames whose page has asked for another document, which the browser has not begun to fetch."""
        self._documents: dict[str, str] = {}
        """What each frame shows."""
        cdp.on("Network.requestWillBeSent", self._sent)
        cdp.on("Network.loadingFinished", self._ended)
        cdp.on("Network.loadingFailed", self._ended)
        cdp.on("Page.frameRequestedNavigation", self._asked)
        cdp.on("Page.frameScheduledNavigation", self._asked)
        for event in ("frameClearedScheduledNavigation", "frameStoppedLoading", "navigatedWithinDocument"):
            cdp.on(f"Page.{event}", self._stayed)
        cdp.on("Page.frameNavigated", self._replaced)
        cdp.on("Page.frameDetached", self._detached)

    def shows(self, frame: str, document: str) -> None:
        """What it showed when it was first listened to."""
        self._documents.setdefault(frame, document)

    async def told(self) -> None:
        """Wait until the page answers: what it told before is here by then."""
        with contextlib.suppress(Error):
            await self._cdp.send("Runtime.evaluate", {"expression": "0"})

    def under_way(self) -> list[str]:
        """One name for each."""
        return [*self._requests, *(f"document for {frame}" for frame in self._leaving)]

    def _sent(self, event: dict[str, Any]) -> None:
        kind, request, frame = event.get("type"), event["request"], str(event.get("frameId", ""))
        if request["method"] == "POST":
            self._traffic.posted(str(request["url"]), kind == BEACON)
        if kind == "Document":
            self._leaving.discard(frame)
        if kind not in UNCOUNTED and kind != BEACON:
            self._requests[str(event["requestId"])] = frame, str(event["loaderId"])

    def _ended(self, event: dict[str, Any]) -> None:
        self._requests.pop(str(event["requestId"]), None)

    def _asked(self, event: dict[str, Any]) -> None:
        if event.get("disposition", "currentTab") == "currentTab":
            self._leaving.add(str(event["frameId"]))

    def _stayed(self, event: dict[str, Any]) -> None:
        self._leaving.discard(str(event["frameId"]))

    def _replaced(self, event: dict[str, Any]) -> None:
        """What the document before had under way has no end that anybody tells of."""
        frame, document = str(event["frame"]["id"]), str(event["frame"]["loaderId"])
        whole = not event["frame"].get("parentId")
        gone = set(self._documents.values()) if whole else {self._documents.get(frame)}
        self._requests = {
            name: (owner, loader) for name, (owner, loader) in self._requests.items() if loader not in gone - {document}
        }
        if whole:
            self._documents.clear()
            self._leaving.clear()
        self._documents[frame] = document
        self._leaving.discard(frame)

    def _detached(self, event: dict[str, Any]) -> None:
        frame = str(event["frameId"])
        if event.get("reason") == "swap":
            return
        self._documents.pop(frame, None)
        self._leaving.discard(frame)
        self._requests = {name: told for name, told in self._requests.items() if told[0] != frame}
