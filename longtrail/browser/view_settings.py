"""View settings: in which form a page is shown, how much of it, and how long a step may take."""

from typing import Annotated, Literal

from pydantic import Field

from longtrail.records.record import Record

VIEWPORT = (1280, 720)
"""Width and height of every page in CSS pixels; one device pixel each."""


class ViewSettings(Record):
    """How a session observes and how long it waits."""

    form: Literal["axtree", "html", "text"] = "axtree"
    """Accessibility tree, pruned HTML or plain text."""
    tags: bool = False
    """Accessibility tree: say of each element at a line's beginning whether it is clickable and visible."""
    screenshot: bool = False
    """Take a screenshot with set-of-marks labels at each observation."""
    sources: bool = False
    """Tell of each line, too, what the page itself says there (`View.passages`)."""
    tokens: Annotated[int, Field(ge=50)] = 8_000
    """Tokens that an observation's text may have; what exceeds them is cut with an explicit mark."""
    viewport_first: bool = True
    """Where the page exceeds the budget: what is on screen first, then what is below. False: from the top."""
    deadline: Annotated[float, Field(gt=0)] = 60.0
    """Seconds that a step may take, waiting for the page included. Long: on a busy machine all of it takes its time."""
    settle: Annotated[float, Field(gt=0)] = 2.0
    """Seconds to wait at most for requests and a quiet page once its document is there."""


LIVE_WAITS = {"settle": 6.0}
"""Real sites answer when they can."""


REFERENCE_TOKENS = 8_000
"""Every reference finds what it needs in so much of a page."""


def for_reference(settings: ViewSettings) -> ViewSettings:
    """The same for who plays a reference solution: it finds elements by role and name, which only the tree tells,
    whatever the contender is shown."""
    return settings.model_copy(
        update={"form": "axtree", "tags": False, "tokens": max(settings.tokens, REFERENCE_TOKENS)}
    )


def whole(settings: ViewSettings) -> ViewSettings:
    """The same for agents that are given whole pages: what is recorded holds all of it, too."""
    return settings.model_copy(update={"viewport_first": False, "tokens": 10 * settings.tokens})
