"""Watch: shows the latest run of a reports folder as a table in the terminal and updates it during the run."""

import time
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from longtrail.errors import UsageError
from longtrail.records.result import Result
from longtrail.report.figures import percent, span, usd
from longtrail.report.text import clip, plain
from longtrail.site.view import RunView, view_run
from longtrail.statistics.aggregate import summarize

EVERY = 1.0
"""Seconds between two updates."""
LAST = 8
"""Number of recently finished cases that are shown."""
COLOURS = {"passed": "green", "failed": "red", "invalid": "yellow"}


def watch(reports: Path, console: Console | None = None) -> int:
    """Update until the run has ended or the user interrupts. Raises UsageError if there is no run."""
    with Live(screen(_latest(reports)), console=console or Console(), auto_refresh=False) as live:
        while True:
            view = _latest(reports)
            live.update(screen(view), refresh=True)
            if view.finished:
                return 0
            time.sleep(EVERY)


def _latest(reports: Path) -> RunView:
    folders = [path.parent for path in (reports / "runs").glob("*/run.json")]
    if not folders:
        raise UsageError(f"{reports / 'runs'}: there is no run")
    return view_run(max(folders, key=lambda folder: ((folder / "run.json").stat().st_ctime_ns, folder.name)))


def screen(view: RunView) -> Group:
    """The table of a run: progress, rates so far, running cases, recently finished cases."""
    done, left = len(view.results), len(view.open_cases)
    counts = {word: sum(one.outcome == word for one in view.results) for word in COLOURS}
    told = Text(f"{plain(view.name)}  {done}/{done + left}  ")
    for word, count in counts.items():
        told.append(f"{count} {word}  ", COLOURS[word])
    head = Table.grid(padding=(0, 1))
    head.add_row(told, ProgressBar(total=max(done + left, 1), completed=done, width=30))
    parts: list[RenderableType] = [head, _rates(view)]
    for waiting in view.open_cases:
        if waiting.playing:
            parts.append(Text(f"  playing {plain(waiting.case.id)}, step {waiting.playing.steps}", "cyan"))
    for one in _last(view):
        line = Text(f"  {one.outcome:8}", COLOURS[one.outcome])
        line.append(f"{plain(one.case.id)}: {clip(plain(one.reason), 60)}", "default")
        parts.append(line)
    return Group(*parts)


def _rates(view: RunView) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("contender", "suite", "headline", "95 %", "n", "cost"):
        table.add_column(name, justify="left" if name in ("contender", "suite") else "right")
    for row in summarize(view.results):
        rate = row.headline
        table.add_row(
            Text(clip(plain(row.contender.label), 40)),
            row.suite.replace("_", " "),
            percent(rate.mean if rate else None),
            span(rate.low, rate.high) if rate else "",
            str(rate.n if rate else 0),
            usd(row.usage.usd),
        )
    return table


def _last(view: RunView) -> list[Result]:
    written = (view.folder / "results").glob("*.json")
    times = {path.name.rpartition(".a")[0]: path.stat().st_mtime_ns for path in written}
    return sorted(view.results, key=lambda one: times.get(one.case.id, 0))[-LAST:]
