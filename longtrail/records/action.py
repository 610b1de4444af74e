"""Action: what an agent may do in one step, and the JSON form of each action as agents see it. Models and remote agents
use the same union and JSON schema."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from longtrail.records.record import Record

Text = Annotated[str, Field(max_length=20_000)]
ElementId = Annotated[str, Field(pattern=r"^[0-9]{1,7}$")]


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
    """Scroll the page by most of the window's height."""

    type: Literal["scroll"] = "scroll"
    direction: Literal["up", "down"] = "down"


class Gesture(Record):
    """Actions for agents made for other harnesses: keys, hovering, tabs. Other agents don't get them."""

    type: Literal["gesture"] = "gesture"
    name: (
        Literal["press", "write", "hover", "double_click", "focus", "drag", "wheel", "wait", "forward"]
        | Literal["mouse_click", "mouse_double_click", "mouse_move", "mouse_down", "mouse_up"]
        | Literal["tab_new", "tab_close", "tab_focus"]
    )
    id: ElementId | Literal[""] = ""
    """The element, for gestures that have one."""
    onto: ElementId | Literal[""] = ""
    """drag: the element to drop it on."""
    text: Text = ""
    """press: the keys (`Control+a`); write: the text to type."""
    x: float = 0.0
    """Pixels (mouse, wheel), milliseconds (wait), or the tab's number from 0 (tab_focus)."""
    y: float = 0.0


class HandoverLine(Record):
    """What the agent reports of one ticket at the end of a shift."""

    ticket: Annotated[str, Field(max_length=40)]
    decision: Annotated[str, Field(max_length=80)]
    amount: Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)] = 0.0
    """Money that was given back, in dollars."""
    done: Annotated[tuple[Annotated[str, Field(max_length=40)], ...], Field(max_length=8)] = ()
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
        str,
        Field(max_length=4_000, description=f"what they show, in your own words; {MAX_SHOWS} characters count"),
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
    Goto | Click | Fill | Select | Search | Back | Scroll | Gesture | Note | Finish | Decide,
    Field(discriminator="type"),
]

ACTION: TypeAdapter[Action] = TypeAdapter(Action)


def entered_texts(action: Action | None) -> tuple[str, ...]:
    """What an action enters on a page: a typed text, a search, a chosen option; empty texts are left out."""
    match action:
        case Fill(text=text) | Gesture(text=text) | Search(query=text) | Select(option=text):
            return (text,) if text else ()
    return ()


FORMS: dict[str, str] = {
    "goto": '{"type": "goto", "url": "https://..."}',
    "click": '{"type": "click", "id": "12"}',
    "fill": '{"type": "fill", "id": "12", "text": "...", "enter": true}',
    "select": '{"type": "select", "id": "12", "option": "..."}',
    "search": '{"type": "search", "query": "..."}',
    "back": '{"type": "back"}',
    "scroll": '{"type": "scroll", "direction": "down"}',
    "finish": '{"type": "finish", "answer": "..."}',
    "decide": '{"type": "decide", "decision": "...", "justification": "...", '
    '"evidence": [{"source": "...", "quote": "...", "shows": "...", "use": "for"}], "response": "..."}',
    "note": '{"type": "note", "text": "..."}',
    "gesture": '{"type": "gesture", "name": "press", "id": "12", "text": "Control+a"}',
}
"""Type of an action -> its JSON form with every field."""
SHIFT_FORMS: dict[str, str] = {
    "finish": '{"type": "finish", "handover": [{"ticket": "...", "decision": "...", "amount": 0, "done": ["..."], '
    '"open": false, "rests_on": ["..."]}]}',
    "decide": FORMS["decide"].replace('"decide", ', '"decide", "ticket": "...", '),
}
"""The forms that differ in a shift."""
_FIELDS: dict[str, tuple[str, ...]] = {
    kind.model_fields["type"].default: tuple(name for name in kind.model_fields if name != "type")
    for kind in get_args(get_args(Action)[0])
    if issubclass(kind, BaseModel)
}


def forms(types: Iterable[str]) -> dict[str, str]:
    """The forms of some types of actions, in their order."""
    return {kind: FORMS[kind] for kind in types}


def read_action(fields: Any, allowed: Iterable[str] = tuple(FORMS)) -> tuple[Action | None, str]:
    """The action in a JSON value; or None and the error in one line: the field, and the expected form."""
    types = tuple(allowed)
    if not isinstance(fields, dict):
        return None, f"an action is a JSON object with a type; the types are {', '.join(types)}"
    kind = fields.get("type")
    if kind not in types:
        return None, f"there is no action {str(kind)[:40]!r}; the types are {', '.join(types)}"
    try:
        return ACTION.validate_python(fields), ""
    except ValidationError as error:
        return None, _problem(str(kind), error)


def _problem(kind: str, error: ValidationError) -> str:
    """The first problem, e.g. ``fill has no field `submit`; it takes id, text, enter``."""
    first = error.errors(include_url=False, include_input=False)[0]
    field = ".".join(str(part) for part in first["loc"] if part != kind)
    takes = f"it takes {', '.join(_FIELDS[kind])}" if _FIELDS[kind] else "it takes no fields"
    form = f"; the form is {FORMS[kind]}"
    if first["type"] == "extra_forbidden" and "." not in field:
        return f"{kind} has no field `{field[:40]}`; {takes}"
    if first["type"] == "missing" and "." not in field:
        return f"{kind} lacks the field `{field}`; {takes}{form}"
    return f"{kind}: `{field[:60]}`: {first['msg']}{form}"
