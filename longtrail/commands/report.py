"""Write the pages of all runs anew, and print the leaderboard."""

import argparse
from pathlib import Path

from longtrail.runs.run_folder import REPORTS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the runs are."""
    parser.add_argument(
        "--reports", type=Path, default=REPORTS, metavar="DIR", help="the folder of reports (default: reports)"
    )


def run(args: argparse.Namespace) -> int:
    """Write the page; print the table and the page's path. 1 if files of a run are missing or were changed."""
    from longtrail.report.text import plain
    from longtrail.site.build import write_and_print

    table, page, problems = write_and_print(args.reports)
    print(table)
    for problem in problems:
        print(plain(problem))
    print(page)
    return 1 if problems else 0
