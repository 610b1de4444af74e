"""Write a CSV sheet on which people rate justifications, or read completed sheets and print how well they agree."""

import argparse
from pathlib import Path

from longtrail.errors import UsageError
from longtrail.paths import RUN_HELP, find_run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The run, and either a sheet to write or sheets to read."""
    parser.add_argument("run", type=Path, metavar="RUN", help=RUN_HELP)
    parser.add_argument("--out", type=Path, default=None, metavar="FILE", help="write a sheet of cases as CSV")
    parser.add_argument("--cases", type=int, default=50, metavar="N", help="cases on the sheet (default 50)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the sample (default 0)")
    parser.add_argument(
        "--read", type=Path, nargs="+", default=(), metavar="FILE", help="read completed sheets, one for each person"
    )


def run(args: argparse.Namespace) -> None:
    """Write the sheet, or print the agreement of the completed ones."""
    from longtrail.authoring.annotation import agreement_text, measure_agreement, read_sheet, write_sheet
    from longtrail.runs.own_tasks import tasks_of
    from longtrail.runs.store import Run

    finished = Run.open(find_run(args.run))
    if args.read:
        print(agreement_text(measure_agreement([read_sheet(path) for path in args.read], finished.results())))
        return
    if args.out is None:
        raise UsageError("annotate needs --out FILE (write a sheet) or --read FILE ... (read completed ones)")
    rows = write_sheet(finished, tasks_of(finished), args.out, args.cases, args.seed)
    print(f"{rows} cases in {args.out}")
