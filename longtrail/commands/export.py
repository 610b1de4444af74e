"""Export finished runs: a table of results, a log of Inspect AI, ATIF trajectories, or OpenTelemetry traces.

`longtrail export RUN --out results.csv` (or `.parquet`) writes one row per case, with every measure.
`longtrail export RUN --out run.eval` (or `.json`) writes a log for `inspect view`: a sample for each case.
`longtrail export RUN --atif FOLDER` writes each episode in the Agent Trajectory Interchange Format.
`longtrail export RUN --otlp http://127.0.0.1:4318` sends the episodes to Phoenix, Langfuse, Jaeger or any OTLP server.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from longtrail.paths import RUN_HELP, find_run

if TYPE_CHECKING:
    from longtrail.runs.store import Run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Runs, and where to export them."""
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN", help=RUN_HELP)
    parser.add_argument("--out", type=Path, metavar="FILE", help="FILE.csv, FILE.parquet, FILE.eval or FILE.json")
    parser.add_argument("--atif", type=Path, metavar="FOLDER", help="write each episode as an ATIF file")
    parser.add_argument("--otlp", default="", metavar="URL", help="send the episodes to this OpenTelemetry server")


def run(args: argparse.Namespace) -> int:
    """Write or send, and print what was done."""
    from longtrail.errors import UsageError
    from longtrail.runs.store import Run

    if not args.out and not args.otlp and not args.atif:
        raise UsageError("export: expected --out FILE, --atif FOLDER or --otlp URL")
    runs = [Run.open(find_run(name)) for name in args.runs]
    if args.out:
        print(_file(runs, args.out))
    if args.atif:
        from longtrail.exporting.atif import write_trajectories

        print(f"{sum(write_trajectories(run, args.atif) for run in runs)} episodes in {args.atif}")
    if args.otlp:
        from longtrail.exporting.spans import exporter, send

        to = exporter(args.otlp)
        print(f"{sum(send(run, to) for run in runs)} episodes sent to {args.otlp}")
    return 0


def _file(runs: "Sequence[Run]", path: Path) -> str:
    """Write one file of results and say what is in it."""
    from longtrail.exporting import inspect_log
    from longtrail.exporting.result_table import rows, write_table
    from longtrail.statistics.twin_pairs import with_pairs

    if path.suffix in inspect_log.ENDINGS:
        return f"written: {', '.join(map(str, inspect_log.write_logs(runs, path)))}"
    table = [row for run in runs for row in rows(run.folder.name, with_pairs(run.results()))]
    write_table(table, path)
    return f"{len(table)} results in {path}"
