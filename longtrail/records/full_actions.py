"""Full actions: what `--actions full` adds to the paper's seven actions, after Playwright MCP and BrowserGym."""

from typing import Annotated, Literal

from pydantic import Field

from longtrail.records.record import Record

Text = Annotated[str, Field(max_length=20_000)]
ElementId = Annotated[str, Field(pattern=r"^[0-9]{1,7}$")]
Keys = Annotated[str, Field(max_length=60)]
FileName = Annotated[str, Field(min_length=1, max_length=255)]
MAX_WAIT = 30.0
"""Longest `wait` in seconds."""


class Hover(Record):
    """Move the mouse over an element, or over a text that has no id."""

    type: Literal["hover"] = "hover"
    id: ElementId | Literal[""] = ""
    text: Text = ""
    """A text that the page shows; used if there is no id."""


class Press(Record):
    """Press a key or a combination, on an element or on what has the focus."""

    type: Literal["press"] = "press"
    keys: Keys = ""
    """`Enter`, `ArrowDown`, `Control+a` ...; empty: only set the focus."""
    id: ElementId | Literal[""] = ""


class TypeText(Record):
    """Type into the element that has the focus, key by key, after what it holds."""

    type: Literal["type_text"] = "type_text"
    text: Text


class DoubleClick(Record):
    """Double-click an element."""

    type: Literal["double_click"] = "double_click"
    id: ElementId


class RightClick(Record):
    """Click an element with the right mouse button."""

    type: Literal["right_click"] = "right_click"
    id: ElementId


class Drag(Record):
    """Drag an element and drop it on another one."""

    type: Literal["drag"] = "drag"
    id: ElementId
    onto: ElementId


class Clear(Record):
    """Empty a field."""

    type: Literal["clear"] = "clear"
    id: ElementId


class Upload(Record):
    """Give a file to the element that asks for one."""

    type: Literal["upload"] = "upload"
    id: ElementId
    file: FileName
    """Name of a file that the case offers."""


class ReadFile(Record):
    """Show the text of a file: one that was downloaded, or one that the case offers."""

    type: Literal["read_file"] = "read_file"
    file: FileName


class NewTab(Record):
    """Open a tab, with an address or blank. It becomes the active one."""

    type: Literal["new_tab"] = "new_tab"
    url: Annotated[str, Field(max_length=4_000)] = ""


class SwitchTab(Record):
    """Make another tab the active one."""

    type: Literal["switch_tab"] = "switch_tab"
    tab: Annotated[int, Field(ge=1, le=10_000)]
    """Its number, as the page's note lists it."""


class CloseTab(Record):
    """Close the active tab."""

    type: Literal["close_tab"] = "close_tab"


class AnswerDialog(Record):
    """Answer the open dialog of the page: OK or Cancel; `text` is the answer to a question for a text."""

    type: Literal["answer_dialog"] = "answer_dialog"
    accept: bool = True
    text: Text = ""


class Wait(Record):
    """Wait until the page shows a text, at most some seconds; without a text, wait so long."""

    type: Literal["wait"] = "wait"
    text: Text = ""
    seconds: Annotated[float, Field(ge=0, le=MAX_WAIT)] = 10.0


class Forward(Record):
    """Go forward to the page that `back` left."""

    type: Literal["forward"] = "forward"


class Mouse(Record):
    """Use the mouse at a position, in pixels of the screenshot; for agents that get one."""

    type: Literal["mouse"] = "mouse"
    gesture: Literal["click", "double_click", "right_click", "move", "down", "up", "wheel"] = "click"
    x: Annotated[float, Field(ge=-100_000, le=100_000, allow_inf_nan=False)]
    """From the left edge. For `wheel`: pixels to scroll to the right."""
    y: Annotated[float, Field(ge=-100_000, le=100_000, allow_inf_nan=False)]
    """From the upper edge. For `wheel`: pixels to scroll down."""


FullAction = (
    Hover
    | Press
    | TypeText
    | DoubleClick
    | RightClick
    | Drag
    | Clear
    | Upload
    | ReadFile
    | NewTab
    | SwitchTab
    | CloseTab
    | AnswerDialog
    | Wait
    | Forward
    | Mouse
)
