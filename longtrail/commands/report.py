"""Write the pages of all runs again, and print the leaderboard."""

import argparse
from pathlib import Path

from longtrail.options.flags import folder_or_address
from longtrail.paths import REPORTS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the runs are."""
    parser.add_argument(
        "--reports",
        type=folder_or_address,
        default=REPORTS,
        metavar="DIR|ADDRESS",
        help="the reports folder, or its address (default: reports)",
    )


def run(args: argparse.Namespace) -> int:
    """Write the pages, and print the table and the leaderboard's path. Returns 1 if files of a run are missing or were
    changed."""
    if isinstance(args.reports, Path):
        return _report(args.reports, str(args.reports))
    from longtrail.runs.object_store import Store, fetched

    store = Store(args.reports)
    with fetched(store, pages=False) as folder:
        before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
        code = _report(folder, store.address)
        fresh = [path for path in folder.rglob("*") if before.get(path) != path.stat().st_mtime_ns and path.is_file()]
        store.put(folder, [path.relative_to(folder).as_posix() for path in fresh])
    return code


def _report(reports: Path, address: str) -> int:
    from longtrail.report.build import write_and_print
    from longtrail.report.text import plain

    table, page, problems = write_and_print(reports)
    print(table)
    for problem in problems:
        print(plain(problem))
    print(f"{address}/{page.relative_to(reports).as_posix()}")
    return 1 if problems else 0
