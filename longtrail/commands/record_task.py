"""Do a task in a browser yourself; your steps become a task file with a reference solution and key steps."""

import argparse
from collections.abc import Callable
from pathlib import Path

from longtrail.paths import cases_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The task's id, where it is done, and the folder for its file."""
    parser.add_argument("name", metavar="ID", help="the task's id")
    parser.add_argument("--url", default="", metavar="URL", help="the start page, on your app or an embedded site")
    parser.add_argument("--app", default="", metavar="NAME", help="an app of apps.yaml in the folder of --out")
    parser.add_argument("--suite", choices=("app", "long_context"), default="app", help="kind of task (default: app)")
    parser.add_argument("--instruction", default="", metavar="TEXT", help="the instruction for agents")
    parser.add_argument("--start", default="/", metavar="PATH", help="with --app: where to start (default: /)")
    parser.add_argument(
        "--out", type=Path, default=Path("tasks"), metavar="DIR", help="folder for the task file (default: tasks/)"
    )


def run(args: argparse.Namespace) -> None:
    """Open the window and record the actions in it until Enter is pressed in the terminal or the window is closed."""
    from longtrail.authoring.browse import has_display
    from longtrail.authoring.record_task import record_app, record_long_context
    from longtrail.checks.hosts import origin_of
    from longtrail.errors import UsageError
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
    play = f"pytest {cases_folder()} --tasks={args.out} --task {args.name}"
    print(f"{path}\nlook through it, then: longtrail validate {path}; {play}")


def _enter() -> Callable[[], bool]:
    """Returns once for each line entered in the terminal."""
    import queue
    import sys
    import threading

    lines: queue.Queue[str] = queue.Queue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line)

    threading.Thread(target=read, daemon=True).start()

    def ended() -> bool:
        try:
            lines.get_nowait()
        except queue.Empty:
            return False
        return True

    return ended
