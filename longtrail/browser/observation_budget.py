"""Observation budget: which of a page's lines an agent gets, by what is on screen and the token limit, and how far a
page that exceeds the limit has been read: scrolling shows all of it in any layout.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from longtrail.browser.view import VIEWPORT

CountTokens = Callable[[str], int]

MARK_TOKENS = 40
"""Tokens reserved for marks about omitted lines."""
LONGEST = 2_000
"""Maximum characters of a line; longer ones are split, so that a window can end inside them."""


def quarter(text: str) -> int:
    """Number of tokens, estimated as four characters each."""
    return math.ceil(len(text) / 4)


@dataclass(frozen=True, slots=True)
class PageLine:
    """A line of the page and its position in pixels from the window's upper edge."""

    top: int
    bottom: int
    text: str


@dataclass(frozen=True, slots=True)
class ObservationBudget:
    """The delivered lines as text, and what was omitted."""

    text: str
    truncated: bool
    unseen: int | None
    """Index of the first omitted line on screen or below."""
    unseen_top: int | None
    """Position of the first omitted line on screen, in pixels."""
    shown: int
    """Number of lines in the text."""


def lines_of(rows: Sequence[Sequence[int | str]]) -> list[PageLine]:
    """The lines of the page's script (top, bottom, text), with long ones split."""
    lines: list[PageLine] = []
    for top, bottom, text in rows:
        lines += [PageLine(int(top), int(bottom), part) for part in _parts(str(text))]
    return lines


def _parts(text: str) -> list[str]:
    parts = []
    while len(text) > LONGEST:
        at = text.rfind(" ", LONGEST // 2, LONGEST)
        at = LONGEST if at < 0 else at
        parts.append(text[:at])
        text = text[at:].lstrip()
    return [*parts, text]


def window(
    lines: Sequence[PageLine], height: int, budget: int, count: CountTokens, start: int | None = None
) -> ObservationBudget:
    """Select lines. All of them if they fit in `budget` tokens. Otherwise those on screen (between 0 and `height`),
    then those below up to the limit, in the page's order. `start`: begin with this line instead, independent of the
    screen.
    """
    all_text = "\n".join(line.text for line in lines)
    if start is None and count(all_text) <= budget:
        return ObservationBudget(all_text, False, None, None, len(lines))
    room = max(budget - MARK_TOKENS, 1)
    order = _order(lines, height, start)
    chosen = _take(lines, order, room, count)
    left_out = [index for index in order if index not in chosen]
    tops = [lines[index].top for index in left_out if lines[index].top < height]
    return ObservationBudget(
        _written(lines, chosen), True, min(left_out, default=None), min(tops, default=None), len(chosen)
    )


def _order(lines: Sequence[PageLine], height: int, start: int | None) -> list[int]:
    if start is not None:
        return list(range(start, len(lines)))
    on_screen = [i for i, line in enumerate(lines) if line.bottom > 0 and line.top < height]
    below = [i for i, line in enumerate(lines) if line.top >= height]
    return on_screen + below


def _take(lines: Sequence[PageLine], order: Sequence[int], room: int, count: CountTokens) -> set[int]:
    chosen: set[int] = set()
    for index in order:
        room -= count(lines[index].text + "\n")
        if room < 0 and chosen:
            break
        chosen.add(index)
    return chosen


def _written(lines: Sequence[PageLine], chosen: set[int]) -> str:
    """The chosen lines in the page's order, with a mark wherever others are omitted."""
    ordered = sorted(chosen)
    if not ordered:
        return f"... truncated, {len(lines)} more lines; scroll"
    out = []
    if ordered[0] > 0:
        out.append(f"... {_lines(ordered[0])} above; scroll up")
    previous = ordered[0] - 1
    for index in ordered:
        if index > previous + 1:
            out.append(f"... {_lines(index - previous - 1)} left out here; scroll")
        out.append(lines[index].text)
        previous = index
    if previous + 1 < len(lines):
        out.append(f"... truncated, {len(lines) - previous - 1} more lines; scroll")
    return "\n".join(out)


_MARK = re.compile(
    r"\.\.\. (?:(\d+) lines? (?:above; scroll up|left out here; scroll)|truncated, (\d+) more lines; scroll)"
)


def left_out(line: str) -> int:
    """The number of omitted lines that a mark states; 0 for any other line."""
    match = _MARK.fullmatch(line)
    return int(match[1] or match[2]) if match else 0


def _lines(number: int) -> str:
    return "1 line" if number == 1 else f"{number} lines"


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
