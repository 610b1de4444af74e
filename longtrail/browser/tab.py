"""Tab: one page, our scripts in it, and what the browser itself says about its main document."""

import asyncio
import base64
import contextlib
import json
from collections.abc import Callable
from typing import Any

from playwright.async_api import CDPSession, Error, Page

from longtrail.browser.foreign_frames import ForeignFrames
from longtrail.browser.script_world import GONE, KEY_LISTENERS, DocumentReplaced, ScriptWorld, from_page, parse
from longtrail.browser.traffic import SILENT, Traffic
from longtrail.browser.url_policy import ParsedUrl
from longtrail.browser.view import VIEWPORT
from longtrail.records.trajectory import Target

MAX_ROUTES = 50
"""The most addresses within a document that are kept for a step."""
PARSED = 500
"""Maximum number of cached parsed addresses."""
_PARSED: dict[tuple[str, str], str] = {}


class Tab:
    """A page with a devtools session. Made by `Tab.attach`; all methods run in the engine's loop."""

    def __init__(self, page: Page, cdp: CDPSession) -> None:
        self.page = page
        self.cdp = cdp
        self.number = 0
        """Its number in notes: tabs are counted from 1 in the order in which they were opened."""
        self.acted_on: Target | None = None
        """The element of the action that is carried out."""
        self.navigations: list[str] = []
        """Addresses of the main documents that the browser committed here; grows."""
        self._reported_navigations = 0
        self._judged = -1
        self.loading = False
        """Whether the tab is loading."""
        self.unreachable = ""
        """The address that could not be opened, while the browser shows its own error page."""
        self.broken = ""
        """Why the document could not be loaded, or not to its end: the browser's name for it."""
        self._document = ""
        """The loader of the document that is shown."""
        self._failures: dict[str, str] = {}
        """Why documents could not be loaded, by their loaders, since the last one was shown."""
        self.crash: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        """Done when the page's process has ended."""
        self.changed = asyncio.Event()
        """Set at every start and end of loading and at every commit."""
        self._unloaded: list[str] = []
        self._routes: list[str] = []
        self.scripts = ScriptWorld(page, cdp, self.crash, "")
        """Our scripts in the main document."""
        self.frames = ForeignFrames(self.scripts)

    @classmethod
    async def attach(cls, page: Page, announce: Callable[[], None], traffic: Traffic) -> "Tab":
        """Open a devtools session on the page and listen. `announce` is called when the page opens a window; `traffic`
        gets its requests."""
        tab = cls(page, await page.context.new_cdp_session(page))
        tab.cdp.on("Page.frameNavigated", tab._navigated)
        tab.cdp.on("Page.navigatedWithinDocument", tab._moved_within)
        tab.cdp.on("Page.frameStartedLoading", tab._started)
        tab.cdp.on("Page.frameStoppedLoading", tab._stopped)
        tab.cdp.on("Page.windowOpen", lambda _: announce())
        tab.cdp.on("Network.loadingFailed", tab._failed)
        page.on("crash", tab._end_of_process)
        page_traffic = traffic.page(tab.cdp)
        for end in ("close", "crash"):
            page.on(end, lambda _: traffic.forget(page_traffic))
        commands = (
            tab.cdp.send("Network.enable", SILENT),
            tab.cdp.send("Page.enable"),
            tab.cdp.send("Page.getFrameTree"),
        )
        frame: dict[str, Any] = (await asyncio.gather(*commands))[2]["frameTree"]["frame"]
        tab.scripts.frame = frame["id"]
        page_traffic.shows(frame["id"], frame["loaderId"])
        if not tab.navigations and frame["url"].startswith(("http:", "https:")):
            tab.navigations.append(frame["url"] + frame.get("urlFragment", ""))
        return tab

    def _failed(self, event: dict[str, Any]) -> None:
        if event.get("type") == "Document" and not event.get("canceled"):
            self._failures[event["requestId"]] = event["errorText"].removeprefix("net::")
            if event["requestId"] == self._document:
                self.broken = self._failures[self._document]

    def _navigated(self, event: dict[str, Any]) -> None:
        frame = event["frame"]
        if frame.get("parentId"):
            return self.frames.navigated(frame["id"])
        self.scripts.forget()
        self.frames = ForeignFrames(self.scripts)
        self.scripts.frame = frame["id"]
        self.unreachable = frame.get("unreachableUrl", "")
        self._document = frame["loaderId"]
        last = next(reversed(self._failures.values()), "") if self.unreachable else ""
        self.broken = self._failures.get(self._document, last)
        self._failures.clear()
        if not self.unreachable:
            self.navigations.append(frame["url"] + frame.get("urlFragment", ""))
        self.changed.set()

    def _moved_within(self, event: dict[str, Any]) -> None:
        """A script can show any address of its site without loading it; the document stays the same."""
        url = str(event["url"])
        if event["frameId"] != self.frame:
            return
        self._routes = [*self._routes[1 - MAX_ROUTES :], url]
        if url.partition("#")[0] not in {each.partition("#")[0] for each in self.navigations}:
            self._unloaded.append(url)

    def arrivals(self) -> tuple[str, ...]:
        """Addresses committed since the last call."""
        fresh = tuple(self.navigations[self._reported_navigations :])
        self._reported_navigations += len(fresh)
        return fresh

    def routes(self) -> tuple[str, ...]:
        """Addresses that were shown within a document since the last call: by the history API, or another fragment."""
        fresh, self._routes = tuple(self._routes), []
        return fresh

    def has_new_document(self) -> bool:
        """Whether the browser has committed an address here since the last call."""
        before, self._judged = self._judged, len(self.navigations)
        return before != self._judged

    def unloaded_addresses(self) -> list[str]:
        """Addresses that scripts showed without loading them since the last call, one line each."""
        lines = [f"a script had the address {url[:500]} shown, which was not loaded" for url in self._unloaded]
        self._unloaded.clear()
        return lines

    def _started(self, event: dict[str, Any]) -> None:
        if event["frameId"] == self.frame:
            self.loading = True
            self.changed.set()

    def _stopped(self, event: dict[str, Any]) -> None:
        if event["frameId"] == self.frame:
            self.loading = False
            self.changed.set()

    def _end_of_process(self, _: object) -> None:
        if not self.crashed:
            self.crash.set_result(None)
        self.changed.set()

    @property
    def frame(self) -> str:
        """The main frame's id."""
        return self.scripts.frame

    @property
    def crashed(self) -> bool:
        """The page's process has ended."""
        return self.crash.done()

    @property
    def url(self) -> str:
        """The address in the address bar; it does not prove that anything was loaded from there."""
        return self.unreachable or self.page.url

    @property
    def window(self) -> tuple[int, int]:
        """Width and height of what the page shows at once, in CSS pixels."""
        size = self.page.viewport_size
        return (size["width"], size["height"]) if size else VIEWPORT

    async def ask(self, function: str, *arguments: object) -> Any:
        """Call one of our functions in the page, in a frame if it is about an element there; returns its value (strings
        and numbers). Raises DocumentReplaced."""
        return await self.frames.ask(function, *arguments)

    async def parse(self, text: str, base: str = "") -> ParsedUrl | None:
        """An address as the browser parses it; None if it is invalid. Results are cached."""
        encoded = _PARSED.get((text, base))
        if encoded is None:
            encoded = await self.scripts.evaluate(parse(text, base))
            if len(_PARSED) >= PARSED:
                _PARSED.clear()
            _PARSED[text, base] = encoded
        parsed = json.loads(encoded)
        return ParsedUrl(**parsed) if parsed else None

    async def listens_to_keys(self) -> bool:
        """Whether the page's code gets the keys that are pressed in the element with the focus. Only the page's own
        world knows its listeners."""
        order = {"expression": KEY_LISTENERS, "includeCommandLineAPI": True, "returnByValue": True}
        try:
            return (await self.cdp.send("Runtime.evaluate", order))["result"].get("value") is True
        except Error as error:
            if self.crashed or not any(word in str(error) for word in GONE):
                raise
            raise DocumentReplaced from error

    async def target_info(self) -> dict[str, Any]:
        """What the browser itself says about the page (`url`, `title`); empty if it was closed meanwhile."""
        try:
            return dict((await self.cdp.send("Target.getTargetInfo"))["targetInfo"])
        except Error:
            return {}

    async def picture(self, **options: Any) -> bytes:
        """A picture of the window, encoded as the options of the browser's `Page.captureScreenshot` say. Raises
        DocumentReplaced if the tab is closed meanwhile."""
        try:
            order = {**options, "optimizeForSpeed": True}
            return base64.b64decode((await self.cdp.send("Page.captureScreenshot", order))["data"])
        except Error as error:
            if self.page.is_closed():
                raise DocumentReplaced from error
            raise

    async def ask_json(self, function: str, *arguments: object) -> Any:
        """The same for functions that answer in JSON (transferring one string is fast, an object is not)."""
        return from_page(await self.ask(function, *arguments))

    async def interrupt(self, seconds: float) -> bool:
        """End the script that blocks the page; True if the page answers again."""
        with contextlib.suppress(Error, TimeoutError):
            async with asyncio.timeout(seconds):
                await self.cdp.send("Runtime.terminateExecution")
                await self.cdp.send("Page.stopLoading")
                await self.cdp.send("Runtime.evaluate", {"expression": "1"})
                return True
        return False

    async def end(self) -> None:
        """End the page's process. Returns when that is done."""
        asking = asyncio.ensure_future(self.cdp.send("Page.crash"))
        await asyncio.wait((asking, self.crash), return_when=asyncio.FIRST_COMPLETED)
        if not asking.done() or asking.exception() is None:
            await self.crash
        asking.cancel()

    async def close(self, seconds: float = 2.0) -> None:
        """Close the page, even if it doesn't respond."""
        with contextlib.suppress(Error, TimeoutError):
            await asyncio.wait_for(self.page.close(), seconds)
