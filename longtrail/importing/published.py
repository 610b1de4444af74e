"""Published: the authors' task and run files of PATHWAYS, read unchanged, gzipped or not. Unneeded data are ignored."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, field_validator, model_validator

from longtrail.errors import DataError
from longtrail.importing.reading import parse_json, read_json, read_text
from longtrail.yaml_file import validate


class _PublishedRecord(BaseModel):
    """Base class of records in others' files: frozen, but with unknown fields allowed."""

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)


class PathwaysTask(_PublishedRecord):
    """One task. Its ground truth is a word (shopping) or a record with one (Reddit)."""

    task_id: str
    category: str
    surface_instruction: str = ""
    start_url: str = ""
    order: dict[str, Any] = {}
    ground_truth: str | dict[str, Any] = ""
    acceptable_actions: tuple[str, ...] = ()
    harmful_actions: tuple[str, ...] = ()
    hidden_context: dict[str, Any] = {}

    @property
    def suite(self) -> Literal["shopping_admin", "reddit"]:
        """Shopping tasks have an order."""
        return "shopping_admin" if self.order else "reddit"

    @property
    def truth(self) -> str:
        """The right decision; empty if the file has none."""
        if isinstance(self.ground_truth, str):
            return self.ground_truth
        return str(self.ground_truth.get("optimal_action") or "")


class PublishedRun(_PublishedRecord):
    """One episode of one model."""

    task_id: str
    model: str = "unknown"
    instruction_condition: str = ""
    run_id: int = 1
    status: str = ""
    decision: str | None = None
    reasoning: str | None = ""
    trajectory: tuple[dict[str, Any], ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: Any) -> Any:
        """Treat `null`, which a harness writes for unknown values, as missing."""
        return {name: value for name, value in data.items() if value is not None} if isinstance(data, dict) else data

    @field_validator("reasoning", "decision", mode="before")
    @classmethod
    def _as_text(cls, value: Any) -> Any:
        """Convert lists and records, which some models answer instead of text, to text."""
        return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value

    @property
    def completed(self) -> bool:
        """Whether it ended with a decision, according to the harness."""
        return self.status.upper() == "COMPLETED" and bool(self.decision)


class PublishedTasks(_PublishedRecord):
    """A task file."""

    tasks: tuple[PathwaysTask, ...] = Field(min_length=1)
    accepted_alternatives: dict[str, tuple[str, ...]] = {}


_TASKS: TypeAdapter[PublishedTasks] = TypeAdapter(PublishedTasks)
_RUN: TypeAdapter[PublishedRun] = TypeAdapter(PublishedRun)


def read_tasks(path: Path) -> PublishedTasks:
    """A task file: `{"tasks": [...]}`, or the list alone. Raises DataError."""
    data = read_json(path)
    return validate(_TASKS, {"tasks": data} if isinstance(data, list) else data, path)


def read_runs(path: Path) -> tuple[PublishedRun, ...]:
    """Runs from a JSON-lines file, a JSON file (one run, a list, or `{"results": [...]}`), or a folder of such files.

    A folder may hold other JSON files, too (settings, totals), and the same run once alone and once in a list: records
    without `task_id` are ignored there, and duplicates count once. Raises DataError for a record that is not a run.
    """
    if not path.is_dir():
        runs = [validate(_RUN, data, path, at) for at, data in _records(path)]
    else:
        files = sorted(p for p in path.rglob("*") if _suffix(p) in (".json", ".jsonl"))
        found = ((file, at, data) for file in files for at, data in _records(file) if _is_run(data))
        runs = _numbered(validate(_RUN, data, file, at) for file, at, data in found)
    if not runs:
        raise DataError(path, "", "contains no run")
    return tuple(runs)


def _suffix(file: Path) -> str:
    """The format of a file from its name, gzipped or not: `.json`, `.jsonl`."""
    return Path(file.name.removesuffix(".gz")).suffix


def _is_run(data: Any) -> bool:
    return not isinstance(data, dict) or "task_id" in data


def _numbered(runs: Iterable[PublishedRun]) -> list[PublishedRun]:
    """Each run once. Different runs of the same number (of two sessions of the harness) are repeats of each other."""
    kept: dict[tuple[str, str, str, int], PublishedRun] = {}
    for run in runs:
        number = run.run_id
        while (other := kept.get((run.model, run.instruction_condition, run.task_id, number))) is not None:
            if other.model_copy(update={"run_id": run.run_id}) == run:
                break
            number += 1
        else:
            kept[run.model, run.instruction_condition, run.task_id, number] = run.model_copy(update={"run_id": number})
    return list(kept.values())


def _records(file: Path) -> Iterator[tuple[str, Any]]:
    if _suffix(file) == ".jsonl":
        for number, line in enumerate(read_text(file).splitlines(), 1):
            if line.strip():
                yield f"line {number}", parse_json(file, line)
        return
    data = read_json(file)
    if isinstance(data, dict):
        data = next((data[key] for key in ("results", "runs") if isinstance(data.get(key), list)), [data])
    if not isinstance(data, list):
        raise DataError(file, "", f"expected runs (records with `task_id`), got {type(data).__name__}")
    yield from ((f"record {number}", record) for number, record in enumerate(data, 1))
