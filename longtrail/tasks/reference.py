"""Reference: the steps of a careful person. They name elements by role and name as the page shows them, never by id."""

from itertools import islice
from typing import Annotated, Literal

from pydantic import Field, model_validator

from longtrail.records import axtree_text as axtree
from longtrail.records.record import Record


class ReferenceStep(Record):
    """One step of a reference solution. Exactly one of the actions is given.

    In YAML: `- click: {role: link, name: Offers}`, `- fill: {role: searchbox, name: Search, text: desk, enter: true}`,
    `- goto: https://www.ikea.com/`, `- search: mbta fares`, `- scroll: down`, `- back: true`, `- read: "15 returns"`
    (scroll until this text is delivered), `- {read: HITACHI, picture: true}`, `- finish: answer`, `- decide: true`.
    """

    goto: str | None = None
    click: "Locator | None" = None
    fill: "Locator | None" = None
    select: "Locator | None" = None
    search: str | None = None
    back: bool | None = None
    scroll: Literal["up", "down"] | None = None
    read: str | None = None
    finish: str | None = None
    decide: bool | None = None
    picture: bool = False
    """read: the text is in a picture, so it can't be found in the page's text."""
    why: str = ""
    """A careful person's thought at this step; the oracle's thought."""

    @model_validator(mode="after")
    def _one_action(self) -> "ReferenceStep":
        given = [
            name
            for name in ReferenceStep.model_fields
            if name not in ("why", "picture") and getattr(self, name) is not None
        ]
        if len(given) != 1:
            raise ValueError(f"expected exactly one action, got {', '.join(given) or 'none'}")
        return self


class Locator(Record):
    """An element by role and accessible name, as the observation prints them."""

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


ReferenceStep.model_rebuild()


def find(text: str, locator: Locator) -> str | None:
    """The id of the element that a locator names, in the text of an observation; None if it is not there."""
    found = axtree.find(text, locator.role, locator.name, locator.within)
    return next(islice(found, locator.nth - 1, None), None)
