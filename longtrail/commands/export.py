"""Export finished runs: a table of results (CSV, Parquet), or the episodes as OpenTelemetry traces.

`longtrail export RUN --out results.csv` writes one row per case, with every measure; the extension selects the format.
`longtrail export RUN --otlp http://127.0.0.1:4318` sends the episodes to Phoenix, Langfuse, Jaeger or any OTLP server.
"""

import argparse
from pathlib import Path

from longtrail.paths import RUN_HELP, find_run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Runs, and where to export them."""
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN", help=RUN_HELP)
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the results here: FILE.csv or FILE.parquet")
    parser.add_argument("--otlp", default="", metavar="URL", help="send the episodes to this OpenTelemetry server")


def run(args: argparse.Namespace) -> int:
    """Write or send, and print what was done."""
    from longtrail.errors import UsageError
    from longtrail.exporting.result_table import rows, write_table
    from longtrail.runs.store import Run
    from longtrail.scoring.twin_pairs import with_pairs

    if not args.out and not args.otlp:
        raise UsageError("export: expected --out FILE or --otlp URL")
    runs = [Run.open(find_run(name)) for name in args.runs]
    if args.out:
        table = [row for each in runs for row in rows(each.folder.name, with_pairs(each.results()))]
        write_table(table, args.out)
        print(f"{len(table)} results in {args.out}")
    if args.otlp:
        from longtrail.exporting.spans import exporter, send

        to = exporter(args.otlp)
        print(f"{sum(send(each, to) for each in runs)} episodes sent to {args.otlp}")
    return 0
