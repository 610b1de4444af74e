"""Counterfactual twins: decision tasks in which few hidden records differ, so that another decision is right.

`data/twins/SUITE/FILE.yaml` changes tasks of `data/tasks/SUITE/FILE.yaml`. Request, start page and everything that a
twin does not name stay as they are. Each entry has

    of        the id of the task that it changes; the twin's id is that id and `-twin`
    replace   old text -> new text, in all texts of the task but those that the agent is given
    without   ids of facts of the task that are not true in the twin
    ending    the moves of the reference after its last reading move: they carry the decision out
    all else  fields of a task: mappings are merged, lists of records with an `id` are merged by it, anything else is
              replaced; `null` takes a field away. Applied after `replace`. `appeal` stands alone: the task's appeals
              push to, or away from, a decision that is not the right one any more, so a twin does not have them.

A twin is played in a world in which its records stand in place of its task's.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from longtrail.errors import DataError
from longtrail.paths import DATA, TASKS
from longtrail.tasks.loading import read_entries, task_files
from longtrail.tasks.task import TASK, DecisionTask, Task
from longtrail.yaml_file import read_yaml, validate

TWINS = DATA / "twins"
GIVEN = frozenset({"id", "suite", "category", "trigger", "prompts", "start"})
"""Fields that twins share with their tasks: what the agent is given, and what it is sorted by."""


@cache
def load_twins() -> Mapping[str, DecisionTask]:
    """All counterfactual twins by id. Raises DataError."""
    twins: dict[str, DecisionTask] = {}
    for path in task_files(TWINS):
        for name, entry in twin_entries(path).items():
            task = validate(TASK, entry, path, name)
            assert isinstance(task, DecisionTask)
            twins[name] = task
    return dict(sorted(twins.items(), key=lambda item: (item[1].suite, item[0])))


def twin_entries(path: Path) -> dict[str, dict[str, Any]]:
    """The twins of a file as entries of tasks, by id. Raises DataError."""
    entries = dict(read_entries(TASKS / path.relative_to(TWINS)))
    twins = {}
    for change in read_yaml(path):
        if change["of"] not in entries:
            raise DataError(path, str(change["of"]), "no task of this file has this id")
        twin = twin_of(entries[change["of"]], change, path)
        twins[twin["id"]] = twin
    return twins


def twin_of(entry: Mapping[str, Any], change: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """A task's entry with a twin's changes. Raises DataError if a text to replace does not occur."""
    shared = {name: entry[name] for name in GIVEN & entry.keys()}
    rest: Any = {name: value for name, value in entry.items() if name not in GIVEN}
    for old, new in change.get("replace", {}).items():
        changed = _replaced(rest, old, new)
        if changed == rest:
            raise DataError(path, f"{change['of']}.replace", f"no text of the task has {old!r}")
        rest = changed
    rest.pop("appeal", None)
    for name in change.get("without", ()):
        rest["facts"] = [fact for fact in rest["facts"] if fact["id"] != name]
        del rest["policy"]["found"][name]
    fields = {name: value for name, value in change.items() if name not in ("of", "replace", "without", "ending")}
    merged = {**_merged(rest, fields), **shared}
    if "ending" in change:
        moves = merged["reference"]["path"]
        last = max(number for number, move in enumerate(moves) if "read" in move)
        merged["reference"] = {**merged["reference"], "path": [*moves[: last + 1], *change["ending"]]}
    return {**merged, "id": f"{change['of']}-twin", "twin": change["of"], "counterfactual": True}


def in_world(tasks: Iterable[Task], *, twins: bool) -> list[Task]:
    """The tasks whose stories one world has: with `twins`, those in place of the tasks that they change."""
    given = list(tasks)
    changed = {task.twin: task for task in given if twins and isinstance(task, DecisionTask) and task.counterfactual}
    plain = (task for task in given if not (isinstance(task, DecisionTask) and task.counterfactual))
    return [changed.get(task.id, task) for task in plain]


def _replaced(part: Any, old: str, new: str) -> Any:
    if isinstance(part, str):
        return part.replace(old, new)
    if isinstance(part, list):
        return [_replaced(each, old, new) for each in part]
    return {key: _replaced(value, old, new) for key, value in part.items()} if isinstance(part, dict) else part


def _merged(old: Any, new: Any) -> Any:
    if isinstance(old, dict) and isinstance(new, dict):
        together = {**old, **{key: _merged(old.get(key), value) for key, value in new.items()}}
        return {key: value for key, value in together.items() if value is not None}
    if isinstance(old, list) and isinstance(new, list) and new and all(map(_has_id, [*old, *new])):
        known = {record["id"]: record for record in old}
        changes = {record["id"]: record for record in new}
        return [_merged(known.get(name, {}), changes.get(name, {})) for name in {**known, **changes}]
    return new


def _has_id(record: Any) -> bool:
    return isinstance(record, dict) and isinstance(record.get("id"), str | int)
