"""Addresses: pages that a text names by their address, their key or their path, and what was delivered of them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from longtrail.checks.hosts import host_of
from longtrail.checks.page_names import page_key
from longtrail.checks.visits import canonical
from longtrail.scoring.grounding.documents import with_key
from longtrail.scoring.grounding.frames import made_to_speak
from longtrail.scoring.grounding.ledger import Entry, Ledger
from longtrail.scoring.grounding.papers import wiki_paths
from longtrail.text.folding import squeeze

_URL = re.compile(
    r"https?://[^\s<>\"')\]]+"
    r"|(?<![\w/])(?:shopadmin\.test|forum\.test)/[^\s<>\"')\]]*"
    r"|(?<![\w/])/(?:admin|f|user|wiki)/[^\s<>\"')\],;]+"
)
_KEY = re.compile(
    r"\b(?:order|customer|creditmemo|invoice|shipment|cms|product|review):\d+(?:/[a-z]+)?\b"
    r"|\bforum:(?:user|submission|wiki|f|log|bans)/[\w/-]+|\bimage:\w+"
)
_CMS_PAGE = re.compile(r"\bCMS page (?:no\.? ?|id:? ?|#)?(\d+)\b", re.IGNORECASE)
_WIKI_PAGE = re.compile(r"\s*wiki: ?(?P<name>[a-z][\w-]*(?: [a-z][\w-]*){0,2})(?=,|$|\()", re.IGNORECASE)
"""A page of the wiki by its name alone: `wiki: road-safety, section 1`."""
_FORUM_NAME = re.compile(r"^/?f/[^/]+/?$")


@dataclass(frozen=True)
class Source:
    """A page, or pages, that a claim names."""

    says: str
    entries: tuple[Entry, ...] = ()
    """What was delivered of it."""
    bare: str = ""
    """The id, where no page is named but a thing with an id ("order 999"), of which listings may show a row."""
    foreign: bool = False
    """Whether the words name no page of the site, so that only what pages tell of it can have been read."""
    speaks: bool = False
    """Whether a whole sentence is given as what the page says."""
    told: bool = False
    """Whether the page itself was not delivered, only others that name it."""
    start: int = 0
    end: int = 0


def pages_of(sources: Sequence[Source]) -> tuple[Entry, ...]:
    """Every page that some sources mean."""
    return tuple(dict.fromkeys(entry for source in sources for entry in source.entries))


def addresses(text: str, ledger: Ledger) -> Iterator[Source]:
    """Pages by their address or their key, and of the wiki by their path."""
    for match in _URL.finditer(text):
        written = match[0].rstrip(".,;:")
        if _FORUM_NAME.match(written):
            continue
        start, end = match.start(), match.start() + len(written)
        yield Source(written, _at(written, ledger), speaks=made_to_speak(text, start, end), start=start, end=end)
    for match in (*_KEY.finditer(text), *_CMS_PAGE.finditer(text)):
        key = f"cms:{match[1]}" if match.re is _CMS_PAGE else match[0].lower()
        yield Source(key, with_key(ledger, re.compile(re.escape(key))), start=match.start(), end=match.end())
    yield from _by_path(text, ledger) if ledger.suite == "reddit" else ()


def _by_path(text: str, ledger: Ledger) -> Iterator[Source]:
    """Pages of the wiki by their path; a part of it will do."""
    for match, path in wiki_paths(text):
        ends = rf"forum:wiki/(?:.*/)?{re.escape(path)}(?:/.*)?"
        yield Source(match[0], with_key(ledger, re.compile(ends)), start=match.start(), end=match.end())
    page = _WIKI_PAGE.match(text)
    if page and not any(_called(page["name"], entry) for entry in ledger.entries):
        yield Source(page[0], start=page.start(), end=page.end())


def _called(name: str, entry: Entry) -> bool:
    """Whether a wiki's page has a word of a name in its path or its title."""
    words = set(re.findall(r"\w+", squeeze(name)))
    paths = (key for key in entry.keys if key.startswith("forum:wiki/"))
    return any(words & set(re.findall(r"[a-z0-9]+", f"{path} {squeeze(entry.title)}")) for path in paths)


def _at(written: str, ledger: Ledger) -> tuple[Entry, ...]:
    """The entries of an address, which may lack scheme and host."""
    host = next((host_of(entry.url) for entry in ledger.entries if entry.url), "")
    url = (
        f"https://{host}{written}" if written.startswith("/") else written if "://" in written else f"https://{written}"
    )
    same = tuple(entry for entry in ledger.entries if entry.url and canonical(entry.url) == canonical(url))
    key = page_key(url) if host_of(url) == host else None
    if key is None or same:
        return same
    return tuple(entry for entry in ledger.entries if key in entry.keys or _fits(key, entry, urlsplit(url).path))


def _fits(key: str, entry: Entry, path: str) -> bool:
    """An order's page shows its comments, too."""
    return key.endswith("/history") and key.removesuffix("/history") in entry.keys and bool(path)
