"""Site reports: what a site or an app says about itself: the items of a list, a value at the end of an episode, an
error in a page."""

from typing import Any, Literal

from longtrail.records.record import Record

ACCESSIBILITY = "accessibility_violations"
"""The name of the reading with the rules that the last page violates. No key step has such a name."""
RUBRIC, RUBRIC_TIMES = "judge", 3
"""The name of the reading with the number of the judge's answers that say a task's rubric is met; and how often it is
asked."""


class Listed(Record):
    """The items that a page lists, stored with the request: their keys in order, over all pages of the list."""

    items: tuple[str, ...] = ()
    order: str = ""
    """The field that they are sorted by, with a leading `-` for descending order; empty: the site's default order."""


class Reading(Record):
    """The value that a key step asks for, as JSON."""

    name: str
    """The key step's name."""
    value: Any
    note: str = ""


class PageError(Record):
    """Something that went wrong in a page, as the browser reported it."""

    kind: Literal["console", "exception", "request"]
    """An error in the console, an uncaught exception of a script, or a request without an answer."""
    text: str
    url: str = ""
    """The page's address."""
