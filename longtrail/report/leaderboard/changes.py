"""What has changed between runs: differences of two lines of a suite, paired by task (any two, a line and its earlier
run, shipped and variant), and the news of the latest run (its gate, or each contender against its earlier run)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from longtrail.errors import UsageError
from longtrail.gate.comparison import compare
from longtrail.gate.findings import GateReport, SuiteComparison
from longtrail.gate.pairing import ContenderCases, conditions, primary, strata
from longtrail.records.result import Result
from longtrail.report.addresses import comparison_address, run_folder, side_name
from longtrail.report.leaderboard.board import SuiteBoard
from longtrail.report.leaderboard.board_row import BoardRow
from longtrail.report.run.view import Arm, RunView, arm_of, gate_arms, view_runs
from longtrail.runs.baseline import Scored, Scores, scores_from
from longtrail.runs.checked import check_again
from longtrail.statistics.paired import between_tasks_interval, difference, means
from longtrail.tasks.cases import slug

MOST = 30
"""Maximum number of lines of a suite that are paired with each other; the best ones are chosen."""
VARIANT_FLAG = "--variant "
LineKey = tuple[str, str, str]
"""Run, contender as in addresses, suite."""


class PairFigures(NamedTuple):
    """Two lines over their common tasks."""

    endpoint: str
    before: float
    after: float
    change: float
    """Mean over tasks of the differences, in [-1, 1]."""
    low: float
    high: float
    """Its 95 % interval."""
    tasks: int


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
    figures: PairFigures
    """From the variant (before) to the shipped tasks (after)."""
    href: str
    """Address of the comparison, seen from the reports folder."""


class PairedLines:
    """The pairs of lines of some runs."""

    def __init__(self, views: Mapping[str, RunView]) -> None:
        """`views`: the runs by name, oldest first."""
        self._views, self._arms = views, dict[LineKey, ContenderCases]()
        self._order = {name: place for place, name in enumerate(views)}

    def between(self, old: BoardRow, new: BoardRow) -> PairFigures | None:
        """The figures of two lines; None without a common task."""
        before, after = self._arm(old), self._arm(new)
        endpoint = primary(old.row.suite, conditions(old.row.suite, [before, after]))
        paired = strata(endpoint, before, after)
        if not paired:
            return None
        interval, tasks = between_tasks_interval(paired, rate=True), len({stratum.task for stratum in paired})
        return PairFigures(endpoint.title, *means(paired), difference(paired), *interval, tasks)

    def of_boards(self, boards: Iterable[SuiteBoard]) -> dict[str, list[Any]]:
        """`RUN/WHO RUN/WHO SUITE` -> figures, for a page. Besides the visible lines, lines of the same contender and of
        the same gate are paired."""
        by_pair = {}
        for board in boards:
            shown = board.lines[:MOST]
            lines = [*shown, *board.lines[MOST:], *board.older]
            for (_, old), (j, new) in combinations(enumerate(lines), 2):
                wanted = j < len(shown) or old.slug == new.slug or self._gated(old, new)
                if wanted and (figures := self.between(old, new)):
                    rounded = [round(each, 4) if isinstance(each, float) else each for each in figures]
                    by_pair[f"{_side(old)} {_side(new)} {board.suite}"] = rounded
        return by_pair

    def headline_changes(self, boards: Iterable[SuiteBoard]) -> dict[LineKey, HeadlineChange]:
        """The change of every line since the latest earlier run of its contender with the same settings and data."""
        changes: dict[LineKey, HeadlineChange] = {}
        for board in boards:
            for line in board.lines:
                same = [other for other in board.older if (other.identity, other.data) == (line.identity, line.data)]
                earlier = [other for other in same if self._order[other.run] < self._order[line.run]]
                earlier.sort(key=lambda other: self._order[other.run])
                if earlier and (figures := self.between(old := earlier[-1], line)):
                    trend = tuple(other.score for other in (*earlier, line) if other.row.headline and not other.missing)
                    href = comparison_address(_side(old), _side(line), board.suite)
                    changes[line.run, line.slug, board.suite] = HeadlineChange(old.run, figures.change, href, trend)
        return changes

    def contamination(self, boards: Iterable[SuiteBoard]) -> tuple[ContaminationRow, ...]:
        """Every line of a variant with the line of the same contender, settings and data with the shipped tasks."""
        rows = []
        for board in boards:
            for varied in (*board.lines, *board.older):
                seed = next((s.removeprefix(VARIANT_FLAG) for s in varied.settings if s.startswith(VARIANT_FLAG)), "")
                shipped = next((line for line in board.lines if seed and _differ_by_variant(line, varied)), None)
                if shipped and (figures := self.between(varied, shipped)):
                    href = comparison_address(_side(shipped), _side(varied), board.suite)
                    rows.append(ContaminationRow(shipped, varied, seed, figures, href))
        return tuple(rows)

    def _gated(self, row: BoardRow, other: BoardRow) -> bool:
        """Whether one line's run is the baseline of the other's."""
        gates = ((self._views[a.run].gate, b.run) for a, b in ((row, other), (other, row)))
        return any(gate is not None and gate.before.startswith(f"{run} (") for gate, run in gates)

    def _arm(self, line: BoardRow) -> ContenderCases:
        key, row = (line.run, line.slug, line.row.suite), line.row
        if key not in self._arms:
            view = self._views[line.run]
            same = (r for r in view.results if r.case.suite == row.suite and r.contender == row.contender)
            scores = Scores(manifest=view.manifest, contenders=(row.contender,), provenances=(), cases=())
            self._arms[key] = ContenderCases(scores, row.contender, tuple(_scored(r, row.primary) for r in same))
        return self._arms[key]


def _side(line: BoardRow) -> str:
    return side_name(line.run, line.slug)


def _scored(result: Result, measure: str) -> Scored:
    value = result.number(measure)
    return Scored(case=result.case, outcome=result.outcome, reason="", values={} if value is None else {measure: value})


def _differ_by_variant(shipped: BoardRow, varied: BoardRow) -> bool:
    """Whether two lines are of the same contender, settings and data, but for the variant."""
    settings_without_variant = tuple(setting for setting in varied.settings if not setting.startswith(VARIANT_FLAG))
    settings = (shipped.row.contender, shipped.web, shipped.row.setting, shipped.settings, shipped.data)
    return settings == (varied.row.contender, varied.web, varied.row.setting, settings_without_variant, varied.data)


PAST = 12
"""Number of earlier verdicts that are shown."""


@dataclass(frozen=True, slots=True)
class EarlierComparison:
    """One contender of the run against itself in an earlier one."""

    run: str
    label: str
    suites: tuple[SuiteComparison, ...]


@dataclass(frozen=True, slots=True)
class News:
    """The news of the latest run."""

    run: str = ""
    href: str = ""
    gate: GateReport | None = None
    compare: str = ""
    """Address of the comparison with the earlier run."""
    before: str = ""
    change: tuple[SuiteComparison, ...] = ()
    """Without a gate: the comparison with the latest earlier run with the same contender and settings."""
    arms: tuple[Arm, Arm] | None = None
    """Both sides of the gate or of the change."""
    past: tuple[tuple[str, str, str], ...] = ()
    """Gated runs, latest first: run, verdict, address."""


def against_earlier(latest: RunView, earlier: Sequence[RunView]) -> Iterator[EarlierComparison]:
    """Compare each contender of a run with the latest earlier run in which it played with the same settings and data;
    latest first. `earlier`: oldest first. A contender without such a run is left out."""
    left, new = _contenders(latest), cache(partial(scores_from, latest.manifest, latest.checked))
    for old in reversed(earlier):
        if old.board.settings != latest.board.settings or old.manifest.data != latest.manifest.data:
            continue
        for contender in sorted(left.keys() & _contenders(old).keys(), key=lambda contender: left[contender]):
            label = left[contender]
            try:
                comparison = compare(scores_from(old.manifest, old.checked), new(), (label, label))
            except UsageError:  # no suite in common, or a label that is not unique
                continue
            if suites := tuple(suite for suite in comparison.suites if suite.primary.tasks):  # else no case in common
                del left[contender]
                yield EarlierComparison(old.name, label, suites)


def changes_of(run: Path) -> tuple[EarlierComparison, ...]:
    """What has changed in a finished run, given its folder."""
    views = [view for view in view_runs(run.parents[1], check_again) if view.finished and view.results]
    latest = next((view for view in views if view.name == run.name), None)
    if latest is None:
        return ()
    return tuple(against_earlier(latest, views[: views.index(latest)]))


def _contenders(view: RunView) -> dict[str, str]:
    return {result.contender.model_dump_json(): result.contender.label for result in view.results}


def news(views: Sequence[RunView]) -> News:
    """The latest finished run compared with its gate's baseline, otherwise with the run before it."""
    done = [view for view in views if view.finished and view.results]
    if not done:
        return News()
    latest = done[-1]
    past = tuple((view.name, view.gate.verdict, view.href) for view in reversed(done) if view.gate)[:PAST]
    here = side_name(latest.name, slug(latest.results[0].contender.label))
    if latest.gate:
        base = arm_of(latest.gate.before)
        known = any(view.name == base.run for view in done)
        href = comparison_address(side_name(base.run, slug(base.label)), here) if known else ""
        return News(latest.name, latest.href, latest.gate, href, arms=gate_arms(latest), past=past)
    change = next(against_earlier(latest, done[:-1]), None)
    if change is None:
        return News(latest.name, latest.href, past=past)
    names = (change.run, latest.name)
    href = comparison_address(*(side_name(name, slug(change.label)) for name in names))
    sides = [Arm(name, change.label, run_folder(name)) for name in names]
    return News(latest.name, latest.href, None, href, change.run, change.suites, (sides[0], sides[1]), past)
