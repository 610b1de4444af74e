"""Ray runtime environment: what the user's own agents need on every node, besides the copy of the project."""

from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from longtrail.records.record import Record
from longtrail.yaml_file import read


class RuntimeEnv(Record):
    """The parts of Ray's `runtime_env` that a file may set. Longtrail itself sets `working_dir` and `excludes`."""

    pip: tuple[str, ...] = ()
    """Requirements that Ray installs on each node, beside the packages that are there."""
    uv: tuple[str, ...] = ()
    """The same, installed with uv."""
    py_modules: tuple[str, ...] = ()
    """Folders of packages, and wheels, that are sent to the nodes."""
    env_vars: dict[str, str] = {}
    """Variables of the workers' environment."""


def read_runtime_env(path: Path | None) -> dict[str, Any]:
    """The file's content in Ray's form. Raises DataError that names the field."""
    if path is None:
        return {}
    told = read(TypeAdapter(RuntimeEnv), path)
    return {name: list(value) if isinstance(value, tuple) else value for name, value in told if value}
