"""Manifest: what a run was meant to be, and with what it was made."""

import hashlib
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import longtrail
from longtrail.llm.tokens import tokenizer_name
from longtrail.paths import DATA
from longtrail.records.record import Record
from longtrail.records.trajectory import Case, Contender

PACKAGES = ("litellm", "playwright", "pydantic", "pytest", "pytest-html", "pytest-xdist", "scipy", "tiktoken")


class PlannedCase(Record):
    """A case of the plan and who plays it, so that one whose files vanish is still counted."""

    case: Case
    contender: Contender


class Manifest(Record):
    """What a run was meant to be, and with what it was made."""

    form: int = 2
    name: str
    started: str
    """ISO, UTC."""
    longtrail: str
    data: str
    """sha256 over all shipped data files (12 hex digits)."""
    python: str
    system: str
    tokenizer: str = ""
    """What context lengths and observations are counted with."""
    packages: dict[str, str] = {}
    options: dict[str, Any] = {}
    """The command's options, contenders included."""
    cases: tuple[str, ...] = ()
    """Ids of the planned cases, in order."""
    planned: tuple[PlannedCase, ...] = ()
    """What these cases are."""


def new_manifest(name: str, options: Mapping[str, Any]) -> Manifest:
    """A manifest for a run that starts now."""
    return Manifest(
        name=name,
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        longtrail=longtrail.__version__,
        data=data_checksum(),
        python=platform.python_version(),
        system=f"{platform.system()} {platform.machine()}",
        tokenizer=tokenizer_name(),
        packages={package: metadata.version(package) for package in PACKAGES if _installed(package)},
        options=dict(options),
    )


@cache
def data_checksum(folder: Path = DATA) -> str:
    """12 hex digits over names and contents of all data files."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
        digest.update(f"{path.relative_to(folder).as_posix()}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _installed(package: str) -> bool:
    try:
        return bool(metadata.version(package))
    except metadata.PackageNotFoundError:
        return False
