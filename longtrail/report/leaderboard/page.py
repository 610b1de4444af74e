"""Leaderboard page: all runs by suite, with the latest verdict at the top; every figure links to its cases."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from longtrail.records.trajectory import Suite, Usage
from longtrail.report import chart
from longtrail.report.addresses import case_list
from longtrail.report.leaderboard.board import KIND_ORDER, RunResults, SuiteBoard, boards
from longtrail.report.leaderboard.board_row import BoardRow
from longtrail.report.leaderboard.changes import ContaminationRow, HeadlineChange, LineKey, News, PairedLines, news
from longtrail.report.leaderboard.papers import decision_paper, long_context_paper
from longtrail.report.run.case_table import play_files
from longtrail.report.run.view import RunView
from longtrail.report.template_page import render, script_hash


def leaderboard_files(views: Sequence[RunView]) -> dict[str, str]:
    """The pages about all runs, and their data: path in the reports folder -> text. `views`: oldest first."""
    suites = boards(view.board.played for view in views)
    pairs = PairedLines({view.name: view for view in views})
    moved, rows = pairs.headline_changes(suites), pairs.contamination(suites)
    return {
        "leaderboard.html": leaderboard([view.board.played for view in views], news(views), moved, rows),
        "compare.html": render("compare.html", comparison=None, script=script_hash("compare_page.js"), a="", b=""),
        "data/pairs.js": f"longtrailPairs({json.dumps(pairs.of_boards(suites), separators=(',', ':'))});\n",
        **play_files(views),
    }


def leaderboard(
    runs: Sequence[RunResults],
    latest: News | None = None,
    moved: Mapping[LineKey, HeadlineChange] | None = None,
    memorized: Sequence[ContaminationRow] = (),
) -> str:
    """The page; the same runs give the same text.

    A contender's line in a suite comes from its newest complete run; other runs are its history, and are listed at the
    end. Raises DataError if the shipped published numbers are damaged.
    """
    suites = boards(runs)
    return render(
        "leaderboard.html",
        boards=suites,
        runs=runs,
        news=latest or News(),
        moved=moved or {},
        memorized=memorized,
        episodes=sum(len(run.results) for run in runs),
        summaries=overview(suites),
        entry_counts=entry_counts(suites),
        data=sorted({line.data for board in suites for line in board.lines}),
        chart=chart,
        long_paper=long_context_paper(),
        decision_paper=decision_paper(),
        script=script_hash("board_page.js"),
    )


@dataclass(frozen=True, slots=True)
class ContenderSummary:
    """One contender over all suites."""

    lines: dict[Suite, BoardRow]

    @property
    def first(self) -> BoardRow:
        return next(iter(self.lines.values()))

    @property
    def score(self) -> float:
        """Average of the defined headlines."""
        return fmean(line.score for line in self.lines.values())

    @property
    def cases(self) -> int:
        return sum(line.row.cases for line in self.lines.values())

    def case_list(self, **where: object) -> str:
        """Address of all of its cases; empty if they are in several runs."""
        if len({line.run for line in self.lines.values()}) > 1:
            return ""
        return case_list(self.first.at, ",".join(self.lines), self.first.slug, "", "all", **{"group": "", **where})

    @property
    def invalid_rate(self) -> float:
        return sum(line.row.invalid for line in self.lines.values()) / self.cases

    @property
    def usage(self) -> Usage:
        """Usage over all suites; the price is unknown if any part of it is."""
        return sum((line.row.usage for line in self.lines.values()), Usage())


def overview(suites: Sequence[SuiteBoard]) -> tuple[ContenderSummary, ...]:
    """The top of the leaderboard: one line per contender over all suites, by the average of its headlines, best first;
    then people, the oracle and baselines. Contenders that played only appeals have no headline and no line."""
    summaries: dict[tuple[str, str, tuple[str, ...], str], dict[Suite, BoardRow]] = {}
    for board in suites:
        for line in (line for line in board.lines if line.row.headline):
            summaries.setdefault(line.identity, {})[board.suite] = line
    return tuple(
        sorted(
            map(ContenderSummary, summaries.values()),
            key=lambda g: (KIND_ORDER.index(g.first.kind), -g.score, g.first.title, g.first.subtitle),
        )
    )


def entry_counts(suites: Sequence[SuiteBoard]) -> str:
    """The number of entries on the board: `2 contenders, 1 person, the oracle and 1 baseline`."""
    kinds = {line.identity[0]: line.kind for board in suites for line in board.lines}
    numbers = [sum(kind == wanted for kind in kinds.values()) for wanted in ("contender", "person", "baseline")]
    rivals, people, bases = numbers
    parts = [f"{rivals} contender{'s' * (rivals != 1)}"] if rivals else []
    parts += [f"{people} {'person' if people == 1 else 'people'}"] if people else []
    parts += ["the oracle"] if "oracle" in kinds.values() else []
    parts += [f"{bases} baseline{'s' * (bases != 1)}"] if bases else []
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))
