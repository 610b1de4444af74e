"""Request causes: assigns each request of the sites' log to a document and to an action in it. It combines two
sources. The browser's CDP Network events, in order with its clicks and documents, show what was sent and why; the
proxy's log shows what arrived and how it was answered.
"""

import asyncio
import time
from dataclasses import dataclass
from typing import Any

from longtrail.browser.tab import Tab
from longtrail.checks.visits import canonical
from longtrail.records.trajectory import Request, Target
from longtrail.web.world import World

REPORT_SECONDS = 1.0
"""Seconds within which the browser reports a request that the proxy has answered. Some are never reported (a window's
first document, a page in the agent's own context)."""

CLOCKS = 0.005
"""Maximum seconds by which the browser's clock may be ahead of ours."""


@dataclass(eq=False, slots=True)
class Cause:
    """A document that was opened, or an action in one."""

    url: str = ""
    """The document's address."""
    target: Target | None = None
    """The action: a click, a filled field or a chosen option; None for the document itself."""
    step: int | None = None
    """Its step."""
    within: "Cause | None" = None
    """A script's clicks after this belong to its step."""
    answered: bool = False
    """Whether it requested a document that is not the window's own."""

    @property
    def at(self) -> int | None:
        """Its step; None: it has none yet."""
        return self.within.at if self.step is None and self.within is not None else self.step


@dataclass(eq=False, slots=True)
class _Sent:
    key: tuple[str, str]
    cause: Cause
    at: float
    """Time in seconds of the wall clock."""


@dataclass(frozen=True, slots=True)
class Caused:
    """A request of the sites' log and its cause."""

    index: int
    """Its place in the log."""
    cause: Cause
    reported: bool
    """Whether the browser reported it or was observed opening the document."""


class RequestCauses:
    """The requests of one browser, tab by tab."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._latest: dict[Tab, Cause] = {}
        """The last event in a tab: its document was opened, or an action."""
        self._loading: dict[str, Cause] = {}
        """By a document's loader: that document, or the last action in it."""
        self._loader: dict[Tab, str] = {}
        self._sent: dict[tuple[str, str], list[_Sent]] = {}
        """By method and address, in the order in which they were sent."""
        self._by_id: dict[str, list[_Sent]] = {}
        self._opened: dict[str, Cause] = {}
        """By address: the document that was opened there last."""
        self._waiting: dict[int, float] = {}
        """Indices in the log that the browser has not reported yet, and since when."""
        self._read = 0
        self.last = Cause(step=0)
        """The last event in any tab."""
        self._history = [(0.0, self.last)]
        """All events, and when we got them."""

    def begin(self) -> None:
        """Start counting: all events so far are the start page and belong to the first step."""
        for cause in (*self._latest.values(), *self._loading.values(), self.last):
            cause.step = 0
        self.settle(last=True)

    async def listen(self, tab: Tab) -> None:
        """Listen to a tab's requests."""
        tab.cdp.on("Network.requestWillBeSent", lambda event: self._send(tab, event))
        tab.cdp.on("Network.requestServedFromCache", lambda event: self._forget(event["requestId"]))
        tab.cdp.on("Network.responseReceived", self._respond)
        await tab.cdp.send("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0})

    def add_action(self, tab: Tab, url: str, target: Target, *, by_script: bool) -> Cause:
        """Add an action in a tab's document. A script's click belongs to the step before it."""
        within = (self._latest.get(tab) or self.last) if by_script else None
        cause = self._latest[tab] = Cause(url, target, within=within)
        self._happens(cause)
        if tab in self._loader:
            self._loading[self._loader[tab]] = cause
        return cause

    def opened(self, tab: Tab, url: str, loader: str) -> Cause:
        """A tab shows another document."""
        cause = self._loading.setdefault(loader, Cause())
        cause.url = url
        self._loader[tab], self._latest[tab] = loader, cause
        self._happens(cause)
        self._opened[canonical(url)] = cause
        return cause

    def _happens(self, cause: Cause) -> None:
        self.last = cause
        self._history.append((time.time(), cause))

    def _send(self, tab: Tab, event: dict[str, Any]) -> None:
        loader, request = event["loaderId"], event["request"]
        if event["requestId"] == loader and event.get("frameId") == tab.frame:
            cause = self._loading.setdefault(loader, Cause())
        else:
            cause = self._loading.get(loader) or self._latest.get(tab) or self.last
        if request["url"].startswith("http"):
            sent = _Sent((request["method"], canonical(request["url"])), cause, event["wallTime"])
            self._sent.setdefault(sent.key, []).append(sent)
            self._by_id.setdefault(event["requestId"], []).append(sent)

    def _respond(self, event: dict[str, Any]) -> None:
        if event["response"].get("fromDiskCache") or event["response"].get("fromPrefetchCache"):
            self._forget(event["requestId"])

    def _forget(self, request: str) -> None:
        """Forget a request that the proxy never receives."""
        for sent in self._by_id.pop(request, ()):
            self._drop(sent)

    def _drop(self, sent: _Sent) -> None:
        alike = self._sent.get(sent.key, [])
        if sent in alike:
            alike.remove(sent)

    def settle(self, *, last: bool) -> list[Caused]:
        """The causes of the log's new requests, as far as known. With `last`, all get a cause."""
        requests = self._world.log.requests
        now = asyncio.get_running_loop().time()
        for index in range(self._read, len(requests)):
            self._waiting[index] = now
        self._read = max(self._read, len(requests))
        causes = []
        for index, since in list(self._waiting.items()):
            caused = self._cause_of(index, requests[index], given_up=last or now - since > REPORT_SECONDS)
            if caused is not None:
                del self._waiting[index]
                causes.append(caused)
        return causes

    def _cause_of(self, index: int, request: Request, *, given_up: bool) -> Caused | None:
        key = (request.method, canonical(request.url))
        arrived = self._world.log.arrivals[index] + CLOCKS
        if alike := [sent for sent in self._sent.get(key, ()) if sent.at <= arrived]:
            sent = alike[-1]  # earlier ones may have been aborted and never arrived
            self._drop(sent)
            return Caused(index, sent.cause, reported=True)
        if not given_up:
            return None
        opened = self._opened.get(key[1]) if request.dest == "document" else None
        then = next(cause for since, cause in reversed(self._history) if since <= arrived)
        return Caused(index, opened or then, reported=opened is not None)
