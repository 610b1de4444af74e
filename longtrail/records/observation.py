"""Observation: what the agent was shown at one step: the page's text and pictures, and the words in it."""

import html
import re
from functools import lru_cache
from typing import Annotated

from pydantic import Field

from longtrail.records.case import ObservationForm
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
    form: ObservationForm = "axtree"
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


_ELEMENT = re.compile(r'\[\d{1,7}\] [a-z][a-z-]*(?= ")|\[\d{1,7}\]|(?<=") level=\d')
"""`[12] link` before a name, ` level=2` after a heading."""
_DIALOG = re.compile(r'the page showed a dialog \(\w+\): "(.*?)"(?= \(proposed|; answered with|; it waits)')
"""What a dialog says, in a note."""
_TAG = re.compile(r"<[^<>]*>")
SPLIT_AT = 700
"""Lines at least this long that end within a sentence are pieces of one paragraph."""


def words_of(observation: Observation) -> str:
    """All text that the agent could read: the title, the page's text, and dialogs; one line per block. Text that the
    site did not serve is left out."""
    title, text = observation.title, observation.text
    if observation.unserved:
        foreign = set(observation.unserved)
        title = "" if title in foreign else title
        text = "\n".join(line for line in text.split("\n") if line not in foreign)
    dialogs = _DIALOG.findall(observation.note)  # all other notes are our words
    return "\n".join(part for part in (title, _plain(text, observation.form), *dialogs) if part)


@lru_cache(maxsize=256)
def _plain(text: str, form: str) -> str:
    if form == "html":
        return html.unescape(_TAG.sub(" ", text))
    return _rejoined(_ELEMENT.sub("", text) if form == "axtree" else text)


def _rejoined(text: str) -> str:
    """Join pieces of long paragraphs that were cut within a sentence."""
    lines: list[str] = []
    for line in text.split("\n"):
        if lines and len(lines[-1]) >= SPLIT_AT and lines[-1].rstrip()[-1:] not in ".!?:;\"')":
            lines[-1] = f"{lines[-1].rstrip()} {line.lstrip()}"
        else:
            lines.append(line)
    return "\n".join(lines)
