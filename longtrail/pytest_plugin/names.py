"""Names of ours in a session: options and markers that are free in the project, and what a command line asks for.

Every session loads this module: it imports next to nothing.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import pytest

from longtrail.options.flags import FLAGS
from longtrail.paths import CASES, cases_folder, shipped

Asked = Literal["all", "in paths", "none"]
"""Which of the collected tests that play cases a command line asks for: all of them, those directly in the files and
folders that it names, or none."""

CASE = "case"
"""The parameter of a test that carries a planned case."""


def is_free(parser: pytest.Parser, option: str) -> bool:
    """Whether no other plugin has an option of this name."""
    try:
        return option in parser.parse_known_and_unknown_args([option])[1]
    except pytest.UsageError:  # another plugin has an option of this name that expects a value
        return False


def register_markers(config: Any) -> frozenset[str]:
    """Register all markers of cases, except those that the project itself defines; returns their names."""
    from iniconfig import IniConfig

    theirs = {line.partition(":")[0].partition("(")[0].strip() for line in config.getini("markers")}
    meanings = IniConfig(str(shipped("markers.ini")))["markers"]
    free = {name: meaning for name, meaning in meanings.items() if name not in theirs}
    for name, meaning in free.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")
    return frozenset(free)


def options_given(words: Iterable[str], short: Collection[str]) -> tuple[str, ...]:
    """Our options among the words of a command line, without those of the ini file and the environment. `short`: the
    short forms that are ours."""
    known = {flag.long_name for flag in FLAGS} | set(short)
    return tuple(dict.fromkeys(name for word in _words(words) if (name := word.partition("=")[0]) in known))


def check_arguments(config: pytest.Config, given: Collection[str], short: Collection[str]) -> None:
    """Faults that are seen before workers start; each worker would report them again, seconds later."""
    from longtrail.errors import LongtrailError
    from longtrail.options.plan import check_folders
    from longtrail.tasks.loading import read_own_tasks

    try:
        check_folders(config.invocation_params.args, config.inipath, config.invocation_params.dir, short)
        folder = config.option.longtrail_tasks
        if "--tasks" in given and getattr(config.option, "tx", None) and folder.is_dir():
            read_own_tasks(folder)
    except LongtrailError as error:
        raise pytest.UsageError(str(error)) from error


def _words(words: Iterable[str]) -> Iterator[str]:
    """The words of a command line, and for `@FILE` those in the file, one a line."""
    for word in words:
        if word.startswith("@"):
            with suppress(OSError):  # pytest has already refused a file that it can't read
                yield from _words(Path(word[1:]).read_text(encoding="utf-8").splitlines())
        else:
            yield word


def is_about_cases(config: pytest.Config, asked: Asked) -> bool:
    """Whether a session asks for all cases, or an option of ours is set, wherever."""
    return asked == "all" or any(getattr(config.option, flag.pytest_option) != flag.absent for flag in FLAGS)


def asked_for(config: pytest.Config, markers: Collection[str], options: Collection[str]) -> Asked:
    """What the command line asks for. A session that asks for nothing plays no case, as its user may not know that one
    of the collected tests plays thousands. `markers`: those that are ours. `options`: ours that the command line has.

    `-m` asks by a marker of ours, unless it only excludes it. `--task` asks, and so does the folder of the shipped
    cases, also as `testpaths` of this project. A path asks for the file or folder that it names: `pytest tests` must
    not play `tests/evals`.
    """
    if not {"--task", "--longtrail-task"}.isdisjoint(options):
        return "all"
    included = re.sub(r"\bnot\s+(\([^()]*\)|[^\s()]+)", "", config.option.markexpr or "")
    if not set(markers).isdisjoint(re.findall(r"[\w-]+", included)):
        return "all"
    folder, cwd = shipped(CASES), config.invocation_params.dir
    paths = [arg.partition("::")[0] for arg in config.args]
    if any(path.startswith(f"longtrail.{CASES}") or (cwd / path).resolve().is_relative_to(folder) for path in paths):
        return "all"
    return "in paths" if config.args_source is config.ArgsSource.ARGS else "none"


def asks_for(asked: Asked, collector: pytest.Collector) -> bool:
    """Whether a command line that asks for this asks for the cases of a test file, from which `collector` is."""
    named = (collector.session.isinitpath(path) for path in (collector.path, collector.path.parent))
    return asked == "all" or (asked == "in paths" and any(named))


def how_to_ask(folders: Collection[str], options: Collection[str]) -> str:
    """One line for a session whose tests of ours were not asked for: what to add. `folders`: of these tests, relative
    to where pytest was started; empty if there are none. `options`: ours that nothing uses."""
    path = " ".join(sorted(folders)) or cases_folder()
    written = "" if folders or Path(path).is_dir() else f" (`longtrail init` writes {path}/)"
    if options:
        unused = f"{', '.join(options)}: no test of this session uses {'it' if len(options) == 1 else 'them'}"
        return f"{unused}; add the folder of the cases: pytest {path} ...{written}"
    return f"no case was asked for; name their folder to play them: pytest {path}"
