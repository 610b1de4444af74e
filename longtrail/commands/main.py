"""The entry point of `longtrail`: finds the subcommands, reads the command line, runs one.

A subcommand is a function with `@command(NAME)` in a module of this folder, and a table of its arguments in
`arguments.toml`. It gets the parsed arguments, and returns its exit code if that may differ from 0. Its docstring is
its help; the list of commands shows the first paragraph. It imports what it needs in its body, so that
`longtrail --help` stays fast.
"""

import importlib
import pkgutil
import sys
import tomllib
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Collection, Mapping, Sequence
from inspect import cleandoc
from pathlib import Path
from typing import Any, TypeVar

from longtrail import __version__, commands
from longtrail.errors import LongtrailError, UsageError, did_you_mean
from longtrail.options.flags import ADDED, CONVERTERS
from longtrail.report.text import accept_all_characters

Run = TypeVar("Run", bound=Callable[[Namespace], int | None])
ARGUMENTS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("arguments.toml").read_text("utf-8"))
"""Name of a subcommand -> its arguments."""
COMMANDS: dict[str, Callable[[Namespace], int | None]] = {}
"""Every subcommand of the modules that were imported, by its name."""


def command(name: str) -> Callable[[Run], Run]:
    """Make a function a subcommand."""

    def add(run: Run) -> Run:
        COMMANDS[name] = run
        return run

    return add


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand and return its exit code. An error that Longtrail raises is one line and exit code 4."""
    given = (sys.argv[1:] if argv is None else list(argv)) or ["--help"]
    known = subcommands()
    accept_all_characters(sys.stdout)
    try:
        _check_name(given, known)
        args = _parser(known).parse_args(given)
        return known[args.command](args) or 0
    except LongtrailError as error:
        print(f"longtrail: {error}", file=sys.stderr)
        return 4
    except KeyboardInterrupt:
        return 130


def subcommands() -> dict[str, Callable[[Namespace], int | None]]:
    """Every subcommand by its name, in the order of their names."""
    for module in pkgutil.iter_modules(commands.__path__, f"{commands.__name__}."):
        importlib.import_module(module.name)
    return dict(sorted(COMMANDS.items()))


def _check_name(given: Sequence[str], known: Collection[str]) -> None:
    if given[0].startswith("-") or given[0] in known:
        return
    hint = did_you_mean(given[0], known) or f"known are {', '.join(known)}"
    raise UsageError(f"there is no command {given[0]!r}: {hint}")


def _parser(known: Mapping[str, object]) -> ArgumentParser:
    parser = ArgumentParser(
        prog="longtrail",
        description="Evaluate web agents. pytest starts the runs; these commands do everything else.",
        epilog="`longtrail COMMAND --help` shows the help of one command. `pytest --help` lists the options of a run.",
    )
    parser.add_argument("--version", action="version", version=f"longtrail {__version__}")
    commands_parser = parser.add_subparsers(required=True, dest="command", metavar="COMMAND")
    for name, run in known.items():
        about = cleandoc(run.__doc__ or "")
        summary = " ".join(about.partition("\n\n")[0].split())
        add_arguments(commands_parser.add_parser(name, help=summary, description=about), ARGUMENTS.get(name, {}))
    return parser


def add_arguments(parser: ArgumentParser, table: Mapping[str, Any]) -> None:
    """Add the arguments of a table, and the subcommands in it."""
    below = None
    for name, entry in table.items():
        if name == "flags":
            for flag in entry:
                parser.add_argument(flag, **ADDED[flag])
        elif "about" in entry:
            below = below or parser.add_subparsers(required=True, dest="benchmark", metavar="BENCHMARK")
            about = entry["about"]
            add_arguments(below.add_parser(name, help=about, description=about), entry["arguments"])
        else:
            settings = {key: value for key, value in entry.items() if key not in ("kind", "switch")}
            settings |= {"type": CONVERTERS[entry["kind"]]} if "kind" in entry else {}
            settings |= {"action": "store_true"} if "switch" in entry else {}
            parser.add_argument(name, **settings)
