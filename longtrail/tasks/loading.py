"""Tasks from YAML, and checksums of what was loaded."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from longtrail.errors import DataError
from longtrail.paths import DATA, TASKS
from longtrail.records.case import SHIFTS
from longtrail.tasks.app_task import App
from longtrail.tasks.choices import FIELD, other_choices, shipped_choice
from longtrail.tasks.task import TASK, DecisionTask, Task
from longtrail.yaml_file import faults, read, read_yaml, validate

APPS = "apps.yaml"
"""The file in a folder of tasks that names apps: name -> `App`."""


def read_tasks(path: Path) -> Iterator[Task]:
    """The tasks of one file: a list of entries, or one entry; shifts are refused. Shipped files are read once."""
    yield from _shipped(path) if path.is_relative_to(TASKS) else _read_tasks(path)


@cache
def _shipped(path: Path) -> tuple[Task, ...]:
    return tuple(_read_tasks(path))


def _read_tasks(path: Path) -> Iterator[Task]:
    for name, written in read_entries(path):
        task = validate(TASK, _entry(path, name, written), path, name)
        if task.suite in SHIFTS:
            new = "--variant SEED composes new ones"
            raise DataError(path, f"{name}.suite", f"{task.suite}: shifts can't be your own tasks; {new}")
        yield task


def _entry(path: Path, name: str, written: Any) -> Any:
    """An entry without its other choices, and with the app that it names. Raises DataError."""
    entry = shipped_choice(written)
    if isinstance(entry, dict) and isinstance(entry.get("app"), str):
        return {**entry, "app": _app(path, f"{name}.app", entry["app"])}
    return entry


def schema_errors(path: Path) -> Iterator[DataError]:
    """Every field of a file's tasks, or of all below a folder, that is not as a task needs it."""
    for file in task_files(path) if path.is_dir() else [path]:
        try:
            for name, written in read_entries(file):
                yield from faults(TASK, _entry(file, name, written), file, name)
        except DataError as error:
            yield error


def read_choices(path: Path) -> Iterator[tuple[str, Task]]:
    """The other choices of a file's tasks, each as a task, with its name (`ID.choices.0`). Raises DataError."""
    for task_id, entry in read_entries(path):
        for number, chosen in enumerate(other_choices(entry, path)):
            name = f"{task_id}.{FIELD}.{number}"
            yield name, validate(TASK, chosen, path, name)


def read_entries(path: Path) -> Iterator[tuple[str, Any]]:
    """The entries of a task file as they are written, each with its id (or its place in the file)."""
    data = read_yaml(path)
    for index, entry in enumerate(data if isinstance(data, list) else [data]):
        yield str(entry.get("id", index) if isinstance(entry, dict) else index), entry


def apps_of(folder: Path) -> dict[str, App]:
    """The apps of a folder's file of apps, by name; none where there is no such file. Raises DataError."""
    file = folder / APPS
    known = read(dict[str, App], file) if file.is_file() else {}
    return {name: app.model_copy(update={"name": app.name or name}) for name, app in known.items()}


def named_app(folder: Path, name: str) -> App:
    """An app of a folder's file of apps. Raises DataError."""
    return _app(folder / APPS, "app", name)


def _app(path: Path, field: str, name: str) -> App:
    """The app that a task names, from the `apps.yaml` next to its file. Raises DataError."""
    file, known = path.parent / APPS, apps_of(path.parent)
    if not file.is_file():
        raise DataError(path, field, f"expected an app, or the name of one in {file}, but there is no such file")
    if name not in known:
        raise DataError(path, field, f"{file} has no app {name!r}; it has {', '.join(known)}")
    return known[name]


def task_files(folder: Path) -> list[Path]:
    """The task files below a folder."""
    return sorted(path for path in folder.rglob("*.yaml") if path.name != APPS)


def load_tasks(folder: Path = TASKS) -> dict[str, Task]:
    """All tasks below a folder by id, in a fixed order (suite, id). Raises DataError, on a duplicate id too."""
    tasks: dict[str, Task] = {}
    for path in task_files(folder):
        for task in read_tasks(path):
            if task.id in tasks:
                raise DataError(path, task.id, "another task has this id")
            tasks[task.id] = task
    return in_order(tasks)


def in_order(tasks: Mapping[str, Task]) -> dict[str, Task]:
    """Tasks in the order of every plan: by suite, then by id."""
    return dict(sorted(tasks.items(), key=lambda item: (item[1].suite, item[0])))


def read_own_tasks(folder: Path | None) -> dict[str, Task]:
    """The tasks of a user's own folder by id. Raises DataError if it is not a folder, has no tasks, or an id is
    already used."""
    if folder is None:
        return {}
    if not folder.is_dir():
        raise DataError(folder, "", "there is no such folder")
    own = load_tasks(folder)
    if not own:
        raise DataError(folder, "", "expected task files (*.yaml), found none")
    if taken := sorted(own.keys() & load_tasks().keys()):
        raise DataError(folder, taken[0], "a shipped task has this id")
    return own


def stories_checksum(tasks: Iterable[Task]) -> str:
    """A checksum (12 hex digits) of what the user's own tasks add to the embedded worlds; empty if they add nothing."""
    stories = {task.id: task.story for task in tasks if isinstance(task, DecisionTask)}
    return checksum(stories) if stories else ""


def tasks_checksum(folder: Path, globs: Sequence[str] = ()) -> str:
    """A checksum (12 hex digits) of the tasks below a folder whose id matches any of the globs (ignoring case); of all
    without globs. Raises DataError."""
    chosen = {name: task for name, task in load_tasks(folder).items() if not globs or matches(name, globs)}
    return checksum({name: checksum(task) for name, task in chosen.items()})


def matches(name: str, globs: Sequence[str]) -> bool:
    """Whether a task's id matches any of the globs, ignoring case."""
    return any(fnmatchcase(name.lower(), glob.lower()) for glob in globs)


def checksum(value: Any) -> str:
    """A checksum (12 hex digits) of any JSON-like value or model, stable across processes."""
    data = value.model_dump(mode="json") if hasattr(value, "model_dump") else value
    return hashlib.sha256(json.dumps(data, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:12]


@cache
def crossed_selection() -> frozenset[str]:
    """Ids of the 40 decision tasks, 20 of each PATHWAYS suite, that get long histories by default. Raises DataError."""
    by_suite = read(dict[str, tuple[str, ...]], DATA / "crossed.yaml")
    return frozenset(task for tasks in by_suite.values() for task in tasks)
