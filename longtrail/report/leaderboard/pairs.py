"""Differences of two lines of a suite, paired by task: any two, a line and its earlier run, shipped and variant."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any
from urllib.parse import quote

from longtrail.gate.pairing import ContenderCases, conditions, primary, strata
from longtrail.records.result import Result
from longtrail.report.leaderboard.board import SuiteBoard
from longtrail.report.leaderboard.board_row import BoardRow
from longtrail.report.run.view import RunView
from longtrail.runs.baseline import Scored, Scores
from longtrail.statistics.paired import between_tasks_interval, difference, means

MOST = 30
"""Maximum number of lines of a suite that are paired with each other; the best ones are chosen."""


def pair_figures(boards: Iterable[SuiteBoard], views: Mapping[str, RunView]) -> dict[str, list[Any]]:
    """`RUN/WHO RUN/WHO SUITE` -> endpoint, means of both, change, its 95 % interval, tasks. Lines without a common
    task have no entry. Besides the visible lines, lines of the same contender and of the same gate are paired."""
    by_pair = {}
    for board in boards:
        shown = board.lines[:MOST]
        lines = [*shown, *board.lines[MOST:], *board.older]
        arms = [_arm(line, views[line.run]) for line in lines]
        for (i, old), (j, new) in combinations(enumerate(lines), 2):
            if j < len(shown) or old.slug == new.slug or _gated(views, old, new):
                figures = _figures(arms[i], arms[j])
                if figures is not None:
                    by_pair[f"{pair_name(old)} {pair_name(new)} {board.suite}"] = figures
    return by_pair


def _gated(views: Mapping[str, RunView], row: BoardRow, other: BoardRow) -> bool:
    """Whether one line's run is the baseline of the other's."""
    gates = ((views[a.run].gate, b.run) for a, b in ((row, other), (other, row)))
    return any(gate is not None and gate.before.startswith(f"{run} (") for gate, run in gates)


def pair_name(line: BoardRow) -> str:
    """A line in the names of pairs and in the addresses of comparisons."""
    return f"{quote(line.run, safe='', errors='replace')}/{line.slug}"


def _figures(old: ContenderCases, new: ContenderCases) -> list[Any] | None:
    suite = new.cases[0].case.suite
    endpoint = primary(suite, conditions(suite, [old, new]))
    paired = strata(endpoint, old, new)
    if not paired:
        return None
    low, high = between_tasks_interval(paired, rate=True)
    before, after = means(paired)
    numbers = (before, after, difference(paired), low, high)
    return [endpoint.title, *(round(number, 4) for number in numbers), len({stratum.task for stratum in paired})]


def _arm(line: BoardRow, view: RunView) -> ContenderCases:
    results = [
        result
        for result in view.results
        if result.case.suite == line.row.suite and result.contender == line.row.contender
    ]
    scores = Scores(manifest=view.manifest, contenders=(line.row.contender,), provenances=(), cases=())
    return ContenderCases(scores, line.row.contender, tuple(_scored(scored, line.row.primary) for scored in results))


def _scored(result: Result, measure: str) -> Scored:
    value = result.number(measure)
    return Scored(case=result.case, outcome=result.outcome, reason="", values={} if value is None else {measure: value})


LineKey = tuple[str, str, str]
"""Run, contender as in addresses, suite."""
VARIANT_FLAG = "--variant "


@dataclass(frozen=True, slots=True)
class HeadlineChange:
    """How a line's headline has changed since the contender's earlier run."""

    run: str
    """The earlier run."""
    change: float
    """Mean over tasks of the differences, in [-1, 1]."""
    href: str
    """Address of the comparison, seen from the reports folder."""
    trend: tuple[float, ...]
    """The headline in its complete runs so far, oldest first, this one last."""


@dataclass(frozen=True, slots=True)
class ContaminationRow:
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


def headline_changes(
    boards: Iterable[SuiteBoard], pairs: Mapping[str, list[Any]], order: Mapping[str, int]
) -> dict[LineKey, HeadlineChange]:
    """The change of every line since the latest earlier run of its contender with the same settings and data. `pairs`:
    see `pair_figures`; `order`: run -> its place in time."""
    changes: dict[LineKey, HeadlineChange] = {}
    for board in boards:
        for line in board.lines:
            earlier = [
                other
                for other in board.older
                if (other.identity, other.data) == (line.identity, line.data) and order[other.run] < order[line.run]
            ]
            earlier.sort(key=lambda other: order[other.run])
            old = earlier[-1] if earlier else None
            figures = old and pairs.get(f"{pair_name(line)} {pair_name(old)} {board.suite}")
            if old and figures:  # from the newer to the older one, as the newer line is shown
                href = _comparison_address(old, line, board)
                trend = tuple(other.score for other in (*earlier, line) if other.row.headline and not other.missing)
                changes[line.run, line.slug, board.suite] = HeadlineChange(old.run, -figures[3], href, trend)
    return changes


def contamination_rows(boards: Iterable[SuiteBoard], pairs: Mapping[str, list[Any]]) -> tuple[ContaminationRow, ...]:
    """Every line of a variant with the line of the same contender, settings and data with the shipped tasks. `pairs`:
    see `pair_figures`."""
    rows = []
    for board in boards:
        for varied in (*board.lines, *board.older):
            seed = next((s.removeprefix(VARIANT_FLAG) for s in varied.settings if s.startswith(VARIANT_FLAG)), "")
            shipped = next((line for line in board.lines if seed and _differ_by_variant(line, varied)), None)
            if shipped is None:
                continue
            names = pair_name(shipped), pair_name(varied)
            if forward := pairs.get(f"{names[0]} {names[1]} {board.suite}"):
                _, first, second, change, low, high, tasks = forward
                figures = (first, second), -change, -high, -low
            elif backward := pairs.get(f"{names[1]} {names[0]} {board.suite}"):
                _, second, first, change, low, high, tasks = backward
                figures = (first, second), change, low, high
            else:
                continue
            href = _comparison_address(shipped, varied, board)
            rows.append(ContaminationRow(shipped, varied, seed, *figures, tasks, href))
    return tuple(rows)


def _comparison_address(a: BoardRow, b: BoardRow, board: SuiteBoard) -> str:
    first, second = (quote(pair_name(line), safe="") for line in (a, b))
    return f"compare.html#a={first}&b={second}&suite={board.suite}"


def _differ_by_variant(shipped: BoardRow, varied: BoardRow) -> bool:
    """Whether two lines are of the same contender, settings and data, but for the variant."""
    settings_without_variant = tuple(setting for setting in varied.settings if not setting.startswith(VARIANT_FLAG))
    settings = (shipped.row.contender, shipped.web, shipped.row.setting, shipped.settings, shipped.data)
    return settings == (varied.row.contender, varied.web, varied.row.setting, settings_without_variant, varied.data)
