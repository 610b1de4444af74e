"""Leaderboard page: all runs by suite, with the latest verdict at the top; every figure links to its cases."""

import json
from collections.abc import Mapping, Sequence

from longtrail.report import chart
from longtrail.report.leaderboard.board import RunResults, boards
from longtrail.report.leaderboard.news import News, news
from longtrail.report.leaderboard.overview import crowd, overview
from longtrail.report.leaderboard.pairs import (
    ContaminationRow,
    HeadlineChange,
    LineKey,
    contamination_rows,
    headline_changes,
    pair_figures,
)
from longtrail.report.leaderboard.papers import decision_paper, long_context_paper
from longtrail.report.run.case_table import play_files
from longtrail.report.run.view import RunView
from longtrail.report.template_page import render, script_hash


def leaderboard_files(views: Sequence[RunView]) -> dict[str, str]:
    """The pages about all runs, and their data: path in the reports folder -> text. `views`: oldest first."""
    found = boards(view.board for view in views)
    pairs = pair_figures(found, {view.name: view for view in views})
    moved = headline_changes(found, pairs, {view.name: place for place, view in enumerate(views)})
    told = contamination_rows(found, pairs)
    return {
        "leaderboard.html": leaderboard([view.board for view in views], news(views), moved, told),
        "compare.html": render("compare.html", comparison=None, script=script_hash("compare_page.js"), a="", b=""),
        "data/pairs.js": f"longtrailPairs({json.dumps(pairs, separators=(',', ':'))});\n",
        **play_files(views),
    }


def leaderboard(
    runs: Sequence[RunResults],
    latest: News | None = None,
    moved: Mapping[LineKey, HeadlineChange] | None = None,
    memorized: Sequence[ContaminationRow] = (),
) -> str:
    """The page; the same runs give the same text.

    A contender's line in a suite comes from the run with the most cases (the newer one if equal); other runs are
    listed at the end. Raises DataError if the shipped published numbers are damaged.
    """
    found = boards(runs)
    return render(
        "leaderboard.html",
        boards=found,
        runs=runs,
        news=latest or News(),
        moved=moved or {},
        memorized=memorized,
        episodes=sum(len(run.results) for run in runs),
        glances=overview(found),
        crowd=crowd(found),
        data=sorted({line.data for board in found for line in board.lines}),
        chart=chart,
        long_paper=long_context_paper(),
        decision_paper=decision_paper(),
        script=script_hash("board_page.js"),
    )
