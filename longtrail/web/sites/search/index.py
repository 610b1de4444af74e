"""Index: SQLite's FTS5 over every page of the consumer web. Read-only, built once per process on the first query."""

import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from longtrail.web.sites.consumer import sites
from longtrail.web.sites.consumer.documents import Document, documents
from longtrail.web.sites.consumer.words import words

_TABLE = """
CREATE VIRTUAL TABLE pages USING fts5 (
    title, site, text, body, url UNINDEXED, host UNINDEXED, weight UNINDEXED,
    tokenize = "porter unicode61 remove_diacritics 2"
)
"""
_FIND = """
SELECT title, url, host,
    snippet(pages, 2, char(2), char(3), ' … ', 40) AS text, snippet(pages, 3, char(2), char(3), ' … ', 30) AS body,
    -bm25(pages, 8.0, 5.0, 3.0, 1.0) * weight AS score
FROM pages WHERE pages MATCH ? AND (? = '' OR host = ? OR host LIKE '%.' || ?)
ORDER BY score DESC, url LIMIT ?
"""
TITLE_BONUS = 1.5
"""How much more a page scores whose title is made of the query's words alone."""
MOST = 200
"""Results of one query at most."""
# fmt: off
_STOP = frozenset((
    "a", "an", "and", "are", "at", "by", "find", "for", "from", "get", "how", "i", "in", "is", "it", "me", "my", "of",
    "on", "or", "show", "the", "to", "what", "with",
))
# fmt: on
_SITE = re.compile(r"\bsite:(\S+)")


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One hit: `passage` is text around the words found, in (text, is a found word) runs."""

    title: str
    url: str
    host: str
    passage: tuple[tuple[str, bool], ...]


class Index:
    """Full text over documents, ranked by BM25 with the title weighing most."""

    def __init__(self, found: Iterable[tuple[str, Document]]) -> None:
        self._db = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        self._db.execute(_TABLE)
        self._db.execute("BEGIN")
        self._db.executemany(
            "INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                (one.title, f"{name} {host}", one.text, one.body, one.url, host, one.weight)
                for name, one in found
                for host in (one.url.split("/")[2],)
            ),
        )
        self._db.execute("COMMIT")

    def find(self, query: str) -> list[SearchHit]:
        """Pages with all words of the query, best first; then, if they are few, pages with some of them."""
        asked = _SITE.search(query)
        host = asked[1].lower().removeprefix("www.").strip("/") if asked else ""
        every = words(_SITE.sub(" ", query))[:32]
        told = telling(every)
        if not told:
            return []
        results = self._match(" AND ", told, host)
        if len(results) < 10 and len(told) > 1:
            known = {one.url for one in results}
            results += [one for one in self._match(" OR ", told, host) if one.url not in known]
        return results[:MOST]

    def _match(self, glue: str, asked: list[str], host: str) -> list[SearchHit]:
        expression = glue.join(f'"{word}"' for word in asked)
        rows = self._db.execute(_FIND, (expression, host, host, host, MOST)).fetchall()
        found = [
            (score * (1 + TITLE_BONUS * _share(asked, title)), SearchHit(title, url, site, _runs(_passage(text, body))))
            for title, url, site, text, body, score in rows
        ]
        return [one for _, one in sorted(found, key=lambda pair: -pair[0])]


def telling(asked: list[str]) -> list[str]:
    """The words that say what a query is about; all of them where none does."""
    return [word for word in asked if word not in _STOP] or asked


def _passage(text: str, body: str) -> str:
    """The page's own description if a word of the query is in it or there is nothing better, else a passage."""
    return text if "\x02" in text or not ("\x02" in body or not text) else body


def _share(asked: list[str], title: str) -> float:
    """Which part of a title (without the site's name) the query's words make up."""
    own = words(title.rpartition(" | ")[0] or title)
    return len(set(asked) & set(own)) / len(own) if own else 0.0


def _runs(passage: str) -> tuple[tuple[str, bool], ...]:
    parts = re.split("[\x02\x03]", passage)
    return tuple((part, at % 2 == 1) for at, part in enumerate(parts) if part)


@cache
def index() -> Index:
    """The index over all replicas."""
    return Index((replica.spec.name, one) for replica in sites.replicas() for one in documents(replica))
