"""Leaderboard page: all runs by suite, with the latest verdict at the top; every figure links to its cases."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from longtrail.gate.findings import GateReport, SuiteComparison
from longtrail.report import chart
from longtrail.report.addresses import run_folder
from longtrail.report.board import RunResults, boards
from longtrail.report.overview import crowd, overview
from longtrail.report.published import decision_paper, long_context_paper
from longtrail.report.template_page import render, script_hash
from longtrail.site.arms import Arm, arm_of, gate_arms
from longtrail.site.earlier import against_earlier
from longtrail.site.pairs import pair_figures
from longtrail.site.plays import play_files
from longtrail.site.remembered import Remembered, remembered
from longtrail.site.since import LineKey, Moved, since
from longtrail.site.view import RunView
from longtrail.tasks.cases import slug

PAST = 12
"""Number of earlier verdicts that are shown."""


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


def leaderboard_files(views: Sequence[RunView]) -> dict[str, str]:
    """The pages about all runs, and their data: path in the reports folder -> text. `views`: oldest first."""
    found = boards(view.board for view in views)
    pairs = pair_figures(found, {view.name: view for view in views})
    moved = since(found, pairs, {view.name: place for place, view in enumerate(views)})
    told = remembered(found, pairs)
    return {
        "leaderboard.html": leaderboard([view.board for view in views], news(views), moved, told),
        "compare.html": render("compare.html", comparison=None, script=script_hash("compare_page.js"), a="", b=""),
        "data/pairs.js": f"longtrailPairs({json.dumps(pairs, separators=(',', ':'))});\n",
        **play_files(views),
    }


def leaderboard(
    runs: Sequence[RunResults],
    latest: News | None = None,
    moved: Mapping[LineKey, Moved] | None = None,
    memorized: Sequence[Remembered] = (),
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


def news(views: Sequence[RunView]) -> News:
    """The latest finished run compared with its gate's baseline, otherwise with the run before it."""
    done = [view for view in views if view.finished and view.results]
    if not done:
        return News()
    latest = done[-1]
    past = tuple((view.name, view.gate.verdict, view.href) for view in reversed(done) if view.gate)[:PAST]
    if latest.gate:
        base = arm_of(latest.gate.before)
        old = next((view for view in done if view.name == base.run), None)
        href = _compare(old, base.label, latest, _labels(latest)[0]) if old else ""
        return News(latest.name, latest.href, latest.gate, href, arms=gate_arms(latest), past=past)
    change = next(against_earlier(latest, done[:-1]), None)
    if change is None:
        return News(latest.name, latest.href, past=past)
    old = next(view for view in done if view.name == change.run)
    href = _compare(old, change.label, latest, change.label)
    sides = tuple(Arm(name, change.label, run_folder(name)) for name in (old.name, latest.name))
    return News(latest.name, latest.href, None, href, old.name, change.suites, (sides[0], sides[1]), past)


def _labels(view: RunView) -> list[str]:
    return list(dict.fromkeys(result.contender.label for result in view.results))


def _compare(old: RunView, label: str, new: RunView, other: str) -> str:
    a, b = (f"{quote(view.name, safe='')}/{slug(who)}" for view, who in ((old, label), (new, other)))
    return f"compare.html#a={quote(a, safe='')}&b={quote(b, safe='')}"
