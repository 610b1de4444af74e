"""Element tags: what AgentLab's agents get besides each element's name: whether it is clickable and visible."""

import re
from collections.abc import Iterable
from dataclasses import replace

from longtrail.browser.observation_budget import PageLine

CLICKABLE = frozenset(
    {"link", "button", "checkbox", "radio", "switch", "tab", "option", "treeitem", "clickable"}
    | {"menuitem", "menuitemcheckbox", "menuitemradio"}
)
_ELEMENT = re.compile(r"^\s*\[[0-9]{1,7}\] ([a-z]+)")


def tagged(lines: Iterable[PageLine], height: int) -> list[PageLine]:
    """The lines, with tags at the end of those that begin with an element. `height`: of the window, in pixels."""
    return [_tagged(line, height) for line in lines]


def _tagged(line: PageLine, height: int) -> PageLine:
    element = _ELEMENT.match(line.text)
    if element is None:
        return line
    words = ["clickable"] * (element[1] in CLICKABLE) + ["visible"] * (line.bottom > 0 and line.top < height)
    return replace(line, text=f"{line.text} ({', '.join(words)})") if words else line
