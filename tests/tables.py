"""Tables: the rows of parametrized tests, and the texts that they look at, in a YAML file beside the test."""

from pathlib import Path
from typing import Any

from longtrail.yaml_file import read_yaml


def tables_of(module: str) -> dict[str, Any]:
    """Table by name. `module`: the `__file__` of the test module, whose YAML file has the same name."""
    tables: dict[str, Any] = read_yaml(Path(module).with_suffix(".yaml"))
    return tables


def grouped(groups: dict[str, list[Any]]) -> list[list[Any]]:
    """The rows of all groups of a table, each behind the name of its group."""
    return [[name, *(row if isinstance(row, list) else [row])] for name, rows in groups.items() for row in rows]
