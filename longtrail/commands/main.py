"""The entry point of `longtrail`: finds the subcommands, reads the command line, runs one."""

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Mapping, Sequence

from longtrail import __version__, commands
from longtrail.commands.command import COMMANDS, Command
from longtrail.errors import LongtrailError, UsageError, did_you_mean
from longtrail.report.text import accept_all_characters


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
