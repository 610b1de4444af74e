"""Traffic: the pending requests of one session's pages, from the browser's devtools events. A page's process reports a
request when a script makes it, which on a busy machine is long before the site gets it. Reports are in order: when the
page answers a call of ours, all its earlier requests are known here.
"""

import asyncio
import contextlib
from collections import Counter
from typing import Any

from playwright.async_api import CDPSession, Error

from longtrail.web.world import World

UNCOUNTED = {"EventSource", "WebSocket", "Media"}
"""Types of requests that don't end by themselves."""
LOOK = 0.005
"""Seconds between two checks of what is pending (the proxy counts its part in another thread)."""
STUCK = 3.0
"""Seconds after which a page without an answer counts as stuck."""
BEACON = "Ping"
"""The type of requests without an awaited answer: the browser reports their end before a site has received them."""
SILENT = {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0, "maxPostDataSize": 0}
"""Settings that keep the browser from buffering requests and answers."""


class Traffic:
    """Pending requests, loading documents and undelivered beacons. All methods run in the engine's loop."""

    def __init__(self, world: World | None) -> None:
        self._world = world
        self._pages: set[PageTraffic] = set()
        self._posted: Counter[str] = Counter()
        """Posts that pages sent, by address."""
        self._received: Counter[str] = Counter()
        """Posts that sites have received."""
        self._read = 0
        """Number of the world's requests that this includes."""
        self._beacons: set[str] = set()

    def page(self, cdp: CDPSession) -> "PageTraffic":
        """Listen to another page. Its devtools session has `Network` and `Page` enabled."""
        page = PageTraffic(self, cdp)
        self._pages.add(page)
        return page

    def forget(self, page: "PageTraffic") -> None:
        """The page was closed, and its pending requests with it."""
        self._pages.discard(page)

    def posted(self, url: str, beacon: bool) -> None:
        """A page sent something."""
        self._posted[url] += 1
        if beacon:
            self._beacons.add(url)

    def under_way(self) -> frozenset[str]:
        """One name for each pending request, document and beacon."""
        pending = [name for page in self._pages for name in page.under_way()]
        return frozenset((*pending, *self._unreceived(), *self._answering()))

    async def receive_reports(self) -> None:
        """Wait until all of the pages' reports up to now have arrived, except from stuck pages."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STUCK):
                await asyncio.gather(*(page.receive_reports() for page in self._pages))

    async def ended(self, names: frozenset[str], until: float) -> None:
        """Wait until none of these is pending, or the loop's clock reaches `until`."""
        loop = asyncio.get_running_loop()
        while names & self.under_way() and loop.time() < until:
            await asyncio.sleep(LOOK)

    async def rest(self, seconds: float) -> None:
        """Wait until nothing is pending, at most this long."""
        await self.receive_reports()
        until = asyncio.get_running_loop().time() + seconds
        while (names := self.under_way()) and asyncio.get_running_loop().time() < until:
            await self.ended(names, until)

    def _answering(self) -> list[str]:
        """The sites' own count; it includes what no page reports, such as requests of web workers."""
        return [f"answer {number}" for number in range(self._world.log.pending())] if self._world else []

    def _unreceived(self) -> list[str]:
        """Beacons that no site has received yet."""
        if not self._beacons or self._world is None:
            return []
        fresh = self._world.log.requests[self._read :]
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
        """Frames whose page has requested another document that the browser has not begun to fetch."""
        self._documents: dict[str, str] = {}
        """The document of each frame."""
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
        """Record the frames that exist when listening starts."""
        self._documents.setdefault(frame, document)

    async def receive_reports(self) -> None:
        """Wait until the page answers; its earlier reports have then arrived."""
        with contextlib.suppress(Error):
            await self._cdp.send("Runtime.evaluate", {"expression": "0"})

    def under_way(self) -> list[str]:
        """One name for each pending request and document."""
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
        """Drop the previous document's pending requests: nobody reports their end."""
        frame, document = str(event["frame"]["id"]), str(event["frame"]["loaderId"])
        is_main_frame = not event["frame"].get("parentId")
        gone = set(self._documents.values()) if is_main_frame else {self._documents.get(frame)}
        self._requests = {
            name: (owner, loader) for name, (owner, loader) in self._requests.items() if loader not in gone - {document}
        }
        if is_main_frame:
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
        self._requests = {name: sent for name, sent in self._requests.items() if sent[0] != frame}
