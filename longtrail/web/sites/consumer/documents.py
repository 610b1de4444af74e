"""Documents: every page of a replica for a search engine's index. Made from the data, without rendering a page."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from longtrail.clock import NOW
from longtrail.records.record import Record
from longtrail.web.replica_notice import ABOUT_PATH
from longtrail.web.sites.consumer.blocks import Block, Cards, Grid, Map, Offers, Selection, Timetable
from longtrail.web.sites.consumer.items import Item
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
from longtrail.web.sites.consumer.replica import PageAddress, Replica

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
