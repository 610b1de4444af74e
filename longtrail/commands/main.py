"""The entry point of `longtrail`: finds the subcommands, reads the command line, runs one.

A subcommand is a module in this folder. Its name is the module's (`check_live.py` is `check-live`), its help is the
module's docstring, and its first paragraph is shown in the list. It defines two functions:

    add_arguments(parser)       declares its arguments
    run(args) -> int | None     runs it; returns its exit code if that may differ from 0

Both import what they need in their bodies, so that `longtrail --help` stays fast.
"""

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Sequence
from types import ModuleType

from longtrail import __version__, commands
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


def subcommands() -> dict[str, ModuleType]:
    """Every subcommand by its name, in the order of their names."""
    names = (module.name for module in pkgutil.iter_modules(commands.__path__) if module.name != "main")
    # `import` is a keyword, so that module is `import_.py`
    return {
        name.rstrip("_").replace("_", "-"): importlib.import_module(f"{commands.__name__}.{name}") for name in names
    }


def _check_name(given: Sequence[str], known: dict[str, ModuleType]) -> None:
    if given[0].startswith("-") or given[0] in known:
        return
    hint = did_you_mean(given[0], known) or f"known are {', '.join(known)}"
    raise UsageError(f"there is no command {given[0]!r}: {hint}")


def _parser(known: dict[str, ModuleType]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="longtrail",
        description="Evaluate web agents. pytest starts the runs; these commands do everything else.",
        epilog="`longtrail COMMAND --help` shows the help of one command. `pytest --help` lists the options of a run.",
    )
    parser.add_argument("--version", action="version", version=f"longtrail {__version__}")
    commands_parser = parser.add_subparsers(required=True, dest="command", metavar="COMMAND")
    for name, module in known.items():
        text = (module.__doc__ or "").strip()
        summary = " ".join(text.partition("\n\n")[0].split())
        module.add_arguments(commands_parser.add_parser(name, help=summary, description=text))
    return parser
