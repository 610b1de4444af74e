"""Check task files by the rules of fair tasks. Prints `file: field: message` for each fault."""

import argparse
from pathlib import Path

from longtrail.errors import LongtrailError
from longtrail.paths import TASKS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to check."""
    parser.add_argument(
        "path", type=Path, nargs="?", default=TASKS, metavar="PATH", help="a file or a folder (default: what ships)"
    )


def run(args: argparse.Namespace) -> None:
    """Print each fault. Raises LongtrailError if there are any."""
    from longtrail.authoring.validity.check import complaints, read_own

    own = read_own(args.path)
    found = list(complaints(args.path, own))
    for line in found:
        print(line)
    if found:
        raise LongtrailError(f"{len(found)} faults in {args.path}")
    print(f"{len(own)} tasks are valid in {args.path}")
