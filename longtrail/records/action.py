"""Action: what an agent may do in one step. Models and remote agents use the same union and JSON schema."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from longtrail.records.full_actions import AnswerDialog, ElementId, FullAction, Text, TypeText, Upload
from longtrail.records.record import Record


class Goto(Record):
    """Open an address in the current tab."""

    type: Literal["goto"] = "goto"
    url: Annotated[str, Field(min_length=1, max_length=4_000)]


class Click(Record):
    """Click the element with this id."""

    type: Literal["click"] = "click"
    id: ElementId


class Fill(Record):
    """Replace the text of a field; with `enter`, press Enter afterwards."""

    type: Literal["fill"] = "fill"
    id: ElementId
    text: Text
    enter: bool = False


class Select(Record):
    """Choose an option of a drop-down list by its visible text."""

    type: Literal["select"] = "select"
    id: ElementId
    option: Text


class Search(Record):
    """Search the web."""

    type: Literal["search"] = "search"
    query: Annotated[str, Field(min_length=1, max_length=400)]


class Back(Record):
    """Go back to the previous page."""

    type: Literal["back"] = "back"


class Scroll(Record):
    """Scroll the page by most of the window's height, or the box around an element."""

    type: Literal["scroll"] = "scroll"
    direction: Literal["up", "down"] = "down"
    id: ElementId | Literal[""] = ""
    """`--actions full`: an element in the box to scroll; empty: the page."""


class HandoverLine(Record):
    """What the agent reports of one ticket at the end of a shift."""

    ticket: Annotated[str, Field(max_length=40)]
    decision: Annotated[str, Field(max_length=80)]
    amount: Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)] = 0.0
    """Money that was given back, in dollars."""
    done: Annotated[tuple[Annotated[str, Field(max_length=200)], ...], Field(max_length=8)] = ()
    """What was done in the site: `refund`, `comment`, `hold` ..."""
    open: bool = False
    """Whether something is still to be done."""
    rests_on: Annotated[tuple[Annotated[str, Field(max_length=40)], ...], Field(max_length=8)] = ()
    """Numbers of the earlier tickets and mails on which the decision rests."""


class Finish(Record):
    """End the task; `answer` states the requested information, if any. `handover`: the report at the end of a shift."""

    type: Literal["finish"] = "finish"
    answer: Text = ""
    handover: Annotated[tuple[HandoverLine, ...], Field(max_length=100)] = ()


MAX_NOTE = 2_000
"""Maximum characters of a note."""


class Note(Record):
    """Write into the notebook of a shift. What is in it lasts when the context is cut."""

    type: Literal["note"] = "note"
    text: Annotated[str, Field(min_length=1, max_length=MAX_NOTE)]
    replace: bool = False
    """Take the place of all earlier notes."""


MAX_PIECES = 12
"""Maximum pieces of evidence that count: the first ones."""
MAX_QUOTE = 400
"""Maximum characters of a quote that count."""
MAX_SHOWS = 300
"""Maximum characters of `shows` that count."""
MAX_JUSTIFICATION = 3_000
"""Maximum characters of a justification that count."""


class Evidence(Record):
    """One piece of evidence: the page, the words there, what they show, and what the piece is used for.

    Longer texts are accepted, but only their first characters count (MAX_QUOTE, MAX_SHOWS).
    """

    source: Annotated[str, Field(max_length=2_000, description="the page: its address, or its name")]
    quote: Annotated[
        str, Field(max_length=4_000, description=f"the words there, exactly; {MAX_QUOTE} characters count")
    ]
    shows: Annotated[
        str, Field(max_length=4_000, description=f"what they show, in your own words; {MAX_SHOWS} characters count")
    ] = ""
    use: Annotated[
        Literal["for", "ruled_out"],
        Field(
            description="for: the decision rests on it, also where it clears somebody; "
            "ruled_out: it looked like a reason and is none"
        ),
    ] = "for"


class Decide(Record):
    """Decide the case. Ends the episode (or the turn, if an appeal follows), but not a shift."""

    type: Literal["decide"] = "decide"
    decision: Annotated[str, Field(min_length=1, max_length=80)]
    justification: Text
    evidence: Annotated[tuple[Evidence, ...], Field(description=f"the first {MAX_PIECES} pieces count")] = ()
    response: Text = ""
    """The message to the user, if the decision is to answer them."""
    ticket: Annotated[str, Field(max_length=40)] = ""
    """Shift: the ticket that is decided. The last decision of a ticket counts."""


Action = Annotated[
    Goto | Click | Fill | Select | Search | Back | Scroll | FullAction | Note | Finish | Decide,
    Field(discriminator="type"),
]

ACTION: TypeAdapter[Action] = TypeAdapter(Action)


def entered_texts(action: Action | None) -> tuple[str, ...]:
    """What an action enters on a page: a typed text, a search, a chosen option, a file's name; empty texts are left
    out."""
    match action:
        case Fill(text=text) | TypeText(text=text) | AnswerDialog(text=text):
            pass
        case Search(query=text) | Select(option=text) | Upload(file=text):
            pass
        case _:
            return ()
    return (text,) if text else ()
