"""Scroll state: how far a page that exceeds the token limit has been read, so that scrolling shows all of it in any
layout.
"""

from collections.abc import Sequence

from longtrail.browser.observation_budget import CountTokens, ObservationBudget, PageLine, window
from longtrail.browser.view_settings import VIEWPORT

STEP = int(VIEWPORT[1] * 0.8)
"""Pixels to scroll if nothing on screen was omitted."""


class ScrollState:
    """The position in the page's text. Scrolling the page moves it. If that is impossible (a dense screen, an inner
    list), the text advances without scrolling: `start` is then the first line of the next observation."""

    def __init__(self) -> None:
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
        self._unseen = seen.unseen
        self._unseen_top = seen.unseen_top
        return seen

    def moved(self) -> None:
        """Another page or another position: start from what is on screen."""
        self._start = None
        self._starts.clear()

    def distance(self, direction: str) -> int:
        """Pixels to scroll the page; 0: continue in the text instead."""
        if self._start is not None or self._starts:
            return 0
        if direction == "up":
            return -STEP
        if self._unseen_top is not None and self._unseen_top < STEP:
            return max(self._unseen_top - 8, 0)  # the first omitted line on screen moves to the top
        return STEP

    def turn(self, direction: str) -> bool:
        """Continue at the first omitted line, or go back to the previous start; False: there is no more."""
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
