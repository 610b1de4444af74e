"""Write the scores of finished runs into a small file, for `pytest --baseline FILE`; several runs count as repeats."""

import argparse
from pathlib import Path

from longtrail.paths import REPORTS, RUN_HELP, find_run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The runs, and where to write the file."""
    parser.add_argument(
        "runs",
        type=Path,
        nargs="+",
        metavar="RUN",
        help=f"{RUN_HELP}; several, such as those of the last commits, are pooled",
    )
    parser.add_argument(
        "--out", type=Path, default=None, metavar="FILE", help="default: reports/baselines/RUN.json, after the newest"
    )


def run(args: argparse.Namespace) -> int:
    """Write the file and print its path. Returns 1 if files of the run are missing or were changed."""
    from longtrail.errors import UsageError
    from longtrail.gate.compatibility import of_runs
    from longtrail.report.text import plain
    from longtrail.runs.baseline import pooled, scores_of, write_baseline
    from longtrail.runs.store import Run

    runs = [Run.open(find_run(name)) for name in dict.fromkeys(args.runs)]
    each = sorted(map(scores_of, runs), key=lambda scores: (scores.manifest.started, scores.name))
    for older in each[:-1]:
        if differences := of_runs(older.manifest, each[-1].manifest):
            difference = differences[0].replace("the baseline", older.name).replace("this run", each[-1].name)
            raise UsageError(f"{older.name} and {each[-1].name} can't be pooled: {difference}")
    scores = pooled(each)
    path = write_baseline(scores, args.out or REPORTS / "baselines" / f"{scores.name}.json")
    print(f"{len(scores.cases)} cases in {path}, of {', '.join(map(str, scores.sources))}")
    for problem in scores.problems:
        print(plain(problem))
    return 1 if scores.problems else 0
