"""Check which long-context tasks still work on the real sites, and why others don't."""

import argparse
import json
from pathlib import Path

from longtrail.paths import write_file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which tasks, how thoroughly, and with which safeguards."""
    from longtrail.options.flag_values import ADDED

    parser.add_argument("tasks", nargs="*", metavar="TASK", help="ids, with wildcards (default: all)")
    parser.add_argument(
        "--file", type=Path, default=None, metavar="FILE", help="check your own tasks instead of the shipped ones"
    )
    parser.add_argument("--pages", action="store_true", help="only open the key pages; don't play the references")
    parser.add_argument("--strict", action="store_true", help="exit with 1 unless every task is ok")
    parser.add_argument("--json", type=Path, default=None, metavar="FILE", help="also write the table as JSON")
    for name in ("--live-host", "--live-commits"):
        parser.add_argument(name, **ADDED[name])


def run(args: argparse.Namespace) -> int:
    """Check each task and print its row. Returns 1 if `--strict` is given and a task is not ok."""
    from longtrail.authoring.live_check import check, chosen, show
    from longtrail.options.value_forms import pairs
    from longtrail.tasks.loading import load_tasks, read_tasks
    from longtrail.web.live.live_web import LiveWeb

    web = LiveWeb(pairs("--live-host", args.live_host), hold=args.live_commits == "hold")
    tasks = chosen(read_tasks(args.file) if args.file else load_tasks().values(), args.tasks)
    rows = show(check(tasks, web, replay=not args.pages), [task.id for task in tasks], print)
    if args.json:
        write_file(args.json, json.dumps([row.model_dump(mode="json") for row in rows], indent=1) + "\n")
    return int(args.strict and any(row.verdict != "ok" for row in rows))
