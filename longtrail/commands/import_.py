"""Read published files of PATHWAYS or WebCanvas, or a Playwright test of yours."""

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """A subcommand for each benchmark."""
    benchmarks = parser.add_subparsers(required=True, dest="benchmark", metavar="BENCHMARK")
    text = "Compute the measures of published task and run files, as far as the files have the data."
    pathways = benchmarks.add_parser("pathways", help=text, description=text)
    pathways.add_argument("tasks", type=Path, metavar="TASKS", help="the task file")
    pathways.add_argument(
        "runs", type=Path, nargs="?", metavar="RUNS", help="runs: a .jsonl or .json file, or a folder of them"
    )
    pathways.add_argument(
        "--out",
        type=Path,
        default=None,
        metavar="DIR",
        help="write playable tasks (pytest evals --tasks=DIR)",
    )
    pathways.add_argument("--json", type=Path, default=None, metavar="FILE", help="also write everything as JSON")
    text = "Turn published trajectories into a noise pool."
    webcanvas = benchmarks.add_parser("webcanvas", help=text, description=text)
    webcanvas.add_argument("file", type=Path, metavar="FILE", help="trajectories: .json or .json.gz")
    webcanvas.add_argument("--out", type=Path, default=None, metavar="FILE", help="the pool, for --noise-pool")
    text = (
        "Carry out the lines of a Playwright test in your app, and write them as a task: actions become the reference, "
        "`expect` lines key steps."
    )
    test = benchmarks.add_parser("playwright", help=text, description=text)
    test.add_argument("test", metavar="FILE::TEST", help="the test, also one that `playwright codegen` has recorded")
    test.add_argument("--app", required=True, metavar="NAME", help="the app: a name in DIR/apps.yaml, or its address")
    test.add_argument("--out", type=Path, default=Path("tasks"), metavar="DIR", help="folder for it (default: tasks/)")


def run(args: argparse.Namespace) -> None:
    """Read one benchmark's files."""
    {"pathways": _pathways, "webcanvas": _webcanvas, "playwright": _playwright}[args.benchmark](args)


def _pathways(args: argparse.Namespace) -> None:
    from longtrail.errors import UsageError
    from longtrail.importing.pathways import as_tasks, read_tasks, write_tasks
    from longtrail.importing.pathways_measures import measure_files, summarize, summary_table, write_json

    if args.out:
        entries, left = as_tasks(read_tasks(args.tasks))
        print(f"{len(entries)} tasks in {write_tasks(entries, args.out)}")
        if left:
            print(f"{len(left)} tasks have no ground truth or no trigger, e.g. {left[0]}: left out")
    if args.runs is None:
        if not args.out:
            raise UsageError("import pathways: give RUNS to score, or --out DIR to write tasks")
        return
    runs = measure_files(args.tasks, args.runs)
    groups = summarize(runs)
    print(summary_table(groups))
    if args.json:
        write_json(runs, groups, args.json)


def _webcanvas(args: argparse.Namespace) -> None:
    from longtrail.importing.webcanvas_noise import import_noise

    print(import_noise(args.file, args.out))


def _playwright(args: argparse.Namespace) -> None:
    from longtrail.authoring.playwright_player import play_test
    from longtrail.authoring.playwright_reader import read_test
    from longtrail.authoring.record_task import write_task
    from longtrail.tasks.app_task import App

    test = read_test(args.test)
    app = App(address=args.app) if args.app.startswith(("http://", "https://")) else args.app
    name = args.test.rpartition("::")[2].rpartition("/")[2].removesuffix(".py")
    entry = play_test(name, test, app, args.out)
    path = write_task(entry, args.out)
    print(f"{path}: {len(entry['reference'])} actions, {len(entry['key_steps'])} key steps; write its instruction")
    for line in test.left_out:
        print(f"left out: {line}")
