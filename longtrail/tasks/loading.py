"""Tasks from YAML, and checksums of what was loaded."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from longtrail.errors import DataError
from longtrail.paths import TASKS
from longtrail.tasks.task import TASK, Task
from longtrail.yaml_file import read, read_yaml, validate

__all__ = ["checksum", "load_tasks", "read", "read_tasks", "read_yaml", "validate"]


def read_tasks(path: Path) -> Iterator[Task]:
    """The tasks of one file: a list of entries, or one entry."""
    data = read_yaml(path)
    for index, entry in enumerate(data if isinstance(data, list) else [data]):
        name = entry.get("id", index) if isinstance(entry, dict) else index
        yield validate(TASK, entry, path, str(name))


def load_tasks(folder: Path = TASKS) -> dict[str, Task]:
    """All tasks below a folder by id, in a fixed order (suite, id). Raises DataError, on a duplicate id too."""
    tasks: dict[str, Task] = {}
    for path in sorted(folder.rglob("*.yaml")):
        for task in read_tasks(path):
            if task.id in tasks:
                raise DataError(path, task.id, "this id is taken by another task")
            tasks[task.id] = task
    return dict(sorted(tasks.items(), key=lambda item: (item[1].suite, item[0])))


def checksum(value: Any) -> str:
    """12 hex digits over any JSON-like value or model, stable across processes."""
    data = value.model_dump(mode="json") if hasattr(value, "model_dump") else value
    return hashlib.sha256(json.dumps(data, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:12]
