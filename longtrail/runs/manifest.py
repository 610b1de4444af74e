"""A run's manifest, `run.json`: plan, options and versions. Each process reads it once: it may have megabytes."""

import hashlib
import platform
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import cache, lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any

import longtrail
from longtrail.agents.spec import source_file
from longtrail.errors import DataError
from longtrail.llm.tokens import tokenizer_name
from longtrail.options.flag_values import fields, initial
from longtrail.options.value_forms import without_addresses
from longtrail.paths import DATA, PACKAGE
from longtrail.records.record import Record
from longtrail.records.split import split_of
from longtrail.records.trajectory import Case, Contender
from longtrail.runs.atomic_file import write_whole

PACKAGES = ("litellm", "playwright", "pydantic", "pytest", "pytest-html", "pytest-xdist", "scipy", "tiktoken")
NAME = "run.json"
KEPT = 4
"""Number of manifests that are kept: pages about many runs read each only once."""


class PlanEntry(Record):
    """A case of the plan and its contender; with it, a case still counts if its files are lost."""

    case: Case
    contender: Contender


class Manifest(Record):
    """A run's plan, options and versions."""

    form: int = 2
    name: str
    started: str
    """ISO, UTC."""
    longtrail: str
    data: str
    """sha256 over all shipped data files, and over what own tasks add to the worlds (12 hex digits)."""
    code: str = ""
    """The same for the package's modules, scripts and templates."""
    python: str
    system: str
    tokenizer: str = ""
    """The tokenizer that counts context lengths and observations."""
    packages: dict[str, str] = {}
    options: dict[str, Any] = {}
    """The command's options, contenders included."""
    cases: tuple[str, ...] = ()
    """Ids of the planned cases, in order."""
    planned: tuple[PlanEntry, ...] = ()
    """The description of these cases."""
    whole: tuple[str, ...] = ()
    """For a shard: ids of the cases of all shards together, in order."""
    overridden: tuple[str, ...] = ()
    """Fixtures of ours that the project overrides: they change what is played or what the agent gets."""
    parts: dict[str, str] = {}
    """For a merged run: name of each shard's run, and the chain of its sums (`runs/sums.py`)."""
    left_out: tuple[str, ...] = ()
    """For a merged run: other runs of the same shards, which lay beside them: somebody could have chosen the best."""
    commit: str = ""
    """The git commit of the folder in which the run was started, with `+` if files of it had changed; empty without."""
    agents: dict[str, str] = {}
    """For each agent of the user's own: its file and the commit of that, as above."""


def package_versions() -> dict[str, str]:
    """The versions of the packages that can change results."""
    return {package: metadata.version(package) for package in PACKAGES if _installed(package)}


def new_manifest(name: str, options: Mapping[str, Any], stories: str = "") -> Manifest:
    """A manifest for a run that starts now. `stories`: checksum of what the user's own tasks add to the worlds."""
    return Manifest(
        name=name,
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        longtrail=longtrail.__version__,
        data=data_with(stories),
        code=code_checksum(),
        python=platform.python_version(),
        system=f"{platform.system()} {platform.machine()}",
        tokenizer=tokenizer_name(),
        packages=package_versions(),
        options=dict(options),
        commit=commit_of(Path.cwd()),
        agents={
            str(contender["agent"]): source
            for contender in options.get("contenders", ())
            if (source := source_of(contender["agent"]))
        },
    )


def source_of(agent: str) -> str:
    """The file that an agent of the user's own is from, and its commit; empty for others."""
    file = source_file(agent)
    if file is None or file.is_relative_to(PACKAGE):
        return ""
    commit = commit_of(file.parent, file.name)
    shown = file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file
    return f"{shown}, commit {commit}" if commit else f"{shown}, in no git repository"


def commit_of(folder: Path, file: str = "") -> str:
    """The first 12 digits of a folder's git commit, with `+` if tracked files have changed, or this file of it; empty
    without git."""
    if (git := shutil.which("git")) is None:
        return ""

    def output(*words: str) -> str:
        done = subprocess.run([git, *words], cwd=folder, capture_output=True, text=True, timeout=60, check=True)  # noqa: S603 (fixed words)
        return done.stdout

    try:
        commit, changes = output("rev-parse", "HEAD"), output("status", "--porcelain", "--untracked-files=no")
        changes += output("status", "--porcelain", "--", file) if file else ""
    except (OSError, subprocess.SubprocessError):
        return ""
    return f"{commit[:12]}{'+' if changes.strip() else ''}"


def differences(before: Manifest, after: Manifest, *but: str) -> Iterator[tuple[str, Any, Any]]:
    """(field, its value there, its value here) of each version and option that differs. Options that don't affect
    measures are left out, and those named by `but`; so are addresses of models' servers, sites and apps."""
    for field in ("longtrail", "data"):
        if getattr(before, field) != getattr(after, field):
            yield field, getattr(before, field), getattr(after, field)
    for name in sorted((set(before.options) | set(after.options)) - {*fields("free"), *but}):
        old_value, new_value = (without_addresses(name, manifest.options.get(name)) for manifest in (before, after))
        if old_value != new_value:
            yield name, old_value, new_value


def software_differences(before: Manifest, after: Manifest) -> Iterator[tuple[str, Any, Any]]:
    """(field, its value there, its value here) of the code, the tokenizer and each package that differ. They may differ
    within one version of Longtrail, and can change results."""
    triples = [(field, getattr(before, field), getattr(after, field)) for field in ("code", "tokenizer")]
    packages = sorted({*before.packages, *after.packages})
    triples += [
        (f"package {package}", before.packages.get(package), after.packages.get(package)) for package in packages
    ]
    return (triple for triple in triples if triple[1] != triple[2])


def versions(manifest: Manifest, stories: str = "") -> str:
    """The versions that made a run, and this installation's, as text. `stories`: checksum of what the run's own tasks
    add to the worlds."""
    made = {"Longtrail": manifest.longtrail, "code": manifest.code or "?", "data": manifest.data}
    here = {"Longtrail": longtrail.__version__, "code": code_checksum(), "data": data_with(stories)}
    parts = ", ".join(
        f"{name} {made[name]}" + ("" if made[name] == here[name] else f" (here {here[name]})") for name in made
    )
    return f"made with {parts}"


def data_with(stories: str = "") -> str:
    """12 hex digits over all data files, and over what own tasks add to the worlds (`stories`, their checksum)."""
    return hashlib.sha256(f"{data_checksum()} {stories}".encode()).hexdigest()[:12] if stories else data_checksum()


@cache
def data_checksum(folder: Path = DATA) -> str:
    """12 hex digits over names and contents of all data files."""
    return _checksum(folder, folder.rglob("*"))


@cache
def code_checksum() -> str:
    """12 hex digits over names and contents of everything else in the package."""
    return _checksum(PACKAGE, (path for path in PACKAGE.rglob("*") if DATA not in path.parents))


def _checksum(folder: Path, paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(path for path in paths if path.is_file() and "__pycache__" not in path.parts):
        digest.update(f"{path.relative_to(folder).as_posix()}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _installed(package: str) -> bool:
    try:
        return bool(metadata.version(package))
    except metadata.PackageNotFoundError:
        return False


def read_manifest(folder: Path) -> Manifest:
    """The manifest in a run's folder. It is read again if the file has been replaced or changed. Raises DataError."""
    path = folder / NAME
    try:
        now = path.stat()
        return _parsed(path, now.st_mtime_ns, now.st_size, now.st_ino)
    except (OSError, ValueError) as error:
        raise DataError(path, "", f"is not the manifest of a run: {str(error).splitlines()[0]}") from error


@lru_cache(KEPT)
def _parsed(path: Path, *_state: int) -> Manifest:
    """The manifest in a file of this state: of runs with thousands of cases it has megabytes."""
    return Manifest.model_validate_json(path.read_bytes())


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write it. Raises HarnessTrouble(storage)."""
    write_whole(folder / NAME, manifest.model_dump_json(indent=2).encode() + b"\n")


def settings(manifest: Manifest) -> tuple[str, ...]:
    """The run's flags that change what is measured and differ from their defaults, such as `--observation text`."""
    flags: list[str] = []
    for name, flag in fields("measured").items():
        value = manifest.options.get(name, unsaid(name))
        if name == "model_args":
            flags += [f"{flag} {key}={item}" for key, item in _pairs(without_addresses(name, value))]
        elif name == "live_hosts":
            flags += [f"{flag} {key}" for key, _ in _pairs(value)]
        elif name == "variant" and split_of(value) == "train":
            flags.append(f"{flag} {value} (for training)")
        elif name != "web" and value != unsaid(name):
            flags.append(flag if value is True else f"{flag} {value}")
    return tuple(flags)


def unsaid(name: str) -> Any:
    """The value of an option for runs made before it existed."""
    return {} if name in ("live_hosts", "model_args") else initial(name)


def _pairs(value: Any) -> list[tuple[str, Any]]:
    return sorted(value.items()) if isinstance(value, Mapping) else []


def add_overridden(folder: Path, fixtures: Iterable[str]) -> None:
    """Record the fixtures that the project overrides in a run's manifest, besides those of earlier sessions."""
    manifest, names = read_manifest(folder), set(fixtures)
    if not names <= set(manifest.overridden):
        update = {"overridden": tuple(sorted({*manifest.overridden, *names}))}
        write_manifest(folder, manifest.model_copy(update=update))
