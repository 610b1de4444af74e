"""Compare two finished runs, paired by task. Either may be a file that `longtrail baseline` made."""

import argparse
from pathlib import Path

from longtrail.paths import find_run, write_file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Two runs, and which contender of each."""
    for name, metavar, contender in (("before", "RUN_A", "contender-a"), ("after", "RUN_B", "contender-b")):
        parser.add_argument(name, type=Path, metavar=metavar, help="a run's folder or name, or a baseline file")
        parser.add_argument(
            f"--{contender}", default="", metavar="LABEL", help=f"which contender, if {metavar} holds several"
        )
    parser.add_argument(
        "--html", action="store_true", help="also write an HTML page: changed cases, with both episodes side by side"
    )
    parser.add_argument("--json", type=Path, default=None, metavar="FILE", help="also write the comparison as JSON")


def run(args: argparse.Namespace) -> int:
    """Print the comparison, and write it if asked. Returns 1 if files of either run are missing or were changed."""
    from longtrail.gate.comparison import compare
    from longtrail.report.comparison import comparison_text, write_comparison_page
    from longtrail.runs.baseline import read_scores

    runs = [path if path.is_file() else find_run(path) for path in (args.before, args.after)]
    before, after = map(read_scores, runs)
    comparison = compare(before, after, (args.contender_a, args.contender_b))
    print(comparison_text(comparison))
    if args.json:
        write_file(args.json, comparison.model_dump_json(indent=1) + "\n")
    if args.html:
        print(write_comparison_page(comparison, runs))
    return 1 if before.problems or after.problems else 0
