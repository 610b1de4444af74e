"""Request causes: which document, and what done in it, each request of the sites' log belongs to.

Two witnesses are put together. The browser says (CDP Network events, in the order of its clicks and documents) what was
sent because of what; the front's log says what arrived and what it was answered with.
"""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

from longtrail.browser.session_world import ServedWorld
from longtrail.browser.tab import Tab
from longtrail.checks.visits import canonical
from longtrail.records.trajectory import Request, Target

PATIENCE = 1.0
"""Seconds in which the browser tells of a request that the front has answered. It never tells of some (a window's first
document, a page in a context of the agent's own)."""

CLOCKS = 0.005
"""Seconds by which the browser's clock may be ahead of ours."""


@dataclass(eq=False, slots=True)
class Cause:
    """A document that was opened, or something that was done in one."""

    url: str = ""
    """The document's address."""
    target: Target | None = None
    """What was clicked, filled in or chosen; None for the document itself."""
    step: int | None = None
    """The step that it became."""
    within: "Cause | None" = None
    """What a script clicked after this is no step of its own, but belongs to its step."""
    answered: bool = False
    """Has a document been asked for because of it that is not the window's own?"""
    places: list[int] = field(default_factory=list)
    """Where the requests that were sent because of it stand in the sites' log."""

    @property
    def at(self) -> int | None:
        """The step that it belongs to; None: none came of it yet."""
        return self.within.at if self.step is None and self.within is not None else self.step


@dataclass(eq=False, slots=True)
class _Sent:
    key: tuple[str, str]
    cause: Cause
    at: float
    """When, in seconds of the wall clock."""


@dataclass(frozen=True, slots=True)
class Caused:
    """A request of the sites' log and what it was sent for."""

    place: int
    cause: Cause
    told: bool
    """Did the browser tell of it, or was it seen to open the document?"""


class RequestCauses:
    """The requests of one browser, tab by tab."""

    def __init__(self, world: ServedWorld) -> None:
        self._world = world
        self._latest: dict[Tab, Cause] = {}
        """What happened last in a tab: its document came, or something was done in it."""
        self._loading: dict[str, Cause] = {}
        """By the loader of a document: that document, or what was done last in it."""
        self._loader: dict[Tab, str] = {}
        self._sent: dict[tuple[str, str], list[_Sent]] = {}
        """By method and address, in the order in which they were sent."""
        self._by_id: dict[str, list[_Sent]] = {}
        self._opened: dict[str, Cause] = {}
        """By address: the document that was opened there last."""
        self._waiting: dict[int, float] = {}
        """Places in the log that the browser has not told of yet, and since when."""
        self._read = 0
        self.last = Cause(step=0)
        """What happened last, wherever it was."""
        self._history = [(0.0, self.last)]
        """Everything that happened, and when we heard of it."""

    def begin(self) -> None:
        """From here on it counts: what has happened so far is the start page, which belongs to the first step."""
        for cause in (*self._latest.values(), *self._loading.values(), self.last):
            cause.step = 0
        self.settle(last=True)

    async def listen(self, tab: Tab) -> None:
        """Hear of what a tab sends."""
        tab.cdp.on("Network.requestWillBeSent", lambda event: self._send(tab, event))
        tab.cdp.on("Network.requestServedFromCache", lambda event: self._forget(event["requestId"]))
        tab.cdp.on("Network.responseReceived", self._respond)
        await tab.cdp.send("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0})

    def did(self, tab: Tab, url: str, target: Target, *, by_script: bool) -> Cause:
        """Something was done in a tab's document. What a script clicked belongs to the step before it."""
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
        """Whether the front never receives it."""
        for sent in self._by_id.pop(request, ()):
            self._drop(sent)

    def _drop(self, sent: _Sent) -> None:
        alike = self._sent.get(sent.key, [])
        if sent in alike:
            alike.remove(sent)

    def settle(self, *, last: bool) -> list[Caused]:
        """What is known of the log's new requests. With `last`, all of them are given a cause."""
        requests = self._world.requests
        now = asyncio.get_running_loop().time()
        for place in range(self._read, len(requests)):
            self._waiting[place] = now
        self._read = max(self._read, len(requests))
        found = []
        for place, since in list(self._waiting.items()):
            caused = self._cause_of(place, requests[place], given_up=last or now - since > PATIENCE)
            if caused is not None:
                del self._waiting[place]
                caused.cause.places.append(place)
                found.append(caused)
        return found

    def _cause_of(self, place: int, request: Request, *, given_up: bool) -> Caused | None:
        key = (request.method, canonical(request.url))
        arrived = self._world.arrivals[place] + CLOCKS
        if alike := [sent for sent in self._sent.get(key, ()) if sent.at <= arrived]:
            sent = alike[-1]  # those before it may have been broken off, and never arrived
            self._drop(sent)
            return Caused(place, sent.cause, told=True)
        if not given_up:
            return None
        opened = self._opened.get(key[1]) if request.dest == "document" else None
        then = next(cause for since, cause in reversed(self._history) if since <= arrived)
        return Caused(place, opened or then, told=opened is not None)
