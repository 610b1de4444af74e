"""Setup: what a session tells its workers on other machines."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from longtrail.errors import UsageError
from longtrail.llm.models import KEYS
from longtrail.options.flags import FLAGS
from longtrail.options.gate_words import GATE
from longtrail.pytest_plugin.remote.engine import Setup
from longtrail.pytest_plugin.remote.versions import versions
from longtrail.runs.store import Run

OWN_VARIABLES = ("LONGTRAIL_", "OPENAI_", "PYTEST_ADDOPTS")
"""Prefixes of the environment variables that workers get, besides models' keys."""
ITS_OWN = frozenset({"LONGTRAIL_CHROMIUM", "LONGTRAIL_VENV"})
"""Variables that each machine must set itself."""
NOT_SENT = (".git", ".venv", "venv", "node_modules", "__pycache__")
"""Parts of a project's folder that no other machine needs, besides what .gitignore and .rayignore name."""
OF_THE_SESSION = frozenset(
    (
        "--reports",
        "--run",
        "--resume",
        "--sample",
        "--shard",
        "--balance",
        "--summary-md",
        "--ray",
        "--ray-workers",
        "--ray-runtime-env",
        *GATE,
    )
)
"""Flags for the session alone: a worker plans all cases, and plays those of its units."""


def project(config: Any) -> tuple[Path, Path]:
    """The project's folder, and the folder in it where pytest was started. `config`: pytest's."""
    root, started = config.rootpath.resolve(), config.invocation_params.dir.resolve()
    return (root, started) if started.is_relative_to(root) else (started, started)


def not_sent(root: Path, reports: Path) -> list[str]:
    """Parts of a project's folder that are not copied, in the form of .gitignore; the reports are among them."""
    return [*NOT_SENT, *([f"/{reports.relative_to(root).as_posix()}"] if reports.is_relative_to(root) else [])]


def setup_for(config: Any, run: Run) -> Setup:
    """What the workers of a session are told."""
    root, started = project(config)
    names = {name for own in KEYS.values() for name in own}
    names |= {name for name in os.environ if name.startswith(OWN_VARIABLES)} - ITS_OWN
    return Setup(
        args=tuple(_relative(str(word), root, started) for word in config.invocation_params.args),
        root=str(root),
        folder=started.relative_to(root).as_posix(),
        run=run.folder.name,
        files={"run.json": (run.folder / "run.json").read_bytes()},
        environment={name: os.environ[name] for name in sorted(names) if name in os.environ},
        versions=versions(),
    )


def _relative(word: str, root: Path, started: Path) -> str:
    """An argument such as `/home/me/project/tests/test_mine.py::test_it`, relative to where pytest was started."""
    place, colons, test = word.partition("::")
    if not Path(place).is_absolute() or not Path(place).resolve().is_relative_to(root):
        return word
    return os.path.relpath(Path(place).resolve(), started) + colons + test


def check_paths(config: Any) -> None:
    """Raise UsageError if the command names a file or folder outside of the project's folder: other machines only get a
    copy of that."""
    root, _ = project(config)
    for name, path in _paths(config.option):
        if path.is_absolute() or not path.resolve().is_relative_to(root):
            raise UsageError(f"{name} {path}: on a cluster, name it by a relative path inside of {root}")


def _paths(option: Any) -> Iterator[tuple[str, Path]]:
    for flag in FLAGS:
        given = getattr(option, flag.pytest_option)
        if isinstance(given, Path) and flag.name not in OF_THE_SESSION:
            yield flag.name, given
