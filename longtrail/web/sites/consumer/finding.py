"""Finding: every page of a replica as a document for indexes, made without rendering it; and searches of a site's pages
and of a catalogue's items."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from longtrail.clock import NOW
from longtrail.records.record import Record
from longtrail.web.page_templates import ABOUT_PATH
from longtrail.web.sites.consumer.blocks import Block, Cards, Grid, Map, Offers, Selection, Timetable
from longtrail.web.sites.consumer.full_text import FullText, Matches
from longtrail.web.sites.consumer.items import Item, Shelf
from longtrail.web.sites.consumer.markup import plain
from longtrail.web.sites.consumer.page import (
    ArticlePage,
    CartPage,
    DetailPage,
    FavouritesPage,
    FormPage,
    HomePage,
    ListingPage,
    SearchPage,
)
from longtrail.web.sites.consumer.sites import PageAddress, Replica
from longtrail.web.sites.consumer.words import words

HOME_WEIGHT = 3.0
FORM_WEIGHT = 0.4
_MOST_NAMES = 40
# fmt: off
_SKIPPED = frozenset((
    "kind", "style", "picture", "placeholder", "to", "sort", "tone", "name", "value", "type", "minutes", "first",
    "last", "every", "colour", "fill", "strokes", "legend", "stops", "points",
))
# fmt: on
"""Fields of blocks without visible text."""


@dataclass(frozen=True, slots=True)
class Document:
    """One page: its address, its title with the site's name, its description, and all of its text."""

    url: str
    path: str
    title: str
    text: str
    body: str
    weight: float
    """The page's weight relative to others with the same text: front pages most, forms least."""


def documents(replica: Replica) -> Iterator[Document]:
    """The site's pages, except those with an episode's state and the one that says what the site is."""
    for address in replica.addresses.values():
        if isinstance(address.page, CartPage | FavouritesPage | SearchPage) or address.path == ABOUT_PATH:
            continue
        title, text = address.title, plain(address.fill(address.page.text))
        home = address.page.kind == "home"
        yield Document(
            url=f"https://{replica.host}{address.path}",
            path=address.path,
            title=title if replica.spec.name.lower() in title.lower() else f"{title} | {replica.spec.name}",
            text=text or (replica.spec.about if home else ""),
            body=" ".join(_body(address, replica)) + (" " + " ".join(replica.spec.keywords) if home else ""),
            weight=HOME_WEIGHT if home else FORM_WEIGHT if isinstance(address.page, FormPage) else 1.0,
        )


def _body(address: PageAddress, replica: Replica) -> Iterator[str]:
    page, item = address.page, address.item
    if item is not None and isinstance(page, DetailPage):
        yield from _item_words(item)
    if isinstance(page, ArticlePage):
        yield plain(address.fill(f"{page.lead}\n\n{page.body}"))
    if isinstance(page, DetailPage):
        yield plain(address.fill(page.body))
    if isinstance(page, ListingPage):
        yield page.count.replace("{n}", "")
        chosen = replica.shelves[page.items.catalogue].select(page.items, item, NOW)
        yield ", ".join(item.name for item in chosen[:_MOST_NAMES])
    for block in (*page.blocks, *page.aside):
        written = (block.heading,) if isinstance(block, Grid | Offers) else _texts(block)
        yield from (plain(address.fill(text)) for text in written if text)
        selection = _selection(block)
        if selection is not None and not isinstance(page, HomePage):
            chosen = replica.shelves[selection.catalogue].select(selection, item, NOW)
            yield ", ".join(item.name for item in chosen[:_MOST_NAMES])


def _selection(block: Block) -> Selection | None:
    """The items that a block shows."""
    match block:
        case Cards() | Grid() | Offers():
            return block.items
        case Map():
            return block.points
        case Timetable():
            return block.stops
    return None


def _item_words(item: Item) -> Iterator[str]:
    for field, attribute in item.shelf.catalogue.fields.items():
        if item[field] is not None and attribute.type != "flag":
            yield plain(item.show(field))


def _texts(value: Any) -> Iterator[str]:
    """Every written text in a block."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Record) and not isinstance(value, Selection):
        for name in type(value).model_fields:
            if name not in _SKIPPED:
                yield from _texts(getattr(value, name))
    elif isinstance(value, dict):
        for key, part in value.items():
            yield str(key)
            yield from _texts(part)
    elif isinstance(value, tuple):
        for part in value:
            yield from _texts(part)


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
