"""Write a finished run's scores into a small file, for `pytest --baseline FILE`."""

import argparse
from pathlib import Path

from longtrail.runs.run_folder import REPORTS, RUN_HELP, find_run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The run, and where to write the file."""
    parser.add_argument("run", type=Path, metavar="RUN", help=RUN_HELP)
    parser.add_argument("--out", type=Path, default=None, metavar="FILE", help="default: reports/baselines/RUN.json")


def run(args: argparse.Namespace) -> int:
    """Write the file and print its path. Returns 1 if files of the run are missing or were changed."""
    from longtrail.report.text import plain
    from longtrail.runs.baseline import scores_of, write_baseline
    from longtrail.runs.store import Run

    scores = scores_of(Run.open(find_run(args.run)))
    path = write_baseline(scores, args.out or REPORTS / "baselines" / f"{scores.name}.json")
    print(f"{len(scores.cases)} cases in {path}")
    for problem in scores.problems:
        print(plain(problem))
    return 1 if scores.problems else 0
