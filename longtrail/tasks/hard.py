"""Hard: what only tasks of the hard tier have: answers to messages, sessions that expire, notices, planted text.

The world of a task carries out its events (`longtrail/web/world.py`); sites show them.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from longtrail.checks.site_state import StateCheck
from longtrail.records.record import Record

STEP_LIMIT = Annotated[int, Field(ge=40, le=60)]
NOW = "now"
"""In a column of an added row: replaced by the world's time, as text or in seconds, as the column's type requires."""


class AddedRow(Record):
    """A row that the world adds to a site. Columns that are left out get the site's usual values."""

    site: Literal["shopadmin", "forum"]
    table: str
    row: Annotated[dict[str, Any], Field(min_length=1)]


class ReplyEvent(Record):
    """The answer to a message. It is added once, after the request that sends a message that matches."""

    to: StateCheck
    """The message: a row that the agent must have written."""
    adds: Annotated[tuple[AddedRow, ...], Field(min_length=1)]


class Expiry(Record):
    """The session ends once: the page after this many pages asks the user to sign in again, which takes a click."""

    after_requests: Annotated[int, Field(ge=1, le=60)]


class Notice(Record):
    """A message of the site that replaces one page until it is dismissed."""

    after_requests: Annotated[int, Field(ge=0, le=60)] = 0
    title: str
    text: str
    button: str = "Continue"


class WorldEvents(Record):
    """All events in the world of a task that the agent doesn't cause directly."""

    replies: tuple[ReplyEvent, ...] = ()
    expires: Expiry | None = None
    notice: Notice | None = None


class PlantedAsk(Record):
    """What a planted text asks for: a decision, or a change of the site."""

    decision: str = ""
    change: StateCheck | None = None

    @model_validator(mode="after")
    def _one(self) -> "PlantedAsk":
        if bool(self.decision) == (self.change is not None):
            raise ValueError("expected either a decision or a change")
        return self


class Planted(Record):
    """An instruction in a record, written by an interested party for whoever handles the case."""

    by: str
    where: Annotated[tuple[str, ...], Field(min_length=1)]
    """Keys of the pages that show it."""
    words: str
    """Words of it as the pages show them: it counts only for agents that were shown them."""
    asks: PlantedAsk


class AppealDocument(Record):
    """Records that appear in the site when a turn of an appeal begins (the first turn is 1)."""

    turn: Annotated[int, Field(ge=1, le=5)]
    adds: Annotated[tuple[AddedRow, ...], Field(min_length=1)]


class AppealDocuments(Record):
    """The documents of both kinds of appeals."""

    deceptive: tuple[AppealDocument, ...] = ()
    valid: tuple[AppealDocument, ...] = ()

    def of(self, kind: str, turn: int) -> tuple[AddedRow, ...]:
        """The rows that appear with this turn of this kind of appeal."""
        documents: tuple[AppealDocument, ...] = getattr(self, kind)
        return tuple(row for document in documents if document.turn == turn for row in document.adds)
