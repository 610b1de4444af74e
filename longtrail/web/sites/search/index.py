"""Index: full text over every page of the consumer web. Read-only, built once per process on the first query."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from longtrail.web.site import VARIANTS_KEPT, SourceTransform, as_shipped
from longtrail.web.sites.consumer import sites
from longtrail.web.sites.consumer.documents import Document, documents
from longtrail.web.sites.consumer.full_text import FullText, Matches

COLUMNS = {"title": 8.0, "site": 5.0, "text": 3.0, "body": 1.0}
TEXT, BODY = 2, 3
MOST = 200
"""Maximum number of results of one query."""
ENOUGH = 10
"""With fewer pages than this that contain all words, pages with some of them follow."""
_SITE = re.compile(r"\bsite:(\S+)")


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One hit: `passage` is text around the words found, in (text, is a found word) runs."""

    title: str
    url: str
    host: str
    passage: tuple[tuple[str, bool], ...]


class SearchResults:
    """The results of a query, best first. Passages are made only for the results that are shown."""

    def __init__(self, index: "Index", matches: Matches) -> None:
        self._index, self._found, self._rows = index, matches, matches.rows[:MOST]
        self.instead = matches.instead
        """The corrected query, if its spelling was corrected."""

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def urls(self) -> list[str]:
        """The addresses of all results."""
        return [self._index.pages[row].url for row in self._rows]

    def shown(self, start: int, size: int) -> list[SearchHit]:
        """The results on one page."""
        return [self._hit(row) for row in self._rows[start : start + size]]

    def _hit(self, row: int) -> SearchHit:
        page = self._index.pages[row]
        text = self._index.texts.passage(self._found, row, TEXT, 40)
        body = self._index.texts.passage(self._found, row, BODY, 30)
        return SearchHit(page.title, page.url, _host(page), _runs(_passage(text, body)))


class Index:
    """Full-text search over documents; the title has the highest weight."""

    def __init__(self, documents: Iterable[tuple[str, Document]]) -> None:
        named = list(documents)
        self.pages = [page for _, page in named]
        texts = ((page.title, f"{name} {_host(page)}", page.text, page.body) for name, page in named)
        self.texts = FullText(COLUMNS, texts, [page.weight for page in self.pages])

    def find(self, query: str) -> SearchResults:
        """Pages with all words of the query, best first; then, if they are few, pages with some of them."""
        site_filter = _SITE.search(query)
        host = site_filter[1].lower().removeprefix("www.").strip("/") if site_filter else ""

        def wanted(row: int) -> bool:
            return not host or f".{_host(self.pages[row])}".endswith(f".{host}")

        matches = self.texts.find(_SITE.sub(" ", query), few=ENOUGH, loose=True, among=wanted)
        return SearchResults(self, matches)


def _host(page: Document) -> str:
    return page.url.split("/")[2]


def _passage(text: str, body: str) -> str:
    """The page's description if it contains a word of the query or there is nothing better, otherwise a passage."""
    return text if "\x02" in text or not ("\x02" in body or not text) else body


def _runs(passage: str) -> tuple[tuple[str, bool], ...]:
    parts = re.split("[\x02\x03]", passage)
    return tuple((part, at % 2 == 1) for at, part in enumerate(parts) if part)


def index(vary: SourceTransform = as_shipped) -> Index:
    """The index over all replicas."""
    return _index(vary)


@lru_cache(VARIANTS_KEPT)
def _index(vary: SourceTransform) -> Index:
    return Index((replica.spec.name, document) for replica in sites.replicas(vary) for document in documents(replica))
