"""Leaderboard page: one page over all runs and both suites, in one file that opens offline."""

from collections.abc import Sequence
from pathlib import Path

from longtrail.report import chart
from longtrail.report.board import RunResults, boards, overview
from longtrail.report.published import decision_paper, long_context_paper
from longtrail.report.template_page import render, script_hash, write


def write_leaderboard(runs: Sequence[RunResults], out: Path) -> Path:
    """Write the page to `out`. `runs` come oldest first; the same runs give the same bytes.

    A contender's line in a suite comes from the run with most cases (the newer one of equals); the others are listed
    at the end. Raises DataError if the shipped published numbers are damaged.
    """
    found = boards(runs)
    page = render(
        "leaderboard.html",
        boards=found,
        runs=runs,
        episodes=sum(len(run.results) for run in runs),
        glances=overview(found),
        data=sorted({line.data for board in found for line in board.lines}),
        chart=chart,
        long_paper=long_context_paper(),
        decision_paper=decision_paper(),
        script=script_hash("sort.js"),
    )
    return write(out, page)
