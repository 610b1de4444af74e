"""The YAML of a replica: brand, navigation, catalogues and pages. One file per site in `data/sites/`."""

from typing import Annotated, Any, Literal

from pydantic import Field

from longtrail.records.record import Record
from longtrail.web.sites.consumer.blocks import Control, Link, Where
from longtrail.web.sites.consumer.page import Page
from longtrail.web.sites.consumer.theme import Theme

Path = Annotated[str, Field(pattern=r"^/\S*$")]


class LinkColumn(Record):
    """A titled list of links, in a menu or in the footer."""

    title: str = ""
    links: tuple[Link, ...]


class Menu(Record):
    """An entry of the main navigation: a link, or a button that opens columns of links."""

    label: str
    to: str = ""
    columns: tuple[LinkColumn, ...] = ()


class SearchBox(Record):
    """The search form of the header."""

    to: Path
    label: str = "Search"
    button: str = "Search"
    fields: tuple[Control, ...]


class Navigation(Record):
    """What every page contains."""

    home: Path = "/"
    utility: tuple[Link, ...] = ()
    menus: tuple[Menu, ...]
    search: SearchBox | None = None
    counters: tuple[Link, ...] = ()
    """Links to the cart and the favourites; the number of items is added to the label."""
    footer: tuple[LinkColumn, ...]
    small_print: tuple[Link, ...] = ()
    notice: str = ""
    """A strip at the top."""


class Attribute(Record):
    """One field of a catalogue's items."""

    type: Literal["text", "number", "money", "date", "time", "flag", "list", "rating", "ref"] = "text"
    label: str = ""
    of: str = ""
    """ref: the catalogue that it refers to."""
    unit: str = ""
    """number: what follows it."""
    whole: bool = False
    """money: shown in whole dollars, without cents."""


class Card(Record):
    """What the catalogue's items show as cards; all are texts with fields, except `price`, `was`, `rating`, `date`."""

    title: str = "{name}"
    kicker: str = ""
    subtitle: str = ""
    lines: tuple[str, ...] = ()
    badge: str = ""
    action: str = ""
    picture: str = ""
    """The name of a drawing, see `templates/pictures/`."""
    price: str = ""
    was: str = ""
    rating: str = ""
    date: str = ""
    favourite: bool = False
    cart: bool = False


class Across(Record):
    """The items are defined once and exist for each item of another catalogue: seats of events, cabins of sailings."""

    of: str
    field: str
    """The field (a ref) that names the other item."""
    factors: dict[str, str] = {}
    """Money field -> the other item's field that it multiplies (whole dollars)."""


class Catalogue(Record):
    """Items of one kind. Every item has `id` and `name`; the rest is declared in `fields`."""

    across: Across | None = None

    fields: dict[str, Attribute] = {}
    url: str = ""
    """Address of an item's own page; without it items are not links."""
    slug: str = "{name}"
    """The field from which `{slug}` in addresses is made."""
    card: Card = Card()
    items: tuple[dict[str, Any], ...]
    sold_out: Where = {}
    """Which items are currently unavailable: their buttons are disabled."""
    favourite_name: str = "{name}"
    """The item's name in the names of its buttons."""


class SiteSpec(Record):
    """One site. `host` and `aliases` are the file's first two lines (they are read without the rest)."""

    host: Annotated[str, Field(pattern=r"^[a-z0-9.-]+$")]
    aliases: tuple[str, ...] = ()
    """Hosts that redirect here."""
    name: str
    about: str
    """One sentence for search engines."""
    keywords: tuple[str, ...] = ()
    language: str = "en-US"
    currency: str = "$"
    theme: Theme
    navigation: Navigation
    catalogues: dict[str, Catalogue] = {}
    pages: tuple[Page, ...] = Field(min_length=1)
