"""Setup: what a session tells its workers on other machines."""

import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import longtrail
from longtrail.browser.launcher import find_chromium
from longtrail.errors import LongtrailError, UsageError
from longtrail.llm.models import key_variables
from longtrail.llm.tokens import tokenizer_name
from longtrail.options.flags import FLAGS
from longtrail.options.gate_rules import GATE
from longtrail.pytest_plugin.remote.engine import Setup
from longtrail.runs.manifest import code_checksum, data_checksum, package_versions
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
    own = {name for name in os.environ if name.startswith(OWN_VARIABLES)} - ITS_OWN
    names = key_variables() | own
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
    path, colons, test = word.partition("::")
    if not Path(path).is_absolute() or not Path(path).resolve().is_relative_to(root):
        return word
    return os.path.relpath(Path(path).resolve(), started) + colons + test


def check_paths(config: Any) -> None:
    """Raise UsageError if the command names a file or folder outside of the project's folder: other machines only get a
    copy of that."""
    root, _ = project(config)
    for name, path in _paths(config.option):
        if path.is_absolute() or not path.resolve().is_relative_to(root):
            raise UsageError(f"{name} {path}: on a cluster, name it by a relative path inside of {root}")


def _paths(option: Any) -> Iterator[tuple[str, Path]]:
    for flag in FLAGS:
        value = getattr(option, flag.pytest_option)
        if isinstance(value, Path) and flag.name not in OF_THE_SESSION:
            yield flag.name, value


CHROMIUM = "Chromium"


def versions() -> dict[str, str]:
    """This machine's versions, without the browser's: a controller needs no browser."""
    packages = {"Longtrail": longtrail.__version__, "code": code_checksum(), "data": data_checksum()}
    return {**packages, "tokenizer": tokenizer_name(), **package_versions()}


def chromium() -> str:
    """The browser's name and version, `Chromium 150.0.1`; empty if there is none here."""
    try:
        path = find_chromium()
        output = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=120, check=False)  # noqa: S603
    except (LongtrailError, OSError, subprocess.TimeoutExpired):
        return ""
    return " ".join(output.stdout.split())


def refusal(node: str, versions_here: Mapping[str, str], versions_there: Mapping[str, str]) -> str:
    """Why a node can't play; empty if it can. `versions_here`: what it must have; `versions_there`: what it has."""
    if not versions_there.get(CHROMIUM):
        return f"node {node}: no Chromium was found there; run `longtrail install-browser` on it"
    for name, version in versions_here.items():
        if versions_there.get(name) != version:
            its = versions_there.get(name) or "missing"
            return f"node {node}: {name} is {its} there and {version} here; all must be alike"
    return ""
