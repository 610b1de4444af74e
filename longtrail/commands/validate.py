"""Check task files against the rules for fair tasks. Prints `file: field: message` for each fault."""

import argparse
import sys
from pathlib import Path

from longtrail.errors import LongtrailError, UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to check."""
    parser.add_argument("path", type=Path, nargs="?", metavar="PATH", help="a file or a folder with your tasks")
    parser.add_argument(
        "--shifts", type=int, default=None, metavar="N", help="check N newly generated shifts of each domain"
    )


def run(args: argparse.Namespace) -> None:
    """Print each fault. Raises LongtrailError if there are any."""
    if (args.path is None) == (args.shifts is None):
        raise UsageError("expected either a file or folder with tasks, or --shifts N")
    if args.shifts is not None:
        _check_shifts(args.shifts)
    else:
        _check_tasks(args.path)


def _check_shifts(number: int) -> None:
    from longtrail.authoring.validity.shift_rules import generated, shift_findings
    from longtrail.tasks.shifts.plans import DOMAINS

    tasks = [task for domain in DOMAINS for task in generated(domain, number)]
    findings = [finding for task in tasks for finding in shift_findings(task)]
    for finding in findings:
        print(f"{'.'.join(filter(None, (*finding.tasks, finding.field)))}: {finding.message}")
    if findings:
        raise LongtrailError(f"{len(findings)} faults in {len(tasks)} generated shifts")
    print(f"{len(tasks)} generated shifts are valid")


def _check_tasks(path: Path) -> None:
    from longtrail.authoring.validity.check import finding_lines, read_own
    from longtrail.tasks.loading import faults_of_form
    from longtrail.tasks.task import DecisionTask

    if path.exists() and (malformed := [*faults_of_form(path)]):
        print(*malformed, sep="\n")
        raise _counted(len(malformed), path)
    own_tasks, faults = read_own(path), 0
    decides = any(isinstance(task, DecisionTask) for _, task in own_tasks.values())
    if decides:
        print("Every page of the site is read, which takes about a minute.", file=sys.stderr, flush=True)
    for line in finding_lines(path, own_tasks):
        print(line)
        faults += 1
    if faults:
        raise _counted(faults, path)
    print(f"{len(own_tasks)} {'task is' if len(own_tasks) == 1 else 'tasks are'} valid in {path}")
    if decides:
        print(
            f"Not checked: whether the site's written rules demand the decision. "
            f"In a clone of Longtrail: python -m workshop.validity {path}"
        )


def _counted(faults: int, path: Path) -> LongtrailError:
    return LongtrailError(f"{faults} {'fault' if faults == 1 else 'faults'} in {path}")
