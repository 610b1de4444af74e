"""Build: writes the site. A run's pages are in its folder, pages about all runs in the reports folder."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from longtrail.errors import UsageError
from longtrail.report.addresses import PLAYS
from longtrail.report.leaderboard.board import boards
from longtrail.report.leaderboard.page import leaderboard_files
from longtrail.report.run.page import run_files
from longtrail.report.run.view import RunView, view_runs
from longtrail.report.template_page import write
from longtrail.report.terminal import leaderboard_table
from longtrail.runs.checked import CheckedRun, check_again, checked_anew
from longtrail.runs.rescore import tasks_of
from longtrail.runs.store import Run
from longtrail.tasks.task import Task


def write_site(
    reports: Path, tasks: Mapping[str, Task] | None = None, *, only: str = "", checked: CheckedRun | None = None
) -> Path:
    """Write the leaderboard and the pages of finished runs; returns the leaderboard's path. `tasks`: for their
    prompts, if available. `only`: the run that has changed; for other runs, only missing pages are written.
    `checked`: what is known of this run's files.
    """

    def check(run: Run) -> CheckedRun:
        return checked if checked is not None and run.folder.name == only else check_again(run)

    views = [view for view in view_runs(reports, check) if view.finished]
    for view in views:
        if not only or view.name == only or not (view.folder / "index.html").is_file():
            run_tasks = tasks_of(Run.open(view.folder)) if tasks is None or view.name != only else tasks
            _write_run(view, run_tasks)
    return _write_all(reports, views)


def write_and_print(reports: Path) -> tuple[str, Path, tuple[str, ...]]:
    """The table of every run's rows, the leaderboard's path, and the problems of runs. Raises UsageError if there is
    no run."""
    views = [view for view in view_runs(reports, checked_anew) if view.finished]
    if not views:
        raise UsageError(f"{reports / 'runs'}: there is no finished run; run pytest first")
    for view in views:
        _write_run(view, tasks_of(Run.open(view.folder)))
    table = leaderboard_table(
        [line.row for board in boards(view.board.played for view in views) for line in board.lines]
    )
    problems = tuple(f"{view.name}: {problem}" for view in views for problem in view.board.problems)
    return table, _write_all(reports, views), problems


def _write_run(view: RunView, tasks: Mapping[str, Task]) -> None:
    for name, text in run_files(view, tasks).items():
        write(view.folder / name, text)


def _write_all(reports: Path, views: Iterable[RunView]) -> Path:
    files = leaderboard_files(tuple(views))
    for name, text in files.items():
        write(reports / name, text)
    for old in (reports / PLAYS).glob("*.js"):  # of tasks whose runs are gone
        if f"{PLAYS}{old.name}" not in files:
            old.unlink(missing_ok=True)  # sessions that share the folder remove it, too
    return reports / "leaderboard.html"
