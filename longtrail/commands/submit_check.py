"""Check a finished run before it is submitted.

It checks that every planned case was played, that all data are of this version, that scoring every episode again gives
the recorded result, and that no case has too many attempts. It prints the agents' trust classes and what was redacted.
The exit code is 1 if a check fails.
"""

import argparse
from pathlib import Path

from longtrail.paths import RUN_HELP, find_run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The run."""
    parser.add_argument("run", type=Path, metavar="RUN", help=RUN_HELP)


def run(args: argparse.Namespace) -> int:
    """Print a line for each check. Returns 1 if one fails."""
    from longtrail.report.submission import check_submission
    from longtrail.report.text import plain
    from longtrail.runs.own_tasks import tasks_of
    from longtrail.runs.store import Run

    finished = Run.open(find_run(args.run))
    check = check_submission(finished, tasks_of(finished))
    for line in (*check.notes, *(f"PROBLEM: {problem}" for problem in check.problems)):
        print(plain(line))
    return 1 if check.problems else 0
