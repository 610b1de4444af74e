"""View: what an agent gets in one turn (the record, and the picture that the record only names), and its settings: in
which form a page is shown, how much of it, how long a step may take, and what a session allows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from longtrail.records.observation import Box, Observation
from longtrail.records.record import Record


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


VIEWPORT = (1280, 720)
"""Width and height of every page in CSS pixels; one device pixel each."""


class ViewSettings(Record):
    """How a session observes and how long it waits."""

    form: Literal["axtree", "html", "text"] = "axtree"
    """Accessibility tree, pruned HTML or plain text."""
    element_states: bool = False
    """Accessibility tree: tell for each element at the beginning of a line whether it is clickable and visible."""
    screenshot: bool = False
    """Take a screenshot with set-of-marks labels at each observation."""
    sources: bool = False
    """Also give the page's own text of each line (`View.passages`)."""
    tokens: Annotated[int, Field(ge=50)] = 8_000
    """Maximum tokens of an observation's text; the rest is cut with an explicit mark."""
    viewport_first: bool = True
    """If the page exceeds the limit: first what is on screen, then what is below. False: from the top."""
    deadline: Annotated[float, Field(gt=0)] = 60.0
    """Maximum seconds of a step, including waiting for the page. Long, because busy machines are slow."""
    settle: Annotated[float, Field(gt=0)] = 2.0
    """Maximum seconds to wait for requests and a quiet page after its document has loaded."""


LIVE_WAITS = {"settle": 6.0}
"""Settings for real sites, which answer more slowly."""
REFERENCE_TOKENS = 8_000
"""Maximum tokens of a page for reference solutions; every reference finds what it needs within them."""


def for_reference(settings: ViewSettings) -> ViewSettings:
    """The same for playing a reference solution: it finds elements by role and name, which only the accessibility tree
    has, whatever form the contender gets."""
    return settings.model_copy(
        update={"form": "axtree", "element_states": False, "tokens": max(settings.tokens, REFERENCE_TOKENS)}
    )


def whole(settings: ViewSettings) -> ViewSettings:
    """The same for agents that get whole pages: the record then also contains whole pages."""
    return settings.model_copy(update={"viewport_first": False, "tokens": 10 * settings.tokens})


@dataclass(frozen=True)
class Permissions:
    """What a session allows beyond the paper's actions, by `--actions`, the agent and the task. By default nothing:
    dialogs are answered at once, downloads and service workers are blocked."""

    dialogs_wait: bool = False
    """Whether questions of a page (`confirm`, `prompt`) stay open until the agent answers them."""
    lists_tabs: bool = False
    """Whether the note of an observation lists the tabs, if there are several."""
    files: Mapping[str, Path] = field(default_factory=dict)
    """The files that the case offers for uploads, by name."""
    downloads: Path | None = None
    """The folder in which downloads are saved; None: they are blocked."""
    service_workers: bool = False


NOTHING = Permissions()
