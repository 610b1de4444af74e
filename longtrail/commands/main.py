"""The entry point of `longtrail`: finds the subcommands, reads the command line, runs one.

A subcommand is a function with `@command(NAME, ARGUMENTS ...)` in a module of this folder. It gets the parsed
arguments, and returns its exit code if that may differ from 0. Its docstring is its help; the list of commands shows
the first paragraph. It imports what it needs in its body, so that `longtrail --help` stays fast.
"""

import argparse
import importlib
import pkgutil
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from pathlib import Path
from typing import Any, TypeVar

from longtrail import __version__, commands
from longtrail.errors import LongtrailError, UsageError, did_you_mean
from longtrail.paths import RUN_HELP
from longtrail.report.text import accept_all_characters

Argument = Callable[[ArgumentParser], object]
"""Adds itself to a parser."""
Run = TypeVar("Run", bound=Callable[[Namespace], int | None])


@dataclass(frozen=True)
class Command:
    """One subcommand."""

    help: str
    arguments: tuple[Argument, ...]
    run: Callable[[Namespace], int | None]

    def add_arguments(self, parser: ArgumentParser) -> None:
        for add in self.arguments:
            add(parser)


COMMANDS: dict[str, Command] = {}
"""Every subcommand of the modules that were imported, by its name."""


def argument(*names: str, **settings: Any) -> Argument:
    """An argument, in the form of `ArgumentParser.add_argument`."""
    return lambda parser: parser.add_argument(*names, **settings)


def command(name: str, *arguments: Argument) -> Callable[[Run], Run]:
    """Make a function a subcommand."""

    def add(run: Run) -> Run:
        COMMANDS[name] = Command(cleandoc(run.__doc__ or ""), arguments, run)
        return run

    return add


RUN = argument("run", type=Path, metavar="RUN", help=RUN_HELP)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand and return its exit code. An error that Longtrail raises is one line and exit code 4."""
    given = (sys.argv[1:] if argv is None else list(argv)) or ["--help"]
    known = subcommands()
    accept_all_characters(sys.stdout)
    try:
        _check_name(given, known)
        args = _parser(known).parse_args(given)
        return known[args.command].run(args) or 0
    except LongtrailError as error:
        print(f"longtrail: {error}", file=sys.stderr)
        return 4
    except KeyboardInterrupt:
        return 130


def subcommands() -> dict[str, Command]:
    """Every subcommand by its name, in the order of their names."""
    for module in pkgutil.iter_modules(commands.__path__, f"{commands.__name__}."):
        importlib.import_module(module.name)
    return dict(sorted(COMMANDS.items()))


def _check_name(given: Sequence[str], known: Mapping[str, Command]) -> None:
    if given[0].startswith("-") or given[0] in known:
        return
    hint = did_you_mean(given[0], known) or f"known are {', '.join(known)}"
    raise UsageError(f"there is no command {given[0]!r}: {hint}")


def _parser(known: Mapping[str, Command]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="longtrail",
        description="Evaluate web agents. pytest starts the runs; these commands do everything else.",
        epilog="`longtrail COMMAND --help` shows the help of one command. `pytest --help` lists the options of a run.",
    )
    parser.add_argument("--version", action="version", version=f"longtrail {__version__}")
    commands_parser = parser.add_subparsers(required=True, dest="command", metavar="COMMAND")
    for name, each in known.items():
        summary = " ".join(each.help.partition("\n\n")[0].split())
        each.add_arguments(commands_parser.add_parser(name, help=summary, description=each.help))
    return parser
