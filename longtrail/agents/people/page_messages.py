"""Page messages: what the person's page sends us, one JSON object each. What we send is in `page/play.js`."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from longtrail.agents.cdp.process import AgentReport
from longtrail.records.record import Record

Coordinate = Annotated[float, Field(ge=-100_000, le=100_000)]


class MouseInput(Record):
    """The mouse was used on the shown page. Places and distances in CSS pixels of that page."""

    type: Literal["mouse"]
    kind: Literal["move", "down", "up", "wheel"]
    x: Coordinate
    y: Coordinate
    button: Literal["left", "middle", "right"] = "left"
    clicks: Annotated[int, Field(ge=1, le=3)] = 1
    dx: Coordinate = 0
    dy: Coordinate = 0


class Key(Record):
    """A key was pressed: its name as Playwright writes it (`a`, `Enter`, `Control+a`)."""

    type: Literal["key"]
    key: Annotated[str, Field(min_length=1, max_length=60)]


class Insert(Record):
    """A text was pasted, or a character has no key."""

    type: Literal["insert"]
    text: Annotated[str, Field(max_length=20_000)]


class Go(Record):
    """Another page: an address, or along the history."""

    type: Literal["go"]
    to: Literal["url", "back", "forward", "reload"]
    url: Annotated[str, Field(max_length=4_000)] = ""


class ShowTab(Record):
    """Show another tab."""

    type: Literal["tab"]
    number: Annotated[int, Field(ge=0)]


class Choose(Record):
    """An option of the opened drop-down list was chosen; None: the list was closed."""

    type: Literal["choose"]
    number: Annotated[int, Field(ge=0)] | None


class DialogAnswer(Record):
    """The answer to a dialog of the shown page."""

    type: Literal["dialog"]
    accept: bool
    text: Annotated[str, Field(max_length=2_000)] = ""


class ReadPage(Record):
    """The text of the shown page is wanted, or what is selected on it."""

    type: Literal["ask"]
    what: Literal["text", "selection"]


class Draft(Record):
    """The form as it is now: it survives a reload of the person's page."""

    type: Literal["draft"]
    form: dict[str, Any]


class Done(Record):
    """The person's answer or decision."""

    type: Literal["done"]
    report: AgentReport


class Stop(Record):
    """The person stops for now."""

    type: Literal["stop"]


Input = MouseInput | Key | Insert | Go | ShowTab | Choose
"""What is done in the shown browser, one after the other."""
PAGE_MESSAGE: TypeAdapter[Input | DialogAnswer | ReadPage | Draft | Done | Stop] = TypeAdapter(
    Annotated[Input | DialogAnswer | ReadPage | Draft | Done | Stop, Field(discriminator="type")]
)
