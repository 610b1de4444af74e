"""Finding: searches a catalogue's items and a site's pages."""

from collections.abc import Iterable
from functools import lru_cache

from longtrail.web.sites.consumer.documents import Document, documents
from longtrail.web.sites.consumer.full_text import FullText, Matches
from longtrail.web.sites.consumer.items import Item, Shelf
from longtrail.web.sites.consumer.page import ListingPage
from longtrail.web.sites.consumer.replica import Replica
from longtrail.web.sites.consumer.words import words

COLUMNS = {"name": 8.0, "rest": 1.0}
PAGE_COLUMNS = {"title": 8.0, "text": 3.0, "body": 1.0}


def items(page: ListingPage, shelf: Shelf, pool: Iterable[Item], query: str) -> tuple[list[Item], str]:
    """The items of a page that match a query, best first, and the corrected query, if it was corrected."""
    shown = frozenset(pool)
    index = _index(shelf, page.searched, _flags(page))
    matches = index.find(query, filler=page.filler, among=lambda row: shelf.items[row] in shown)
    return [shelf.items[row] for row in matches.rows], matches.instead


def holding(shelf: Shelf, fields: tuple[str, ...], query: str) -> frozenset[Item]:
    """The items with every word of the query in these fields."""
    return frozenset(shelf.items[row] for row in _index(shelf, fields, (), named=False).all_of(query))


def pages(replica: Replica, query: str) -> tuple[list[Document], str]:
    """The site's pages that match a query, best first, and the corrected query, if it was corrected."""
    every, index = _pages(replica)
    matches: Matches = index.find(query)
    return [every[row] for row in matches.rows], matches.instead


def _flags(page: ListingPage) -> tuple[tuple[str, str], ...]:
    """(field, label) of a facet's option that applies to an item: a search for its label, such as `Open 24 Hours`,
    finds the item, too."""
    return tuple(
        (facet.field, option.label) for facet in page.facets for option in facet.options if option.match is True
    )


@lru_cache(maxsize=1_024)
def _index(shelf: Shelf, fields: tuple[str, ...], flags: tuple[tuple[str, str], ...], named: bool = True) -> FullText:
    def text(item: Item) -> tuple[str, str]:
        texts = [item.show(field) for field in fields] + [label for field, label in flags if item[field]]
        return " ".join(words(item.name)) if named else "", " ".join(words(" ".join(texts)))

    return FullText(COLUMNS, map(text, shelf.items))


@lru_cache(maxsize=64)
def _pages(replica: Replica) -> tuple[tuple[Document, ...], FullText]:
    every = tuple(documents(replica))
    texts = (
        (document.title.rpartition(" | ")[0] or document.title, document.text, document.body) for document in every
    )
    return every, FullText(PAGE_COLUMNS, texts, [document.weight for document in every])
