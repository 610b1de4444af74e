"""Write the leaderboard over all runs, and print it."""

import argparse
from pathlib import Path

from longtrail.runs.run_folder import REPORTS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the runs are."""
    parser.add_argument(
        "--reports", type=Path, default=REPORTS, metavar="DIR", help="the folder of reports (default: reports)"
    )


def run(args: argparse.Namespace) -> None:
    """Write the page; print the table and the page's path."""
    from longtrail.report.all_runs import write_and_print

    table, page = write_and_print(args.reports)
    print(table)
    print(page)
