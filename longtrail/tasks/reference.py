"""Reference: the steps of a careful person. They name elements by role and name as the page shows them, never by id."""

from itertools import islice
from typing import Annotated, Any

from pydantic import Field, PlainValidator, model_validator

from longtrail.records import axtree_text as axtree
from longtrail.records.action import Action
from longtrail.records.action_forms import read_action
from longtrail.records.full_actions import AnswerDialog, Mouse, Wait
from longtrail.records.record import Record


class Locator(Record):
    """An element by role and accessible name, as observations print them, and what an action on it takes besides."""

    role: str
    name: str
    """Compared exactly after folding spaces; a leading or trailing `*` matches any characters."""
    within: str = ""
    """Words of its card (the list item or article around it), where several elements have the same name."""
    nth: Annotated[int, Field(ge=1)] = 1
    """Which one, if several match, in document order."""
    text: str = ""
    """fill: what to type."""
    enter: bool = False
    """fill: press Enter afterwards."""
    option: str = ""
    """select: the option's visible text."""
    keys: str = ""
    """press: the key or combination."""
    file: str = ""
    """upload: the name of a file of the task."""
    onto: "Locator | None" = None
    """drag: the element on which to drop."""
    direction: str = ""
    """scroll: `up` or `down` in the box around the element."""

    @property
    def given(self) -> dict[str, Any]:
        """The fields of an action that are given."""
        return {name: value for name in _ACTION_FIELDS if (value := getattr(self, name))}


_ACTION_FIELDS = ("text", "enter", "option", "keys", "file", "onto", "direction")
_NEEDED = {"select": "option", "press": "keys", "upload": "file", "drag": "onto", "scroll": "direction"}
"""Action -> the field that it needs besides its element."""
_SHORT = {"goto": "url", "search": "query", "scroll": "direction", "finish": "answer", "hover": "text", "press": "keys"}
_SHORT |= {"type_text": "text", "read_file": "file", "new_tab": "url", "switch_tab": "tab"}
"""Action -> its field that a step gives as a plain value."""


def _element_or_word(value: Any) -> "Locator | str":
    return value if isinstance(value, str) else Locator.model_validate(value)


ElementOrWord = Annotated[Any, PlainValidator(_element_or_word)]
"""A Locator or a text. (As a union, each fault would be told twice.)"""


class ReferenceStep(Record):
    """One step of a reference solution. Exactly one of the actions is given, with the fields of the action; an element
    stands in place of its id.

    In YAML: `- click: {role: link, name: Offers}`, `- fill: {role: searchbox, name: Search, text: desk, enter: true}`,
    `- goto: https://www.ikea.com/`, `- search: mbta fares`, `- scroll: down`, `- back: true`, `- read: "15 returns"`
    (scroll until this text is delivered), `- {read: HITACHI, picture: true}`, `- finish: answer`, `- decide: true`. Of
    the full set: `- hover: Invoice 12`, `- press: Control+a`, `- press: {role: slider, name: Stars, keys: ArrowRight}`,
    `- drag: {role: link, name: Card A, onto: {role: button, name: Done}}`, `- wait: {text: Saved}` ...
    """

    goto: str | None = None
    click: Locator | None = None
    fill: Locator | None = None
    select: Locator | None = None
    search: str | None = None
    back: bool | None = None
    scroll: ElementOrWord | None = None
    """`up` or `down`; or an element, whose box is scrolled."""
    hover: ElementOrWord | None = None
    """An element, or a text of the page."""
    press: ElementOrWord | None = None
    """Keys for what has the focus; or an element and its keys."""
    type_text: str | None = None
    double_click: Locator | None = None
    right_click: Locator | None = None
    drag: Locator | None = None
    clear: Locator | None = None
    upload: Locator | None = None
    read_file: str | None = None
    new_tab: str | None = None
    switch_tab: int | None = None
    close_tab: bool | None = None
    answer_dialog: AnswerDialog | None = None
    wait: Wait | None = None
    forward: bool | None = None
    mouse: Mouse | None = None
    read: str | None = None
    finish: str | None = None
    decide: bool | None = None
    picture: bool = False
    """read: the text is in a picture, so it can't be found in the page's text."""
    why: str = ""
    """A careful person's thought at this step; the oracle's thought."""

    @model_validator(mode="after")
    def _one_action(self) -> "ReferenceStep":
        given = [name for name in _KINDS if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(f"expected exactly one action, got {', '.join(given) or 'none'}")
        kind, element = given[0], self.element
        if element and (needed := _NEEDED.get(kind)) and not element.given.get(needed):
            raise ValueError(f"{kind} needs `{needed}`")
        if kind not in ("read", "decide") and isinstance(made := self._made("1", "1"), str):
            raise ValueError(made)
        return self

    @property
    def kind(self) -> str:
        """The type of its action; or `read`."""
        return next(name for name in _KINDS if getattr(self, name) is not None)

    @property
    def element(self) -> Locator | None:
        """The element that it acts on, if any."""
        value = getattr(self, self.kind)
        return value if isinstance(value, Locator) else None

    def action(self, element: str = "", onto: str = "") -> Action:
        """The action on the elements with these ids. Not for `read` and `decide`: they are none by themselves."""
        made = self._made(element, onto)
        assert not isinstance(made, str), made
        return made

    def _made(self, element: str, onto: str) -> Action | str:
        """The action, or what is wrong with it in one line."""
        kind, value = self.kind, getattr(self, self.kind)
        if isinstance(value, Locator):
            fields = {"id": element, **value.given}
            fields |= {"onto": onto} if value.onto else {"text": value.text} if kind == "fill" else {}
        elif isinstance(value, Record):
            fields = value.model_dump()
        else:
            fields = {_SHORT[kind]: value} if kind in _SHORT else {}
        action, problem = read_action({**fields, "type": kind})
        return problem if action is None else action


_KINDS = tuple(name for name in ReferenceStep.model_fields if name not in ("why", "picture"))


def find(text: str, locator: Locator) -> str | None:
    """The id of the element that a locator names, in the text of an observation; None if it is not there."""
    found = axtree.find(text, locator.role, locator.name, locator.within)
    return next(islice(found, locator.nth - 1, None), None)
