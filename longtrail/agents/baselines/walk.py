"""Walk: how baselines choose pages without knowing the task: records linked near the start, and their notes first."""

import re
from abc import ABC, abstractmethod

from longtrail.agents.agent import Assignment
from longtrail.browser.view import View
from longtrail.records import axtree_text as axtree
from longtrail.records.action import Action, Back, Click, Decide, Finish
from longtrail.records.trajectory import Outcome

_NOTES = re.compile(
    r"comments history|view shipment|view credit memo|customer|submissions|comments|moderation log|permalink|rules"
    r"|guide"
    r"|shipments|credit memos|orders|reviews|notes|view 0+\d",
    re.IGNORECASE,
)
"""Names of links that lead to notes about a case."""
_AWAY = {"Back", "Reset", "Home"}
"""Links that lead out of a record."""
_DEEPEST = 3
"""Maximum number of links from the start page."""


class Walk:
    """Learns the site's menu from its first two pages; then follows every other link once, depth first."""

    def __init__(self) -> None:
        self.pages: dict[str, list[str]] = {}
        """Address -> the texts of the page's lines, each once."""
        self._followed: set[str] = set()
        self._start: set[str] | None = None
        self._menu: set[str] | None = None
        self._depth = 0

    def onward(self, view: View) -> Action:
        """Record the page and choose the next one."""
        lines = self.pages.setdefault(view.url, [])
        texts = (axtree.words(line) for line in view.text.splitlines())
        lines += dict.fromkeys(text for text in texts if text and text not in lines)
        links = [element for element in axtree.elements(view.text) if element.role in ("link", "tab") and element.name]
        names = {link.name for link in links}
        if self._start is None:
            self._start = names
            return Click(id=links[0].id) if links else Back()
        if self._menu is None:
            self._menu = self._start & names
            return Back()
        visited = self._menu | self._followed | _AWAY
        fresh = [link for link in links if link.name not in visited]
        if not fresh or self._depth >= _DEEPEST:
            self._depth = max(0, self._depth - 1)
            return Back()
        chosen = next((link for link in fresh if _NOTES.search(link.name)), fresh[0])
        self._followed.add(chosen.name)
        self._depth += 1
        return Click(id=chosen.id)


class Walker(ABC):
    """Opens pages until its steps are used up, then decides; in tasks without a decision it finishes at once."""

    def __init__(self, assignment: Assignment) -> None:
        self._assignment = assignment
        self._walk = Walk()
        self._step = 0

    def act(self, view: View) -> Action:
        """Open another page, or end."""
        self._step += 1
        action = self._walk.onward(view)
        if not self._assignment.decisions:
            return Finish()
        return action if self._step < self._assignment.step_limit else self._decide()

    def observe(self, outcome: Outcome, view: View) -> None:  # noqa: B027 (optional: it has nothing to note)
        """Does nothing."""

    @abstractmethod
    def _decide(self) -> Decide:
        """The decision, from what was read."""
