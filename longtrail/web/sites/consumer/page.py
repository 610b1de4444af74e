"""Page: the kinds of pages in a site's YAML. Each class is its own schema and has a template of the same name."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from longtrail.records.record import Record
from longtrail.web.sites.consumer.blocks import Block, Control, Link, Scalar, Selection, Where


class PageShared(Record):
    """The fields of all kinds of pages."""

    path: str = ""
    """With `each`, default: the catalogue's `url`; may contain `{field}`."""
    also: tuple[str, ...] = ()
    """Other addresses that redirect here, as on the live site."""
    each: str = ""
    """A catalogue: one page for each of its items."""
    where: Where = {}
    """With `each`: only for these items."""
    title: str
    text: str = ""
    """A description in one or two sentences; shown as the page's introduction and by search engines."""
    crumbs: tuple[Link, ...] = ()
    tabs: tuple[Link, ...] = ()
    blocks: tuple[Block, ...] = ()
    aside: tuple[Block, ...] = ()
    variant: str = ""
    """A class on the page's body, for the site's own rules."""


class HomePage(PageShared):
    """Begins with a hero, full width, no breadcrumbs."""

    kind: Literal["home"]


class PlainPage(PageShared):
    """Blocks below a heading."""

    kind: Literal["page"]


class ArticlePage(PageShared):
    """A text to read, with a byline."""

    kind: Literal["article"]
    byline: str = ""
    date: str = ""
    lead: str = ""
    body: str = ""
    picture: str = ""


class DetailPage(PageShared):
    """One item: picture, facts, price, buttons, then blocks."""

    kind: Literal["detail"]
    kicker: str = ""
    subtitle: str = ""
    style: Literal["gallery", "capsule", "event", "sheet"] = "gallery"
    picture: str = ""
    price: str = ""
    was: str = ""
    rating: str = ""
    favourite: bool = False
    cart: bool = False
    quantities: int = 1
    body: str = ""
    facts: dict[str, str] = {}


class Option(Record):
    """One choice of a facet: the parameter's value, its label, and the matching values of the field."""

    value: str
    label: str = ""
    match: Scalar | tuple[Scalar, ...] | dict[str, Scalar] | None = None
    """Default: the value itself. With `least`, `most`, `below`: bounds."""


class Facet(Record):
    """A filter of a listing."""

    param: str
    field: str = ""
    """Dotted through references; several fields separated by a space for `words`. Empty: it stays in the address and
    filters nothing (a ZIP code)."""
    label: str
    style: Literal["links", "checkboxes", "select", "range", "words"] = "links"
    options: tuple[Option, ...] = ()
    """Default: the values that occur."""
    several: bool = True
    """More than one option may be chosen (the parameter is repeated)."""
    path: str = ""
    """links: the options are separate pages at this path, with `{value}` filled in."""
    all: str = ""
    """select: label of the choice that filters nothing."""

    @model_validator(mode="after")
    def _has_what_it_offers(self) -> Self:
        """Options are compared with a field's values; only free words need no field."""
        if not self.field and self.style != "words":
            raise ValueError(f"a facet of style {self.style!r} needs a `field` (only `words` may narrow nothing)")
        return self


class Sort(Record):
    """One order of a listing; the first one is the default."""

    value: str
    label: str
    by: str
    """A field, with a leading `-` for descending order; empty: by relevance, or in the catalogue's order."""


class Paging(Record):
    """How a listing is divided into pages."""

    param: str = "page"
    size: Annotated[int, Field(ge=1)] = 24
    offset: bool = False
    """Whether the parameter is the number of skipped items instead of the page's number."""


class ListingPage(PageShared):
    """Items of a catalogue with facets, orders and pages; with `query`, a search."""

    kind: Literal["listing"]
    items: Selection
    style: str = "product"
    facets: tuple[Facet, ...] = ()
    facets_at: Literal["side", "top"] = "side"
    apply: str = ""
    """With a label, checkboxes and selects wait for this button; otherwise they apply at once."""
    sorts: tuple[Sort, ...] = ()
    sort_param: str = "sort"
    paging: Paging = Paging()
    query: str = ""
    """The parameter with the words to search for."""
    searched: tuple[str, ...] = ("name",)
    """The searched fields."""
    filler: tuple[str, ...] = ()
    """Filler words of this page, such as `food` if everything is a place to eat."""
    needs_query: bool = False
    """Without words, only a hint is shown."""
    count: str = "{n} results"
    one: str = "1 result"
    nothing: str = "Nothing matches. Try fewer filters or other words."
    columns: dict[str, str] = {}
    """style `table`: heading of a column -> text with fields."""
    below: tuple[Block, ...] = ()


class SearchPage(PageShared):
    """Searches the pages of this site."""

    kind: Literal["search"]
    query: str = "q"
    paging: Paging = Paging(size=10)
    nothing: str = "No page matches your search."


class FormScreen(Record):
    """One screen of a form."""

    title: str
    fields: tuple[Control, ...]
    text: str = ""


class FormPage(PageShared):
    """A form, on one screen or as a wizard, and what it says when it is done."""

    kind: Literal["form"]
    name: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]
    steps: tuple[FormScreen, ...] = Field(min_length=1)
    button: str = "Submit"
    reject: str = ""
    """If set, the form is always refused with this message (sign-in without an account)."""
    done: str = ""
    empties_cart: bool = False


class Fee(Record):
    """A fee of a cart besides its items."""

    label: str
    amount: float = 0
    percent: float = 0
    free_from: float | None = None
    """No fee from this subtotal upwards."""
    each: bool = False
    """Per unit."""


class CartPage(PageShared):
    """The cart. Buttons on all pages post to its address."""

    kind: Literal["cart"]
    add: str = "Add to cart"
    stay: bool = False
    """After adding, stay on the page instead of opening the cart."""
    empty: str = "Your cart is empty."
    fees: tuple[Fee, ...] = ()
    checkout: Link | None = None
    total: str = "Total"
    unit: str = "item"
    single: bool = False
    """At most one of each, without quantities, as for downloads."""


class FavouritesPage(PageShared):
    """The favourites. Buttons on all pages post to its address."""

    kind: Literal["favourites"]
    add: str = "Add to favorites, {name}"
    remove: str = "Remove from favorites, {name}"
    empty: str
    style: str = "product"


Page = Annotated[
    HomePage | PlainPage | ArticlePage | DetailPage | ListingPage | SearchPage | FormPage | CartPage | FavouritesPage,
    Field(discriminator="kind"),
]
