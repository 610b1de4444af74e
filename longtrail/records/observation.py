"""Observation: what the agent was shown at one step: the page's text and pictures."""

from typing import Annotated, Literal

from pydantic import Field

from longtrail.records.record import Record

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels of the window."""


class ShownPicture(Record):
    """A picture on the page as a screenshot shows it. The visible part is in fractions of the picture: 0 is its left or
    upper edge, 1 its right or lower one."""

    url: str
    scale: Annotated[float, Field(ge=0)]
    """Screen pixels for each pixel of the picture."""
    left: float = 0.0
    top: float = 0.0
    right: float = 1.0
    bottom: float = 1.0


class Observation(Record):
    """Exactly what the agent was shown, after truncation."""

    url: str
    title: str = ""
    text: str
    """The page in the chosen form (`form`), truncated to the token limit with an explicit mark."""
    form: Literal["axtree", "html", "text"] = "axtree"
    tokens: Annotated[int, Field(ge=0)] = 0
    truncated: bool = False
    error: str = ""
    """The error of the previous action, as told to the agent."""
    note: str = ""
    """Things a person at the screen would notice: a dialog's text, a blocked download, a new tab."""
    screenshot: str | None = None
    """File name of the set-of-marks screenshot in the run's `shots/`, if one was taken."""
    pictures: tuple[ShownPicture, ...] = ()
    """If a screenshot was taken: the pictures in view, loaded and drawn."""
    unserved: tuple[str, ...] = ()
    """For an agent that drives the browser itself: the title and lines that the site did not serve for this page,
    because the agent wrote or typed them. They are not evidence."""
    text_hash: str = ""
    """sha256 of the page's visible text before truncation (16 hex digits); equal for equal page states."""
