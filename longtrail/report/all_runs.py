"""Leaderboard over all runs of a reports folder: the page, and the table for the terminal."""

from pathlib import Path

from longtrail.errors import UsageError
from longtrail.report.board import RunResults, boards
from longtrail.report.leaderboard_page import write_leaderboard
from longtrail.report.terminal import leaderboard_table
from longtrail.runs.store import Run


def read_runs(reports: Path) -> tuple[RunResults, ...]:
    """The finished runs below `reports/runs`, oldest first."""
    found: list[tuple[str, RunResults]] = []
    for folder in sorted((reports / "runs").glob("*/run.json")):
        run = Run.open(folder.parent)
        if run.results_file.exists():
            found.append((run.manifest.started, RunResults(run.folder.name, run.results(), len(run.missing()))))
    return tuple(run for _, run in sorted(found, key=lambda item: (item[0], item[1].name)))


def write_page(reports: Path) -> Path:
    """Write `leaderboard.html` over all runs."""
    return write_leaderboard(read_runs(reports), reports / "leaderboard.html")


def write_and_print(reports: Path) -> tuple[str, Path]:
    """The table of every run's rows, and the page. Raises UsageError where there is no finished run."""
    runs = read_runs(reports)
    if not runs:
        raise UsageError(f"{reports / 'runs'}: there is no finished run; run pytest first")
    table = leaderboard_table([line.row for board in boards(runs) for line in board.lines])
    return table, write_leaderboard(runs, reports / "leaderboard.html")
