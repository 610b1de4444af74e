"""Commands for authors of tasks: write, record, import and check tasks and noise."""

import json
import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from longtrail.commands.main import command
from longtrail.errors import LongtrailError, UsageError
from longtrail.paths import cases_folder, find_run, write_file


def _print_next(path: Path, first: str, args: Namespace) -> None:
    play = f"pytest {cases_folder()} --tasks={args.out} --task {args.name}"
    print(f"{path}\n{first}, then: longtrail validate {path}; {play}")


@command("new-task")
def new_task(args: Namespace) -> None:
    """Write a commented skeleton of a task of your own."""
    from longtrail.authoring.new_task import write_skeleton

    _print_next(write_skeleton(args.suite, args.name, args.out), "fill it in", args)


@command("record-task")
def record_task(args: Namespace) -> None:
    """Do a task in a browser yourself; your steps become a task file with a reference solution and key steps."""
    from longtrail.authoring.browse import has_display
    from longtrail.authoring.record_task import record_app, record_long_context
    from longtrail.checks.hosts import origin_of
    from longtrail.tasks.app_task import App
    from longtrail.tasks.task import SEARCH_PAGE

    if not has_display():
        raise UsageError(
            "record-task: this machine has no display, so no window can be opened; use `longtrail new-task` instead"
        )
    ended = _enter()
    if args.suite == "long_context":
        print("Do the first part in the window, then press Enter here. Do the second part, then press Enter again.")
        path = record_long_context(args.name, args.url or SEARCH_PAGE, args.instruction, args.out, ended)
    else:
        print("Do the task in the window. Press Enter here when it is done.")
        if bool(args.url) == bool(args.app):
            raise UsageError("record-task: give --url ADDRESS of your app, or --app NAME of apps.yaml")
        try:
            app = args.app or App(address=origin_of(args.url).base)
        except ValueError as error:
            raise UsageError(f"record-task: --url: {error}") from error
        start = args.start if args.app else args.url.removeprefix(origin_of(args.url).base) or "/"
        path = record_app(args.name, app, start, args.instruction, args.out, ended)
    _print_next(path, "look through it", args)


def _enter() -> Callable[[], bool]:
    """Returns whether another line was entered in the terminal."""
    import threading

    lines = threading.Semaphore(0)

    def read() -> None:
        for _ in sys.stdin:
            lines.release()

    threading.Thread(target=read, daemon=True).start()
    return lambda: lines.acquire(blocking=False)


@command("record-noise")
def record_noise(args: Namespace) -> None:
    """Make a noise pool from a model's own trajectories in finished runs."""
    from longtrail.authoring.noise_from_runs import noise_of_runs

    pool = noise_of_runs([find_run(run) for run in args.runs], args.out)
    print(f"{len(pool.trajectories)} trajectories, {pool.tokens} tokens in {args.out}")


@command("import")
def import_(args: Namespace) -> None:
    """Read published files of PATHWAYS or WebCanvas, or a Playwright test of yours."""
    {"pathways": _pathways, "webcanvas": _webcanvas, "playwright": _playwright}[args.benchmark](args)


def _pathways(args: Namespace) -> None:
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


def _webcanvas(args: Namespace) -> None:
    from longtrail.importing.webcanvas_noise import import_noise

    print(import_noise(args.file, args.out))


def _playwright(args: Namespace) -> None:
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


@command("validate")
def validate(args: Namespace) -> None:
    """Check task files against the rules for fair tasks. Prints `file: field: message` for each fault."""
    from longtrail.authoring.validity.check import finding_lines, read_own
    from longtrail.tasks.loading import schema_errors
    from longtrail.tasks.task import DecisionTask

    path: Path = args.path
    if path.exists() and (malformed := [*schema_errors(path)]):
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


@command("check-live")
def check_live(args: Namespace) -> int:
    """Check which long-context tasks still work on the real sites, and why others don't."""
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
