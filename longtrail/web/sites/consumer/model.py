"""Model: the YAML of a replica (looks, navigation, catalogues, pages), one file per site in `data/sites/`, and the
checks of its catalogues beyond their schema."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from longtrail.errors import DataError
from longtrail.records.record import Record
from longtrail.web.sites.consumer.blocks import Control, Link, Where
from longtrail.web.sites.consumer.page import Page

Colour = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{3,8}$")]
Typeface = Literal["grotesk", "humanist", "condensed", "geometric", "old-style"]


class Colours(Record):
    """The palette. Names describe the role, not the colour."""

    ink: Colour
    paper: Colour
    panel: Colour
    """Background of cards, side bars and form fields."""
    line: Colour
    muted: Colour
    """Secondary text on paper and on panels."""
    accent: Colour
    """Buttons and marks."""
    on_accent: Colour
    link: Colour
    header: Colour
    on_header: Colour
    footer: Colour
    on_footer: Colour
    second: Colour
    """A second brand colour: badges, prices, hero grounds."""
    on_second: Colour


class Logo(Record):
    """A text logo, or a drawing: the inside of an `<svg>` whose view box is `box`."""

    text: str
    svg: str = ""
    box: str = "0 0 120 40"
    height: int = 36


class Theme(Record):
    """A site's layouts and style."""

    header: Literal["retail", "mega", "community", "transit", "storefront", "masthead"]
    footer: Literal["columns", "split", "slim", "stacked"]
    colours: Colours
    logo: Logo
    typeface: Typeface = "grotesk"
    headings: Typeface = "grotesk"
    heading_weight: Annotated[int, Field(ge=300, le=900)] = 700
    heading_case: Literal["none", "uppercase"] = "none"
    size: Annotated[int, Field(ge=12, le=20)] = 16
    """Body type in pixels."""
    radius: Annotated[int, Field(ge=0, le=40)] = 4
    density: Literal["airy", "normal", "dense"] = "normal"
    width: Annotated[int, Field(ge=900, le=1600)] = 1200
    """Width of the page's column in pixels."""
    css: str = ""
    """CSS rules of this site only, after all others."""


SitePath = Annotated[str, Field(pattern=r"^/\S*$")]


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

    to: SitePath
    label: str = "Search"
    button: str = "Search"
    fields: tuple[Control, ...]


class Navigation(Record):
    """What every page contains."""

    home: SitePath = "/"
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


class CrossProduct(Record):
    """The items are defined once and exist for each item of another catalogue: seats of events, cabins of sailings."""

    of: str
    field: str
    """The field (a ref) that names the other item."""
    factors: dict[str, str] = {}
    """Money field -> the other item's field that it multiplies (whole dollars)."""


class Catalogue(Record):
    """Items of one kind. Every item has `id` and `name`; the rest is declared in `fields`."""

    across: CrossProduct | None = None

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
    """One site. `host` and `aliases` are the lines below the file's canary line (they are read without the rest)."""

    host: Annotated[str, Field(pattern=r"^[a-z0-9.-]+$")]
    aliases: tuple[str, ...] = ()
    """Hosts that redirect here."""
    name: str
    about: str
    """One sentence for search engines."""
    keywords: tuple[str, ...] = ()
    theme: Theme
    navigation: Navigation
    catalogues: dict[str, Catalogue] = {}
    pages: tuple[Page, ...] = Field(min_length=1)


IMPLICIT: Mapping[str, Attribute] = {name: Attribute() for name in ("id", "name", "slug", "url")}
"""Fields that every item has without declaring them."""
_KINDS: Mapping[str, Any] = {
    "number": int | float,
    "money": int | float,
    "rating": int | float,
    "flag": bool,
    "list": list,
    "time": str,
}


def check(spec: SiteSpec, file: Path) -> None:
    """Check that every reference exists, ids are unique and values have their fields' types. Raises DataError."""
    before: set[str] = set()
    for name, catalogue in spec.catalogues.items():
        for field, attribute in catalogue.fields.items():
            if attribute.type == "ref" and attribute.of not in spec.catalogues:
                raise DataError(file, f"catalogues.{name}.fields.{field}.of", f"no catalogue {attribute.of!r}")
        if catalogue.across and catalogue.across.of not in before:
            of = catalogue.across.of
            raise DataError(file, f"catalogues.{name}.across.of", f"no earlier catalogue is named {of!r}")
        _check_items(spec, catalogue, file, f"catalogues.{name}.items")
        before.add(name)


def _check_items(spec: SiteSpec, catalogue: Catalogue, file: Path, at: str) -> None:
    seen: set[str] = set()
    for index, values in enumerate(catalogue.items):
        id = str(values.get("id", ""))
        if not id or not values.get("name"):
            raise DataError(file, f"{at}.{id or index}", "an item needs an id and a name")
        if id in seen:
            raise DataError(file, f"{at}.{id}", "two items have this id")
        seen.add(id)
        for field, value in values.items():
            attribute = catalogue.fields.get(field) or IMPLICIT.get(field)
            if attribute is None:
                raise DataError(file, f"{at}.{id}.{field}", "is not a field of this catalogue")
            _check_value(spec, attribute, value, file, f"{at}.{id}.{field}")


def _check_value(spec: SiteSpec, attribute: Attribute, value: Any, file: Path, at: str) -> None:
    kind = _KINDS.get(attribute.type)
    if kind and not isinstance(value, kind):
        hint = " in quotes" if attribute.type == "time" else ""
        raise DataError(file, at, f"expected a {attribute.type}{hint}, got {value!r}")
    if attribute.whole and value is not None and value != int(value):
        raise DataError(file, at, f"expected whole dollars, got {value!r}")
    if attribute.type == "ref":
        target = spec.catalogues[attribute.of]
        if target.across is None and all(str(item.get("id")) != str(value) for item in target.items):
            raise DataError(file, at, f"{attribute.of} has no item {value!r}")
