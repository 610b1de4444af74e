"""Command: a subcommand of `longtrail` is a function with `@command(NAME, ARGUMENTS ...)` in a module of this folder.

It gets the parsed arguments, and returns its exit code if that may differ from 0. Its docstring is its help; the list
of commands shows the first paragraph. It imports what it needs in its body, so that `longtrail --help` stays fast.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass
from inspect import cleandoc
from pathlib import Path
from typing import Any, TypeVar

from longtrail.paths import RUN_HELP

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
