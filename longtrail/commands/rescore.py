"""Score a finished run again from its episode files. The results file comes out byte for byte the same."""

import argparse
from pathlib import Path

from longtrail.runs.run_folder import RUN_HELP, find_run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The run."""
    parser.add_argument("run", type=Path, metavar="RUN", help=RUN_HELP)


def run(args: argparse.Namespace) -> None:
    """Score, write the results, and say where."""
    from longtrail.runs.rescore import rescore
    from longtrail.runs.store import Run
    from longtrail.tasks.loading import load_tasks

    finished = Run.open(find_run(args.run))
    results = rescore(finished, load_tasks())
    finished.write_results(results)
    print(f"{len(results)} results in {finished.results_file}")
