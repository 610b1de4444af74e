"""Check task files against the rules for fair tasks. Prints `file: field: message` for each fault."""

import argparse
import sys
from pathlib import Path

from longtrail.errors import LongtrailError, UsageError
from longtrail.options.flags import FLAGS
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
    parser.add_argument(
        "--variant", type=int, default=None, metavar="SEED", help="check the shipped tasks in the variant of this seed"
    )

    parser.add_argument(
        "--shifts", type=int, default=None, metavar="N", help="check N newly generated shifts of each domain"
    )


def _check_shifts(number: int, seed: int) -> None:
    """Print each fault of generated shifts. Raises LongtrailError if there are any."""
    from longtrail.authoring.validity.shift_rules import generated, shift_findings
    from longtrail.tasks.shifts.plans import DOMAINS

    tasks = [task for domain in DOMAINS for task in generated(domain, number, seed)]
    faults = [finding for task in tasks for finding in shift_findings(task)]
    for finding in faults:
        print(f"{'.'.join(filter(None, (*finding.tasks, finding.field)))}: {finding.message}")
    if faults:
        raise LongtrailError(f"{len(faults)} faults in {len(tasks)} generated shifts")
    print(f"{len(tasks)} generated shifts are valid")


def run(args: argparse.Namespace) -> None:
    """Print each fault. Raises LongtrailError if there are any."""
    from longtrail.authoring.validity.check import complaints, findings, read_own
    from longtrail.tasks.loading import faults_of_form
    from longtrail.tasks.task import DecisionTask

    if args.shifts is not None:
        _check_shifts(args.shifts, args.variant or 0)
        return
    if args.variant is not None:
        if args.path != TASKS:
            raise UsageError("--variant: it changes the shipped tasks; remove the path")
        flag = next(flag for flag in FLAGS if flag.name == "--variant")
        flag.check(args.variant)
        from longtrail.variants.variant import variant

        varied = variant(args.variant)
        wanted = {name for name, task in varied.tasks.items() if not (isinstance(task, DecisionTask) and task.hard)}
        faults = 0
        for finding in findings(varied.tasks, wanted, varied):
            print(f"{'.'.join(filter(None, (','.join(finding.tasks), finding.field)))}: {finding.message}", flush=True)
            faults += 1
        if faults:
            raise LongtrailError(f"{faults} faults in variant {args.variant}")
        print(f"{len(wanted)} tasks are valid in variant {args.variant}")
        return
    if args.path.exists() and (malformed := [*faults_of_form(args.path)]):
        print(*malformed, sep="\n")
        raise _counted(len(malformed), args.path)
    own_tasks, faults = read_own(args.path), 0
    if any(isinstance(task, DecisionTask) for _, task in own_tasks.values()):
        print("Every page of the site is read, which takes about a minute.", file=sys.stderr, flush=True)
    for line in complaints(args.path, own_tasks):
        print(line)
        faults += 1
    if faults:
        raise _counted(faults, args.path)
    print(f"{len(own_tasks)} {'task is' if len(own_tasks) == 1 else 'tasks are'} valid in {args.path}")


def _counted(faults: int, path: Path) -> LongtrailError:
    return LongtrailError(f"{faults} {'fault' if faults == 1 else 'faults'} in {path}")
