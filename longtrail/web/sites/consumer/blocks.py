"""Blocks: the parts of a page. Each class is its own YAML schema and has a template named after its kind. Texts may
contain `{field}` (of the page's item) and the simple markup of `prose`: paragraphs, `- ` lists, `## ` headings,
`**strong**` and `[label](/address)`.
"""

from typing import Annotated, Literal

from pydantic import Field

from longtrail.records.record import Record

Scalar = str | int | float | bool


class Range(Record):
    """Bounds of a number or of an ISO date, inclusive except `below`; `now` is the world's clock."""

    least: Scalar | None = None
    most: Scalar | None = None
    below: Scalar | None = None


Where = dict[str, Scalar | tuple[Scalar, ...] | Range]
"""Field (dotted through references) -> a value, several, or bounds. A list field matches by membership."""


class Link(Record):
    """A link, with a line below it and a small drawing if the layout shows them."""

    label: str
    to: str
    text: str = ""
    picture: str = ""


class Selection(Record):
    """Some items of a catalogue, in an order. A field with a leading `-` sorts in descending order."""

    catalogue: str
    where: Where = {}
    sort: str = ""
    limit: int | None = None


class Hero(Record):
    """The opening of a page."""

    kind: Literal["hero"]
    title: str
    text: str = ""
    kicker: str = ""
    style: Literal["split", "full", "plain", "panel"] = "split"
    picture: str = ""
    actions: tuple[Link, ...] = ()
    finder: "Finder | None" = None


class Control(Record):
    """One field of a form."""

    name: str
    label: str
    type: Literal["text", "email", "tel", "number", "date", "select", "radio", "checkbox", "textarea", "hidden"] = (
        "text"
    )
    required: bool = False
    options: tuple[str, ...] = ()
    """`value` or `value = label`."""
    placeholder: str = ""
    hint: str = ""
    value: str = ""
    pattern: str = ""
    """A regular expression that the whole trimmed text must match."""
    complaint: str = ""
    """The message if it does not match."""
    least: float | None = None
    most: float | None = None

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        """Value and label of each option."""
        pairs = (text.partition("=") for text in self.options)
        return tuple((value.strip(), (label or value).strip()) for value, _, label in pairs)


class Finder(Record):
    """A form that leads to an address with its fields as query parameters."""

    kind: Literal["finder"] = "finder"
    heading: str = ""
    to: str
    fields: tuple[Control, ...]
    button: str = "Search"


class Cards(Record):
    """Items of a catalogue as cards, in one of the card layouts."""

    kind: Literal["cards"]
    heading: str = ""
    text: str = ""
    items: Selection
    style: Literal["product", "cover", "event", "row", "capsule", "tile", "rank", "story", "pill", "review"] = "product"
    more: Link | None = None
    empty: str = ""
    """The text if there is none; without it the block is left out."""


class Links(Record):
    """Written links."""

    kind: Literal["links"]
    heading: str = ""
    text: str = ""
    style: Literal["tiles", "list", "pills", "panels"] = "tiles"
    items: tuple[Link, ...]


class Prose(Record):
    """Running text."""

    kind: Literal["prose"]
    heading: str = ""
    text: str


class Preformatted(Record):
    """Preformatted text in fixed width: chords, tablature, code."""

    kind: Literal["sheet"]
    heading: str = ""
    text: str


class Table(Record):
    """A written table."""

    kind: Literal["table"]
    heading: str = ""
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


class Grid(Record):
    """A table of a catalogue's items: heading of a column -> text with fields."""

    kind: Literal["grid"]
    heading: str = ""
    caption: str
    items: Selection
    columns: dict[str, str]
    note: str = ""
    empty: str = "Nothing to show at the moment."


class Facts(Record):
    """Labels and their values. A row with an empty value is left out."""

    kind: Literal["facts"]
    heading: str = ""
    rows: dict[str, str]


class Questions(Record):
    """Questions that open to their answers."""

    kind: Literal["questions"]
    heading: str = ""
    items: dict[str, str]


class NoticeBlock(Record):
    """A strip with a current notice."""

    kind: Literal["notice"]
    text: str
    tone: Literal["info", "warning", "accent"] = "info"


class Stroke(Record):
    """A polyline on a map, in map units; closed and filled if `fill` is given."""

    points: tuple[tuple[float, float], ...]
    label: str = ""
    colour: str = ""
    fill: str = ""
    width: float = 6


class Map(Record):
    """A drawn map: strokes in the background, the catalogue's items as points (fields `x` and `y`) on top."""

    kind: Literal["map"]
    title: str
    width: int = 800
    height: int = 500
    strokes: tuple[Stroke, ...] = ()
    points: Selection | None = None
    colour: str = ""
    """A field or a colour for the points."""
    labels: bool = True
    legend: dict[str, str] = {}
    """Label -> colour."""


class Timetable(Record):
    """Departures computed from stops (a catalogue with a field of minutes after the first stop) and a headway."""

    kind: Literal["timetable"]
    heading: str = ""
    caption: str
    stops: Selection
    minutes: str
    """The field with a stop's minutes after the start."""
    reverse: bool = False
    first: str
    """First departure, `5:15`. Like `last` and `every` it may contain a `{field}`."""
    last: str
    """Last departure; hours go on past 24 for trips after midnight."""
    every: str
    """Headway in minutes."""
    show: int = 6
    """Number of departures to show, from the world's time of day on."""


class Offers(Record):
    """Things that can be bought here, each with its button; `all` is a button that adds all of them."""

    kind: Literal["offers"]
    heading: str = ""
    items: Selection
    button: str = "Add to Cart"
    title: str = "{name}"
    text: str = ""
    price: str = "price"
    was: str = ""
    all: str = ""
    quantities: int = 0
    """Maximum quantity that can be chosen; 0: no choice."""
    per: str = ""
    empty: str = "Nothing is on offer at the moment."


Block = Annotated[
    Hero
    | Finder
    | Cards
    | Links
    | Prose
    | Preformatted
    | Table
    | Grid
    | Facts
    | Questions
    | NoticeBlock
    | Map
    | Timetable
    | Offers,
    Field(discriminator="kind"),
]
Hero.model_rebuild()
