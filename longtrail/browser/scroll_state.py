"""Scroll state: how far a page that exceeds the budget has been read, so that scrolling shows all of it in any
layout.
"""

from collections.abc import Sequence

from longtrail.browser.observation_budget import CountTokens, ObservationBudget, PageLine, window
from longtrail.browser.view_settings import VIEWPORT

STEP = int(VIEWPORT[1] * 0.8)
"""Pixels that the page scrolls where nothing on screen was left out."""


class ScrollState:
    """The place in the page's text. Scrolling the page moves it; where that can't (a dense screen, an inner list), it
    turns over by itself: `start` is then the line at which the next observation begins."""

    def __init__(self) -> None:
        self.whole = True
        """The last observation held all of the page."""
        self._start: int | None = None
        self._starts: list[int | None] = []
        self._unseen: int | None = None
        self._unseen_top: int | None = None

    def look(
        self, lines: Sequence[PageLine], height: int, budget: int, count: CountTokens, viewport_first: bool
    ) -> ObservationBudget:
        """The window for this observation."""
        if not viewport_first and self._start is None:
            self._start = 0
        if self._start is not None and self._start >= len(lines):
            self.moved()
        seen = window(lines, height, budget, count, self._start if count(_text(lines)) > budget else None)
        self.whole = not seen.truncated
        self._unseen = seen.unseen
        self._unseen_top = seen.unseen_top
        return seen

    def moved(self) -> None:
        """Another page or another position: start from what is on screen."""
        self._start = None
        self._starts.clear()

    def distance(self, direction: str) -> int:
        """Pixels to scroll the page by; 0: read on in the text in place of that."""
        if self._start is not None or self._starts:
            return 0
        if direction == "up":
            return -STEP
        if self._unseen_top is not None and self._unseen_top < STEP:
            return max(self._unseen_top - 8, 0)  # what was left out on screen comes to the top
        return STEP

    def turn(self, direction: str) -> bool:
        """Read on at the first line that was left out, or back where that began; False: there is no more."""
        if direction == "up":
            if not self._starts:
                return False
            self._start = self._starts.pop()
            return True
        if self._unseen is None:
            return False
        self._starts.append(self._start)
        self._start = self._unseen
        return True


def _text(lines: Sequence[PageLine]) -> str:
    return "\n".join(line.text for line in lines)
