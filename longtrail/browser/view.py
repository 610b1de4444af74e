"""View: what an agent gets in one turn: the record, and the picture that the record only names."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from longtrail.records.observation import Box, Observation


@dataclass(frozen=True, slots=True)
class Trees:
    """A page's content as trees, for agents made for BrowserGym."""

    axtree: dict[str, Any]
    """`nodes` from `Accessibility.getFullAXTree`, each element with its `browsergym_id`."""
    dom: dict[str, Any]
    """`documents` and `strings` from `DOMSnapshot.captureSnapshot`; each element has its `bid`."""
    places: dict[str, dict[str, Any]]
    """Id -> `visibility` (share in the window), `bbox` (left, top, width, height in pixels), `clickable`,
    `set_of_marks`."""
    focused: str
    """Id of the element that has the focus, or empty."""
    urls: tuple[str, ...]
    """All tabs' addresses; the last one is the active tab."""
    titles: tuple[str, ...]
    tabs: tuple[int, ...]
    """Their numbers in `switch_tab`."""
    picture: bytes
    """The window as PNG, without marks."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A line of a page: as in an observation, perhaps split, and the page's own text there."""

    lines: tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True)
class View:
    """An observation with its screenshot (JPEG bytes, set-of-marks labels drawn in), if one was taken."""

    observation: Observation
    image: bytes | None = None
    trees: Callable[[], Trees] | None = field(default=None, compare=False)
    """Reads the page again as trees, for agents that need them. Only valid until the next action."""

    passages: tuple[Passage, ...] = field(default=(), compare=False)
    """The title and all lines of the page, if the settings ask for them."""

    boxes: Mapping[str, Box] = field(default_factory=dict, compare=False)
    """Id -> position of the element in the picture, if one was taken."""

    @property
    def url(self) -> str:
        return self.observation.url

    @property
    def text(self) -> str:
        return self.observation.text
