"""Leaderboard over all runs of a reports folder: the page, and the table for the terminal."""

from pathlib import Path

from longtrail.errors import UsageError
from longtrail.report.board import RunResults, boards
from longtrail.report.leaderboard_page import write_leaderboard
from longtrail.report.terminal import leaderboard_table
from longtrail.runs.checked import check_run
from longtrail.runs.store import Run


def read_runs(reports: Path) -> tuple[RunResults, ...]:
    """The finished runs below `reports/runs`, oldest first, each held against its plan and its episodes."""
    found: list[tuple[str, RunResults]] = []
    for folder in sorted((reports / "runs").glob("*/run.json")):
        run = Run.open(folder.parent)
        if run.results_file.exists():
            checked = check_run(run)
            results = RunResults(
                run.folder.name,
                checked.counted,
                len(checked.missing),
                len(checked.changed) + len(checked.edited),
                checked.problems(),
            )
            found.append((run.manifest.started, results))
    return tuple(run for _, run in sorted(found, key=lambda item: (item[0], item[1].name)))


def write_page(reports: Path) -> Path:
    """Write `leaderboard.html` over all runs."""
    return write_leaderboard(read_runs(reports), reports / "leaderboard.html")


def write_and_print(reports: Path) -> tuple[str, Path, tuple[str, ...]]:
    """The table of every run's rows, the page, and what is wrong with runs. Raises UsageError without any."""
    runs = read_runs(reports)
    if not runs:
        raise UsageError(f"{reports / 'runs'}: there is no finished run; run pytest first")
    table = leaderboard_table([line.row for board in boards(runs) for line in board.lines])
    problems = tuple(f"{run.name}: {problem}" for run in runs for problem in run.problems)
    return table, write_leaderboard(runs, reports / "leaderboard.html"), problems
