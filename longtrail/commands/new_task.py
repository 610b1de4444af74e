"""Write a commented skeleton of a task of your own."""

import argparse
from pathlib import Path

from longtrail.paths import cases_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The task's id and suite, and the folder for its file."""
    suites = ("app", "long_context", "shopping_admin", "reddit")
    parser.add_argument("name", metavar="ID", help="the task's id")
    parser.add_argument("--suite", choices=suites, default="app", help="app (default): a task on your own web app")
    parser.add_argument(
        "--out", type=Path, default=Path("tasks"), metavar="DIR", help="folder for the task file (default: tasks/)"
    )


def run(args: argparse.Namespace) -> None:
    """Write the file and print what to do next."""
    from longtrail.authoring.new_task import write_skeleton

    path = write_skeleton(args.suite, args.name, args.out)
    play = f"pytest {cases_folder()} --tasks={args.out} --task {args.name}"
    print(f"{path}\nfill it in, then: longtrail validate {path}; {play}")
