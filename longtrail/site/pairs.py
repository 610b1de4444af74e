"""Pairs: for every two lines of a suite, paired by task, the difference of their headline with its interval."""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any
from urllib.parse import quote

from longtrail.gate.pairing import ContenderCases, conditions, primary, strata
from longtrail.records.result import Result
from longtrail.report.board import BoardRow, SuiteBoard
from longtrail.runs.baseline import Scored, Scores
from longtrail.site.view import RunView
from longtrail.statistics.paired import difference, difference_interval, means

MOST = 30
"""Maximum number of lines of a suite that are paired with each other; the best ones are chosen."""


def pair_figures(boards: Iterable[SuiteBoard], views: Mapping[str, RunView]) -> dict[str, list[Any]]:
    """`RUN/WHO RUN/WHO SUITE` -> endpoint, means of both, change, its 95 % interval, tasks. Lines without a common
    task have no entry. Besides the visible lines, lines of the same contender and of the same gate are paired."""
    found = {}
    for board in boards:
        shown = board.lines[:MOST]
        lines = [*shown, *board.lines[MOST:], *board.older]
        arms = [_arm(line, views[line.run]) for line in lines]
        for (i, old), (j, new) in combinations(enumerate(lines), 2):
            if j < len(shown) or old.who == new.who or _gated(views, old, new):
                figures = _figures(arms[i], arms[j])
                if figures is not None:
                    found[f"{pair_name(old)} {pair_name(new)} {board.suite}"] = figures
    return found


def _gated(views: Mapping[str, RunView], one: BoardRow, other: BoardRow) -> bool:
    """Whether one line's run is the baseline of the other's."""
    gates = ((views[a.run].gate, b.run) for a, b in ((one, other), (other, one)))
    return any(gate is not None and gate.before.startswith(f"{run} (") for gate, run in gates)


def pair_name(line: BoardRow) -> str:
    """A line in the names of pairs and in the addresses of comparisons."""
    return f"{quote(line.run, safe='', errors='replace')}/{line.who}"


def _figures(old: ContenderCases, new: ContenderCases) -> list[Any] | None:
    suite = new.cases[0].case.suite
    endpoint = primary(suite, conditions(suite, [old, new]))
    paired = strata(endpoint, old, new)
    if not paired:
        return None
    low, high = difference_interval(paired, rate=True)
    before, after = means(paired)
    numbers = (before, after, difference(paired), low, high)
    return [endpoint.title, *(round(number, 4) for number in numbers), len({one.task for one in paired})]


def _arm(line: BoardRow, view: RunView) -> ContenderCases:
    own = [one for one in view.results if one.case.suite == line.row.suite and one.contender == line.row.contender]
    scores = Scores(manifest=view.manifest, contenders=(line.row.contender,), provenances=(), cases=())
    return ContenderCases(scores, line.row.contender, tuple(_scored(one, line.row.primary) for one in own))


def _scored(result: Result, measure: str) -> Scored:
    value = result.number(measure)
    return Scored(case=result.case, outcome=result.outcome, reason="", values={} if value is None else {measure: value})
