"""Served pages: opens every document that was served to an agent's own browser again in our own clean tab. The tab has
no network: each of its requests is answered with what the site had served, or with nothing. So the page's own scripts
run and their output counts, but the agent's scripts never run there.

Passages are compared as sequences of folded words. A line may combine pieces of the page (cells, a field's name and
options): each piece must have been served.
"""

import asyncio
import contextlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from playwright.async_api import BrowserContext, Error, Page, Request, Route

from longtrail.browser.script_world import PRINT, DocumentReplaced, clock, shadow
from longtrail.browser.tab import Tab
from longtrail.browser.traffic import Traffic
from longtrail.browser.view import VIEWPORT
from longtrail.checks.visits import canonical
from longtrail.errors import HarnessTrouble
from longtrail.records.trajectory import Target
from longtrail.text.folding import fold, squeeze
from longtrail.web.request_log import ServedBody
from longtrail.web.world import World

_WORD = re.compile(r"\w+")
BETWEEN = "\x01"
"""Between the pieces of a line (`page/forms.js`)."""


def plain(text: str) -> str:
    """The folded words with single spaces, also at both ends."""
    return f" {' '.join(_WORD.findall(fold(text)))} "


@dataclass(frozen=True, slots=True)
class ServedElement:
    """An interactive element of a served document."""

    role: str
    name: str
    material: str
    """All texts that can form its name, as plain words."""


@dataclass
class ServedContent:
    """What was served for one page."""

    texts: list[str] = field(default_factory=list)
    """Its text as plain words, each between spaces."""
    elements: list[ServedElement] = field(default_factory=list)
    requested: set[str] = field(default_factory=set)
    """Addresses that the page's own code requests when it is opened."""
    pictures: set[str] = field(default_factory=set)
    """Addresses of its pictures."""

    @classmethod
    def of_page(cls, page: dict[str, Any], requested: Iterable[str] = ()) -> "ServedContent":
        """From the report of `page/served.js`."""
        elements = [ServedElement(role, squeeze(name), plain(material)) for role, name, material in page["elements"]]
        texts = [plain(piece) for text in (page["title"], *page["texts"]) for piece in text.split(BETWEEN)]
        return cls([text for text in texts if text.strip()], elements, set(requested), set(page["pictures"]))

    @classmethod
    def of_data(cls, text: str) -> "ServedContent":
        """From a data response: the values of JSON, or the text."""
        try:
            values = list(_values(json.loads(text)))
        except ValueError:
            values = [text]
        return cls([words for value in values if (words := plain(value)).strip()])

    def __add__(self, other: "ServedContent") -> "ServedContent":
        return ServedContent(
            [*self.texts, *other.texts],
            [*self.elements, *other.elements],
            self.requested | other.requested,
            self.pictures | other.pictures,
        )

    @cached_property
    def _all(self) -> str:
        return "\n".join(self.texts)

    def holds(self, source: str) -> bool:
        """Whether every piece of this passage was served."""
        return all(words in self._all for piece in source.split(BETWEEN) if (words := plain(piece)).strip())

    def has(self, target: Target) -> bool:
        """Whether an element of this role and name was served. For roles that HTML does not have, the words decide."""
        name = squeeze(target.name)
        if target.role == "clickable":
            return self.holds(target.name)
        words = plain(name)
        return any(
            element.role == target.role and (element.name == name or (bool(name) and words in element.material))
            for element in self.elements
        )


def _values(data: object) -> Iterator[str]:
    if isinstance(data, dict):
        for value in data.values():
            yield from _values(value)
    elif isinstance(data, list):
        for value in data:
            yield from _values(value)
    elif data is not None:
        yield str(data)


OPENING = 10.0
"""Seconds for opening a document again."""
QUIET_MS = 60
LIMIT_MS = 2_000
"""A page that changed less than QUIET_MS ago is still being drawn; one that never stops is read after LIMIT_MS."""
OPENED_HERE = ("document", "iframe", "frame")


@dataclass
class _Opening:
    """One document that is being opened again."""

    url: str
    body: bytes
    kind: str
    requested: set[str] = field(default_factory=set)
    under_way: int = 0


class ServedPages:
    """What was served to one episode, page by page. All methods run in the engine's loop."""

    def __init__(self, context: BrowserContext, world: World) -> None:
        self._context, self._world = context, world
        self._known: dict[bytes, ServedContent] = {}
        self._opening: _Opening | None = None
        self._tab: Tab | None = None

    @classmethod
    async def begin(cls, browser: Any, world: World) -> "ServedPages":
        """`browser`: our own, not driven by an agent."""
        context = await browser.new_context(
            viewport={"width": VIEWPORT[0], "height": VIEWPORT[1]}, service_workers="block", locale="en-US"
        )
        pages = cls(context, world)
        await context.add_init_script(";\n".join([PRINT, shadow(), clock(world.now)]))
        await context.route("**/*", pages._answer)
        return pages

    async def close(self) -> None:
        """Close the tab."""
        with contextlib.suppress(Error):
            await self._context.close()

    async def content(self, url: str, more: Sequence[ServedBody] = ()) -> ServedContent:
        """The content that was served for the document at this address: all of its versions, and `more`: data that it
        shows."""
        content = ServedContent()
        for body in [*self._documents(url), *more]:
            content = content + await self._of(body)
        return content

    def _documents(self, url: str) -> list[ServedBody]:
        wanted = canonical(url)
        return [
            body
            for index, request in enumerate(self._world.log.requests)
            if request.dest in OPENED_HERE
            and canonical(request.url) == wanted
            and (body := self._world.log.keep_bodies().at(index)) is not None
        ]

    async def _of(self, body: ServedBody) -> ServedContent:
        if body.kind.startswith("image/"):
            return ServedContent(pictures={body.request.url})
        if not body.is_page:
            return ServedContent.of_data(bytes(body.data).decode("utf-8", "replace"))
        key = b"\0".join((body.request.url.encode(), bytes(body.data)))
        if key not in self._known:
            self._known[key] = await self._open(body)
        return self._known[key]

    async def _open(self, body: ServedBody) -> ServedContent:
        """Open it as a document and read all of it. If it can't be opened, its plain text is used."""
        opening = self._opening = _Opening(body.request.url, bytes(body.data), body.kind)
        try:
            async with asyncio.timeout(OPENING):
                tab = await self._ready()
                await tab.page.goto(opening.url, wait_until="load")
                while not await self._rests(tab, opening):
                    pass
                served = await tab.ask_json("served")
                served["texts"] += (await tab.frames.observe("observeSources", "axtree", False))["sources"]
                return ServedContent.of_page(served, opening.requested)
        except (Error, TimeoutError, DocumentReplaced, HarnessTrouble) as error:
            if isinstance(error, HarnessTrouble) and error.kind != "browser_crash":
                raise
            if self._context.browser is None or not self._context.browser.is_connected():
                raise HarnessTrouble("browser_crash", "the browser that opens served pages again is gone") from error
            if self._tab is not None:
                await self._tab.close()
                self._tab = None
            return ServedContent.of_data(opening.body.decode("utf-8", "replace"))
        finally:
            self._opening = None

    async def _rests(self, tab: Tab, opening: _Opening) -> bool:
        """Wait until it has no pending requests and has rendered everything."""
        rested = await tab.ask("settle", QUIET_MS, LIMIT_MS, True)
        return not opening.under_way or not rested

    async def _ready(self) -> Tab:
        if self._tab is None or self._tab.page.is_closed() or self._tab.crashed:
            page: Page = await self._context.new_page()
            page.on("dialog", lambda dialog: dialog.dismiss())
            self._tab = await Tab.attach(page, lambda: None, Traffic(None))
        return self._tab

    async def _answer(self, route: Route, request: Request) -> None:
        """Answer a request with what was served; for the document itself, with the version that is being opened."""
        opening = self._opening
        if opening is None:
            await route.abort()
            return
        opening.under_way += 1
        with contextlib.suppress(Error):  # the page has navigated meanwhile
            if request.is_navigation_request() and request.frame.parent_frame is None:
                if canonical(request.url) == canonical(opening.url):
                    await route.fulfill(status=200, content_type=f"{opening.kind}; charset=utf-8", body=opening.body)
                else:
                    await route.abort()  # a page that redirects: its target was served separately
            else:
                opening.requested.add(canonical(request.url))
                body = self._served(request.method, request.url)
                if body is None:
                    await route.abort()
                else:
                    await route.fulfill(
                        status=body.request.status, content_type=body.kind or "text/plain", body=bytes(body.data)
                    )
        opening.under_way -= 1

    def _served(self, method: str, url: str) -> ServedBody | None:
        """The last answer to an equal request."""
        wanted, bodies = canonical(url), self._world.log.keep_bodies()
        newest_first: Iterable[int] = range(len(self._world.log.requests) - 1, -1, -1)
        return next(
            (
                body
                for index in newest_first
                if (body := bodies.at(index)) is not None
                and body.request.method == method
                and canonical(body.request.url) == wanted
            ),
            None,
        )
