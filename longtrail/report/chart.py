"""Chart: the geometry of the leaderboard's small line charts. It turns rates into coordinates; templates draw them. We
use templates instead of a chart library: the lines use the page's light or dark colours and the same escaping as
everything else, need no script, and give the same bytes each time.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from longtrail.report.figures import context, percent, seconds, span, tokens, usd
from longtrail.report.leaderboard.board_row import BoardRow
from longtrail.statistics.aggregate import Rate

WIDTH, HEIGHT = 260, 150
LEFT, RIGHT, TOP, BOTTOM = 30, 12, 12, 24
"""Margins in the drawing's units."""
LONGEST = 150_000
"""The longest history of the plan, in tokens: the right end of the axis where no history was measured."""
APART = 0.2
"""Smallest distance between two ticks of the axis of lengths, as a share of it: their labels don't touch."""


@dataclass(frozen=True, slots=True)
class Dot:
    """One measured point."""

    x: float
    y: float
    says: str
    key: int | str
    """What it was measured at: tokens of history, a prompt, a turn."""


@dataclass(frozen=True, slots=True)
class Series:
    """One line with its band."""

    line: str
    """`x,y x,y ...`, the format of SVG."""
    band: str
    dots: tuple[Dot, ...]


def y(rate: float) -> float:
    """y coordinate of a rate in [0, 1]."""
    return round(TOP + (1 - rate) * (HEIGHT - TOP - BOTTOM), 1)


def x(share: float) -> float:
    """x coordinate of a share in [0, 1] of the axis."""
    return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)


def longest(lengths: Iterable[int]) -> int:
    """The right end of a context axis: what was measured fills it."""
    return max(lengths, default=0) or LONGEST


def length_ticks(lengths: Sequence[int]) -> tuple[int, ...]:
    """Where a context axis is marked: at lengths that were measured, both ends among them, without those whose label
    would touch the next longer one's."""
    ticks = sorted({0, *lengths}) if any(lengths) else [0, LONGEST]
    marked = [ticks[-1]]
    for length in reversed(ticks[1:-1]):
        if min(marked[-1] - length, length) >= APART * ticks[-1]:
            marked.append(length)
    return (0, *reversed(marked))


def series(points: Sequence[tuple[float, Rate, str, int | str]]) -> Series:
    """A line through (share of the axis, rate, name of the place, its key), with the intervals as its band."""
    upper = [f"{x(at):g},{y(rate.high):g}" for at, rate, _, _ in points]
    lower = [f"{x(at):g},{y(rate.low):g}" for at, rate, _, _ in reversed(points)]
    return Series(
        line=" ".join(f"{x(at):g},{y(rate.mean):g}" for at, rate, _, _ in points),
        band=" ".join(upper + lower),
        dots=tuple(Dot(x(at), y(rate.mean), f"{name}: {_says(rate)}", key) for at, rate, name, key in points),
    )


def _says(rate: Rate) -> str:
    return f"{percent(rate.mean)} % ({span(rate.low, rate.high)}), {rate.n} cases"


def by_length(rates: Mapping[int, Rate], end: int) -> Series:
    """Success over the history's length."""
    return series([(length / end, rate, f"{context(length)} tokens", length) for length, rate in sorted(rates.items())])


def by_prompt(rates: Mapping[str, Mapping[str, Rate]], measure: str, prompts: Sequence[str]) -> Series:
    """One measure over the prompt conditions, evenly spaced."""
    last = max(len(prompts) - 1, 1)
    points = [(i / last, rates[p][measure], p, p) for i, p in enumerate(prompts) if measure in rates.get(p, {})]
    return series(points)


def by_turn(rates: Mapping[int, Rate], last: int) -> Series:
    """A rate over the turns of an appeal, 1 to `last`."""
    turns = sorted(rates.items())
    return series([((turn - 1) / max(last - 1, 1), rate, f"turn {turn}", turn) for turn, rate in turns])


@dataclass(frozen=True, slots=True)
class Costs:
    """Lines plotted over their cost per case."""

    axis: str = ""
    spots: tuple[tuple[BoardRow, float, str], ...] = ()
    """Line, position on the axis (0 to 1), and its text."""
    ticks: tuple[tuple[float, str], ...] = ()


def costs(lines: Sequence[BoardRow]) -> Costs:
    """The headline over the cost of a case, if prices are known; otherwise over tokens; without a model, over time.

    If one contender's value is unknown, the next axis is used instead; the time is always known.
    """
    shown = [line for line in lines if line.row.headline]
    priced = [line for line in shown if line.row.usage.usd]
    metered = [line for line in shown if line.row.usage.prompt_tokens]
    axis, among = next(
        (axis, among)
        for axis, among in (("dollars", priced), ("tokens", metered), ("time", shown))
        if axis == "time" or _rivals(among) > 1 or 0 < _rivals(among) == _rivals(shown)
    )
    says = {"dollars": usd, "tokens": tokens, "time": seconds}[axis]
    per_case = [(line, _cost(line, axis) / line.row.cases) for line in among]
    per_case = [(line, cost) for line, cost in per_case if cost > 0]
    if not per_case:
        return Costs()
    low, high = math.log10(min(cost for _, cost in per_case)), math.log10(max(cost for _, cost in per_case))
    low, high = (low - 0.2, high + 0.2) if high - low < 1 else (low - 0.05, high + 0.05)
    spots = [
        (
            line,
            (math.log10(cost) - low) / (high - low),
            f"{line.title}, {line.subtitle}: {_says(line.row.headline)}, {says(cost)}",
        )
        for line, cost in per_case
        if line.row.headline
    ]
    return Costs(f"{axis} a case, logarithmic", tuple(spots), ((0.0, says(10**low)), (1.0, says(10**high))))


def _rivals(lines: Sequence[BoardRow]) -> int:
    return sum(line.kind == "contender" for line in lines)


def _cost(line: BoardRow, axis: str) -> float:
    usage = line.row.usage
    return {"dollars": usage.usd or 0.0, "tokens": float(usage.prompt_tokens), "time": line.row.seconds}[axis]
