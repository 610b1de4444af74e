"""Check a finished run before it is submitted.

Checks that the plan is complete, that all data have this version, that scoring every episode again gives the recorded
result, and that no case has too many attempts. Prints the agents' trust classes and what was redacted; exit code 1 if a
check fails.
"""

import argparse
from pathlib import Path

from longtrail.runs.run_folder import RUN_HELP, find_run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The run."""
    parser.add_argument("run", type=Path, metavar="RUN", help=RUN_HELP)


def run(args: argparse.Namespace) -> int:
    """Print a line for each check; 1 if one fails."""
    from longtrail.report.submission import check_submission
    from longtrail.report.text import plain
    from longtrail.runs.own_tasks import tasks_of
    from longtrail.runs.store import Run

    finished = Run.open(find_run(args.run))
    found = check_submission(finished, tasks_of(finished))
    for line in (*found.notes, *(f"PROBLEM: {problem}" for problem in found.problems)):
        print(plain(line))
    return 1 if found.problems else 0
