"""Crawl: request every linked page of an embedded site in process, and return it as lines of text."""

import asyncio
import html
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from longtrail.checks.page_names import page_key
from longtrail.clock import NOW
from longtrail.text.folding import fold
from longtrail.text.matcher import Alternative, matches, may_match
from longtrail.web.site import Site
from longtrail.web.world import Templates, World, in_world

_MUTE = re.compile(r"<(script|style|title)\b.*?</\1>", re.DOTALL)
_ROW = re.compile(r"<tr\b.*?</tr>", re.DOTALL)
_SAID = re.compile(r'<[^<>]*\b(?:aria-label|placeholder)="([^"]+)"[^<>]*>')
_VALUE = re.compile(r'<input(?![^<>]*type="hidden")[^<>]*\bvalue="([^"]+)"[^<>]*>')
_CELL = re.compile(r"<t[dh]\b[^<>]*>")
_BLOCK = re.compile(
    r"</?(?:p|div|section|article|h\d|li|ul|ol|address|br|table|form|main|nav|d[dt]|legend|button|label|blockquote"
    r"|textarea|pre|option)\b[^<>]*>"
)
_TAG = re.compile(r"<[^<>]*>")
_LINK = re.compile(r'<a\b[^<>]*\bhref="([^"]+)"')
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class CrawlScope:
    """The start pages of a site, and the links to skip: forms, and lists that repeat their content."""

    starts: tuple[str, ...]
    skipped: Callable[[str], bool]


@dataclass(frozen=True)
class CrawledPage:
    """One served page: its key, its lines, and their folded text."""

    key: str
    lines: tuple[str, ...]
    folded: str


@dataclass
class Crawl:
    """The result: lines with the keys of their pages, served pages by address, dead links."""

    lines: dict[str, set[str]] = field(default_factory=dict)
    raw: dict[str, str] = field(default_factory=dict)
    broken: list[tuple[str, int]] = field(default_factory=list)
    nameless: set[str] = field(default_factory=set)
    """Addresses of pages that have no key."""

    @cached_property
    def pages(self) -> tuple[CrawledPage, ...]:
        """Every page once, even if several addresses show it."""
        unique = {(key, tuple(read(text)[0])): None for key, text in self._named()}
        return tuple(CrawledPage(key, lines, fold("\n".join(lines))) for key, lines in unique)

    def _named(self) -> Iterator[tuple[str, str]]:
        for address, text in self.raw.items():
            yield page_key(f"https://site.test{address}") or address, text

    @cached_property
    def keys(self) -> set[str]:
        return set().union(*self.lines.values())

    @cached_property
    def _pieces(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """Lines with their folded forms, in groups with the group's folded form: it lets the matcher exclude most
        groups at once."""
        lines = [(line, fold(line)) for line in self.lines]
        pieces = [lines[start : start + 50] for start in range(0, len(lines), 50)]
        return [("\n".join(folded for _, folded in piece), piece) for piece in pieces]

    def pages_that_say(self, way: Alternative) -> set[str]:
        """The keys of the pages with a matching line."""
        likely = (line for group_text, piece in self._pieces if may_match(way, group_text) for line in piece)
        lines = (line for line, folded in likely if may_match(way, folded) and matches(way, line, NOW))
        return {key for line in lines for key in self.lines[line]}


def read(page: str) -> tuple[list[str], list[str]]:
    """A page's text (one line per block or table row, with labels and values), and the addresses of its links."""
    links = [html.unescape(link) for link in _LINK.findall(page)]
    page = _SAID.sub(r" \1 ", _VALUE.sub(r" \1 ", _MUTE.sub("", page)))
    page = _ROW.sub(lambda row: "\n" + _SPACE.sub(" ", _TAG.sub(" ", _CELL.sub(" | ", row[0]))) + "\n", page)
    page = html.unescape(_TAG.sub(" ", _BLOCK.sub("\n", page)))
    lines = (_SPACE.sub(" ", line).strip() for line in page.split("\n"))
    return [line for line in lines if line], links


def crawl(
    site: Site,
    scope: CrawlScope,
    more: Iterable[str] = (),
    prepare: Callable[[World], None] = lambda _: None,
) -> Crawl:
    """Visit all that the scope's start pages and `more` lead to, in a world that `prepare` has prepared. Raises
    DataError if the world can't be built."""
    return asyncio.run(_crawl(site, scope, more, prepare))


async def _crawl(site: Site, scope: CrawlScope, more: Iterable[str], prepare: Callable[[World], None]) -> Crawl:
    world = World("crawl", Templates([site]))
    prepare(world)
    app, result = in_world(site.app, world), Crawl()
    waiting = deque(dict.fromkeys([*scope.starts, *more]))
    queued = set(waiting)
    while waiting:
        address = waiting.popleft()
        status, onward, text = await fetch(app, site.hosts[0], address)
        links = [onward] if onward else []
        if status == 200:
            links = _take(result, site.hosts[0], address, text)
        elif not onward:
            result.broken.append((address, status))
        for link in links:
            plain = link.removeprefix(f"https://{site.hosts[0]}").split("#")[0]
            if plain.startswith("/") and plain not in queued and not scope.skipped(plain):
                queued.add(plain)
                waiting.append(plain)
    world.close()
    return result


def _take(result: Crawl, host: str, address: str, text: str) -> list[str]:
    lines, links = read(text)
    key = page_key(f"https://{host}{address}")
    if key is None:
        result.nameless.add(address)
    for line in lines:
        result.lines.setdefault(line, set()).add(key or address)
    result.raw[address] = text
    return links


async def fetch(app: Any, host: str, address: str) -> tuple[int, str, str]:
    """Status, redirect target and text of a page."""
    path, _, query = address.partition("?")
    headers = [(b"host", host.encode())]
    scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode(), "headers": headers}
    messages: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        messages.append(message)

    await app(scope, receive, send)
    answered = dict(messages[0]["headers"])
    text = b"".join(message.get("body", b"") for message in messages[1:]).decode(errors="replace")
    return messages[0]["status"], answered.get(b"location", b"").decode(), text
