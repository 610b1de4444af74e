"""Names of ours in a session: options and markers that are free in the project, and whether a command line has any.

Every session loads this module: it imports next to nothing.
"""

import re
from collections.abc import Collection
from typing import Any

import pytest

from longtrail.options.flags import FLAGS
from longtrail.paths import shipped

CASES = "benchmark_tests"
"""The folder of our cases; in a wheel, the package `longtrail.benchmark_tests`."""


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


def names_ours(config: pytest.Config, markers: Collection[str]) -> bool:
    """Whether the command line names an option of ours, one of these markers, or the folder of our cases."""
    option = config.option
    if any(getattr(option, flag.pytest_option) != flag.absent for flag in FLAGS):
        return True
    if not set(markers).isdisjoint(re.findall(r"[\w-]+", option.markexpr or "")):
        return True
    folder, cwd = shipped(CASES), config.invocation_params.dir
    paths = [arg.partition("::")[0] for arg in config.args]
    return any(path.startswith(f"longtrail.{CASES}") or (cwd / path).resolve().is_relative_to(folder) for path in paths)
