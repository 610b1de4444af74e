"""Page: the kinds of pages that a site's YAML may hold. Each class is its own schema and has a template of its name."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from longtrail.records.record import Record
from longtrail.web.sites.consumer.blocks import Block, Control, Link, Scalar, Selection, Where


class PageShared(Record):
    """What pages of every kind have."""

    path: str = ""
    """With `each` the catalogue's `url` if left out; may hold `{field}`."""
    also: tuple[str, ...] = ()
    """Other addresses that redirect here, as on the live site."""
    each: str = ""
    """A catalogue: one page for each of its items."""
    where: Where = {}
    """With `each`: only for these items."""
    title: str
    text: str = ""
    """What the page is about, in a sentence or two; shown as its introduction and by search engines."""
    crumbs: tuple[Link, ...] = ()
    tabs: tuple[Link, ...] = ()
    blocks: tuple[Block, ...] = ()
    aside: tuple[Block, ...] = ()
    variant: str = ""
    """A class on the page's body, for the site's own rules."""


class HomePage(PageShared):
    """Opens with a hero, full width, no breadcrumbs."""

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
    """One choice of a facet: the parameter's value, its label, and the field's values that it stands for."""

    value: str
    label: str = ""
    match: Scalar | tuple[Scalar, ...] | dict[str, Scalar] | None = None
    """Left out: the value itself. With `least`, `most`, `below`: bounds."""


class Facet(Record):
    """A way to narrow a listing."""

    param: str
    field: str = ""
    """Dotted through references; several fields separated by a space for `words`. Empty: it stays in the address and
    narrows nothing (a ZIP code)."""
    label: str
    style: Literal["links", "checkboxes", "select", "range", "words", "hidden"] = "links"
    options: tuple[Option, ...] = ()
    """Left out: the values that occur."""
    several: bool = True
    """More than one option may be chosen (the parameter is repeated)."""
    path: str = ""
    """links: the options are pages of their own at this path, `{value}` filled in."""
    default: str = ""
    all: str = ""
    """select: label of the choice that does not narrow."""

    @model_validator(mode="after")
    def _has_what_it_offers(self) -> Self:
        """Options are tried on a field's values; only free words need none."""
        if not self.field and self.style != "words":
            raise ValueError(f"a facet of style {self.style!r} needs a `field` (only `words` may narrow nothing)")
        return self


class Sort(Record):
    """One order of a listing; the first one is the default."""

    value: str
    label: str
    by: str
    """A field, with `-` before it downwards; empty: by relevance, or as the catalogue has them."""


class Paging(Record):
    """How a listing is cut into pages."""

    param: str = "page"
    size: Annotated[int, Field(ge=1)] = 24
    offset: bool = False
    """The parameter is the number of items skipped, not the page's number."""


class ListingPage(PageShared):
    """Items of a catalogue with facets, orders and pages; with `query` it is a search."""

    kind: Literal["listing"]
    items: Selection
    style: str = "product"
    facets: tuple[Facet, ...] = ()
    facets_at: Literal["side", "top"] = "side"
    apply: str = ""
    """With a label, checkboxes and selects wait for this button; else they apply at once."""
    sorts: tuple[Sort, ...] = ()
    sort_param: str = "sort"
    paging: Paging = Paging()
    query: str = ""
    """The parameter that holds the words to search for."""
    searched: tuple[str, ...] = ("name",)
    """Fields that the words are looked for in."""
    filler: tuple[str, ...] = ()
    """Words that say nothing on this page, as `food` where everything is a place to eat."""
    needs_query: bool = False
    """Without words nothing is shown but a hint."""
    count: str = "{n} results"
    one: str = "1 result"
    nothing: str = "Nothing matches. Try fewer filters or other words."
    columns: dict[str, str] = {}
    """style `table`: heading of a column -> text with fields."""
    below: tuple[Block, ...] = ()


class SearchPage(PageShared):
    """Finds pages of this site."""

    kind: Literal["search"]
    query: str = "q"
    paging: Paging = Paging(size=10)
    nothing: str = "No page matches your search."


class FormStep(Record):
    """One screen of a form."""

    title: str
    fields: tuple[Control, ...]
    text: str = ""


class FormPage(PageShared):
    """A form, on one screen or as a wizard, and what it says when it is done."""

    kind: Literal["form"]
    name: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]
    steps: tuple[FormStep, ...] = Field(min_length=1)
    button: str = "Submit"
    reject: str = ""
    """With a text the form is refused with it whatever is entered (sign-in without an account)."""
    done: str = ""
    empties_cart: bool = False
    sets: dict[str, str] = {}
    """Preferences it sets: name -> the field's name."""


class Fee(Record):
    """Something that a cart costs besides its items."""

    label: str
    amount: float = 0
    percent: float = 0
    free_from: float | None = None
    """No fee from this subtotal on."""
    each: bool = False
    """Per unit."""


class CartPage(PageShared):
    """The cart. Buttons anywhere post to its address."""

    kind: Literal["cart"]
    add: str = "Add to cart, {name}"
    stay: bool = False
    """After adding, stay on the page instead of going to the cart."""
    empty: str = "Your cart is empty."
    fees: tuple[Fee, ...] = ()
    checkout: Link | None = None
    total: str = "Total"
    unit: str = "item"
    single: bool = False
    """One of each at most: no quantities, as with downloads."""


class FavouritesPage(PageShared):
    """What was marked as a favourite. Buttons anywhere post to its address."""

    kind: Literal["favourites"]
    add: str = "Add to favorites, {name}"
    remove: str = "Remove from favorites, {name}"
    empty: str
    style: str = "product"


Page = Annotated[
    HomePage | PlainPage | ArticlePage | DetailPage | ListingPage | SearchPage | FormPage | CartPage | FavouritesPage,
    Field(discriminator="kind"),
]
