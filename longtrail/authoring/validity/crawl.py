"""Crawl: request every linked page of an embedded site in process, and return it as lines of text: a site's own pages,
or those of the two worlds of decision tasks with the stories of given tasks in them.
"""

import asyncio
import html
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import quote_plus

from longtrail.checks.page_names import page_key
from longtrail.clock import NOW
from longtrail.tasks.task import DecisionTask, Task
from longtrail.text.folding import fold
from longtrail.text.matcher import Alternative, matches, may_match
from longtrail.web.site import Site, SourceTransform, as_shipped
from longtrail.web.sites.forum import forum_site as forum
from longtrail.web.sites.shopadmin import back_office as shopadmin
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
    site: Site, scope: CrawlScope, more: Iterable[str] = (), prepare: Callable[[World], None] = lambda _: None
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


SEARCH = "forum:search/"
"""The beginning of the keys of searches for a submission's links."""
MEMBERS_LOG = "forum:log/user/"
"""The beginning of the keys of the log filtered by a member."""
_COUNT_ANEW = "UPDATE report_statistics SET updated_at = ?"
"""What refreshes the statistics of the shop's reports."""
_FORMS = re.compile(
    r"/(mod_delete|flair|delete|delete_thread|edit|submit|ban|unban|_edit|comment|comment_form|compose_message"
    r"|add_moderator|edit_biography|create_forum|_create)/"
)
_REORDERED = re.compile(r"/(active|top|controversial|most_commented|hot|nested|linear)\b|\?t=|/forums/by_")
_FURTHER_PAGE = re.compile(r"paging%5Bcurrent%5D=(\d+)")
_USUAL_ORDER = re.compile(r"sorting%5Bfield%5D=(created_at|entity_id|review_id|page_id|time)&")
_SKIPPED = re.compile(r"/order_creditmemo/start/|/logging/event/view/")
"""Forms, and entries that their grid shows whole."""
_NUMBERED = ("sales/order", "sales/invoice", "sales/shipment", "sales/creditmemo")
_GRIDS = (*_NUMBERED, "customer/index", "review/product")


def _form_or_reordered(link: str) -> bool:
    return bool(_FORMS.search(f"{link}/") or _REORDERED.search(link))


def _outside_or_reordered(link: str) -> bool:
    """A sorted listing repeats its content: only its further pages are followed."""
    page = _FURTHER_PAGE.search(link)
    again = page is not None and (page[1] == "1" or not _USUAL_ORDER.search(link))
    return again or not link.startswith("/admin/") or bool(_SKIPPED.search(link))


SCOPES = {
    "shopping_admin": CrawlScope(("/admin/admin/dashboard/",), _outside_or_reordered),
    "reddit": CrawlScope(("/", "/all/new", "/forums/by_name", "/wiki/_all", "/trash", "/messages"), _form_or_reordered),
}
SITE_MAKERS: dict[str, Callable[[Iterable[Task], SourceTransform], Site]] = {
    "shopping_admin": shopadmin.make,
    "reddit": forum.make,
}


def explore(
    tasks: Mapping[str, DecisionTask], wanted: Mapping[str, DecisionTask], vary: SourceTransform = as_shipped
) -> Crawl:
    """Every page of a suite's world with these tasks in it, and what searches for the wanted ones' data find. Searches
    repeat what other pages say, so those for other tasks are left out. Raises DataError if a story doesn't fit.

    In the hard tier's worlds, everybody has answered and the reports' statistics are refreshed: so pages show all that
    an agent can bring about. Documents of appeals are not there yet.
    """
    some = next(iter(tasks.values()))
    site = SITE_MAKERS[some.base_suite](tasks.values(), vary)

    def prepared(world: World) -> None:
        if some.hard:
            world.edition = "hard"
            world.add(row for task in tasks.values() for reply in task.events.replies for row in reply.adds)
            if some.base_suite == "shopping_admin":
                world.db(site.name).execute(_COUNT_ANEW, (f"{NOW:%Y-%m-%d %H:%M:%S}",))

    return crawl(site, SCOPES[some.base_suite], _SEARCHES[some.base_suite](wanted.values()), prepared)


def _shop_searches(tasks: Iterable[DecisionTask]) -> list[str]:
    """The listings that a search for a case's data shows: names, e-mail addresses, telephone numbers, ZIP codes, order
    numbers."""
    addresses = []
    for task in tasks:
        customers = task.story.get("customers", ())
        orders = [f"{order['id']:09d}" for order in task.story.get("orders", ())]
        searches = {grid: [customer["name"] for customer in customers] for grid in _GRIDS}
        for customer in customers:
            address = customer.get("address", {})
            values = (customer.get("email"), address.get("phone"), address.get("zip"))
            searches["customer/index"] += [str(value) for value in values if value]
        for grid in _NUMBERED:
            searches[grid] += orders
        addresses += [f"/admin/{address}" for address in task.story.get("reports", ())]
        addresses += [f"/admin/{grid}/?search={quote_plus(text)}" for grid, texts in searches.items() for text in texts]
    return addresses


def _forum_searches(tasks: Iterable[DecisionTask]) -> list[str]:
    """What the forum's search finds for the members of a case and for the submissions whose links a case looks for, and
    the filtered lists that a case names."""
    all_tasks = list(tasks)
    searches = [user["name"] for task in all_tasks for user in task.story.get("users", ())]
    pages = [page for task in all_tasks for fact in task.facts for page in fact.pages]
    pages += [page for task in all_tasks for page in task.relevant_pages]
    searches += [page.removeprefix(SEARCH) for page in pages if page.startswith(SEARCH)]
    addresses = [f"/search?q={quote_plus(text)}" for text in searches]
    addresses += [f"/moderation_log?user={page[len(MEMBERS_LOG) :]}" for page in pages if page.startswith(MEMBERS_LOG)]
    return addresses + [address for task in all_tasks for address in task.story.get("lists", ())]


_SEARCHES: dict[str, Callable[[Iterable[DecisionTask]], list[str]]] = {
    "shopping_admin": _shop_searches,
    "reddit": _forum_searches,
}
