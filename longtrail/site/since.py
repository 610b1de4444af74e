"""Since: how the headline of each line moved since the contender's run before, and where both are compared."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from longtrail.report.board import BoardRow, SuiteBoard
from longtrail.site.pairs import pair_name

LineKey = tuple[str, str, str]
"""Run, contender as in addresses, suite."""


@dataclass(frozen=True, slots=True)
class Moved:
    """One line against the same contender's line of an earlier run."""

    run: str
    """The earlier run."""
    change: float
    """Of the headline, paired by task: the mean of the differences, in [-1, 1]."""
    href: str
    """Address of the comparison, seen from the reports folder."""


def since(
    boards: Iterable[SuiteBoard], pairs: Mapping[str, list[Any]], order: Mapping[str, int]
) -> dict[LineKey, Moved]:
    """Lines whose contender has an earlier run with the same settings and data -> how they moved since the latest.
    `order`: run -> its place in time."""
    found: dict[LineKey, Moved] = {}
    for board in boards:
        for line in board.lines:
            earlier = [one for one in board.older if _same(one, line) and order[one.run] < order[line.run]]
            if not earlier:
                continue
            old = max(earlier, key=lambda one: order[one.run])
            figures = pairs.get(f"{pair_name(line)} {pair_name(old)} {board.suite}")
            if figures is not None:  # from the newer to the older one, as the newer line is shown
                found[line.run, line.who, board.suite] = Moved(
                    old.run, -figures[3], f"compare.html#a={_quoted(old)}&b={_quoted(line)}&suite={board.suite}"
                )
    return found


def _quoted(line: BoardRow) -> str:
    return quote(pair_name(line), safe="")


def _same(one: BoardRow, line: BoardRow) -> bool:
    return one.identity == line.identity and one.data == line.data
