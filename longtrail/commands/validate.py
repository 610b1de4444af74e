"""Check task files against the rules for fair tasks. Prints `file: field: message` for each fault."""

import argparse
import sys
from pathlib import Path

from longtrail.errors import LongtrailError, UsageError
from longtrail.paths import TASKS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to check."""
    parser.add_argument(
        "path",
        type=Path,
        nargs="?",
        default=TASKS,
        metavar="PATH",
        help="a file or a folder (default: the shipped tasks)",
    )


def run(args: argparse.Namespace) -> None:
    """Print each fault. Raises LongtrailError if there are any."""
    from longtrail.authoring.validity.check import complaints, read_own
    from longtrail.tasks.task import DecisionTask

    own, faults, unchecked = read_own(args.path), 0, ""
    if any(isinstance(task, DecisionTask) for _, task in own.values()):
        print("Every page of the site is read, which takes about a minute.", file=sys.stderr, flush=True)
    try:
        for line in complaints(args.path, own):
            print(line)
            faults += 1
    except UsageError as error:
        unchecked = f"; {error}"
    if faults or unchecked:
        raise LongtrailError(f"{faults} faults in {args.path}{unchecked}")
    print(f"{len(own)} tasks are valid in {args.path}")
