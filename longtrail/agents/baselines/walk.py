"""Walk: the way of baselines that open pages without knowing the task: where records keep their stories, first."""

import re

from longtrail.browser.view import View
from longtrail.records.action import Action, Back, Click
from longtrail.text import axtree_text as axtree

_STORIES = re.compile(
    r"comments history|view shipment|shipment|credit memo|review|order #|view 0+\d|submissions|comments|moderation log|"
    r"^orders$|notes?\b|invoice|permalink|wiki|rules",
    re.IGNORECASE,
)
"""Names of links behind which such sites keep what people wrote about a case."""


class Walk:
    """Follows each link once: those that lead to stories first, then those that stand further down on the page."""

    def __init__(self) -> None:
        self._followed: set[tuple[str, str]] = set()
        self.pages: dict[str, list[str]] = {}
        """Address -> the lines that were read there."""

    def onward(self, view: View) -> Action:
        """Take note of the page, and go on to the next."""
        lines = self.pages.setdefault(view.url, [])
        lines += [line for line in axtree.words(view.text).splitlines() if line.strip() and line not in lines]
        links = [each for each in axtree.elements(view.text) if each.role in ("link", "tab") and each.name]
        open_ones = [each for each in links if (view.url, each.name) not in self._followed]
        story = [each for each in open_ones if _STORIES.search(each.name)]
        for link in [*story, *reversed(open_ones)][:1]:
            self._followed.add((view.url, link.name))
            return Click(id=link.id)
        return Back()
