"""Remembered: for each contender that also played a variant, the difference shipped - variant, as the leaderboard
shows it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from longtrail.report.board import BoardRow, SuiteBoard
from longtrail.site.pairs import pair_name

FLAG = "--variant "


@dataclass(frozen=True, slots=True)
class Remembered:
    """One contender in one suite: its line with the shipped tasks, and its line with a variant."""

    shipped: BoardRow
    varied: BoardRow
    seed: str
    rates: tuple[float, float]
    """The headline with the shipped tasks and with the variant, over the common tasks."""
    difference: float
    low: float
    high: float
    """shipped - variant, paired by task, and its 95 % interval; in [-1, 1]."""
    tasks: int
    href: str
    """Address of the comparison, seen from the reports folder."""


def remembered(boards: Iterable[SuiteBoard], pairs: Mapping[str, list[Any]]) -> tuple[Remembered, ...]:
    """Every line of a variant with the line of the same contender, settings and data with the shipped tasks. `pairs`:
    see `pair_figures`."""
    found = []
    for board in boards:
        lines = (*board.lines, *board.older)
        for varied in lines:
            seed = next((one.removeprefix(FLAG) for one in varied.settings if one.startswith(FLAG)), "")
            shipped = next((line for line in board.lines if seed and _same(line, varied)), None)
            if shipped is None:
                continue
            names = pair_name(shipped), pair_name(varied)
            if (there := pairs.get(f"{names[0]} {names[1]} {board.suite}")) is not None:
                _, one, other, change, low, high, tasks = there
                figures = (one, other), -change, -high, -low
            elif (back := pairs.get(f"{names[1]} {names[0]} {board.suite}")) is not None:
                _, other, one, change, low, high, tasks = back
                figures = (one, other), change, low, high
            else:
                continue
            a, b = (quote(name, safe="") for name in names)
            found.append(
                Remembered(shipped, varied, seed, *figures, tasks, f"compare.html#a={a}&b={b}&suite={board.suite}")
            )
    return tuple(found)


def _same(shipped: BoardRow, varied: BoardRow) -> bool:
    plain = tuple(one for one in varied.settings if not one.startswith(FLAG))
    mine = (shipped.row.contender, shipped.web, shipped.row.setting, shipped.settings, shipped.data)
    return mine == (varied.row.contender, varied.web, varied.row.setting, plain, varied.data)
