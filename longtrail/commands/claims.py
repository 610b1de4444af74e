"""Judge claims that people wrote about a run's cases with the hallucination detector, and tell how often it agrees."""

import argparse
from pathlib import Path

from longtrail.runs.run_folder import RUN_HELP, find_run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The run, and the claims."""
    parser.add_argument("run", type=Path, metavar="RUN", help=RUN_HELP)
    parser.add_argument("file", type=Path, metavar="FILE", help="YAML: task -> class -> sentences or [source, text]")


def run(args: argparse.Namespace) -> None:
    """Print the detector's judgements beside people's."""
    from longtrail.authoring.claims.labelled import judge_claims, shown
    from longtrail.runs.store import Run
    from longtrail.tasks.loading import load_tasks

    print(shown(judge_claims(Run.open(find_run(args.run)), load_tasks(), args.file)))
