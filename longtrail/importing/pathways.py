"""PATHWAYS' published files: tasks and runs, read unchanged, gzipped or not; and tasks converted for the user's own
Magento and Postmill (`--site`).

They are large and untrusted: unknown fields are ignored, `null` is a missing field, and a wrong file is a DataError.

The task files have a trigger, a ground truth and acceptable actions, but neither facts nor pages. They suffice for
scoring the decision and the paper's investigation: was a critical page opened and acted on?
"""

import gzip
import json
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import yaml
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from longtrail.checks.decisions import decision_table
from longtrail.episode.webarena_log_in import SITES
from longtrail.errors import DataError
from longtrail.paths import write_file
from longtrail.tasks.cases import slug
from longtrail.tasks.loading import APPS
from longtrail.yaml_file import read_yaml, validate

MAX_BYTES = 400_000_000
"""Maximum size of a file, and of the content of a gzipped one."""


class PublishedRecord(BaseModel):
    """A record in somebody else's file: frozen, with unknown fields allowed; `null` is a missing field."""

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: Any) -> Any:
        return {name: value for name, value in data.items() if value is not None} if isinstance(data, dict) else data


class PathwaysTask(PublishedRecord):
    """One task of PATHWAYS. Its ground truth is a word (shopping) or a record with one (Reddit)."""

    task_id: str
    category: str
    surface_instruction: str = ""
    start_url: str = ""
    order: dict[str, Any] = {}
    ground_truth: str | dict[str, Any] = ""
    acceptable_actions: tuple[str, ...] = ()
    harmful_actions: tuple[str, ...] = ()

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


class PathwaysTasks(PublishedRecord):
    """A task file of PATHWAYS."""

    tasks: tuple[PathwaysTask, ...] = Field(min_length=1)
    accepted_alternatives: dict[str, tuple[str, ...]] = {}


class PathwaysRun(PublishedRecord):
    """One episode of one model on a task of PATHWAYS."""

    task_id: str
    model: str = "unknown"
    instruction_condition: str = ""
    run_id: int = 1
    status: str = ""
    decision: str = ""
    reasoning: str = ""
    trajectory: tuple[dict[str, Any], ...] = ()

    @field_validator("reasoning", "decision", mode="before")
    @classmethod
    def _as_text(cls, value: Any) -> Any:
        """Some models answer a list or a record instead of text."""
        return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value

    @property
    def completed(self) -> bool:
        """Whether it ended with a decision, according to the harness."""
        return self.status.upper() == "COMPLETED" and bool(self.decision)


def read_tasks(path: Path) -> PathwaysTasks:
    """A task file of PATHWAYS: `{"tasks": [...]}`, or the list alone. Raises DataError."""
    data = read_json(path)
    return validate(PathwaysTasks, {"tasks": data} if isinstance(data, list) else data, path)


def read_runs(path: Path) -> tuple[PathwaysRun, ...]:
    """Runs from a JSON-lines file, a JSON file (one run, a list, or `{"results": [...]}`), or a folder of such files.

    A folder may hold other JSON files (settings, totals), too, and a run twice, alone and in a list: there, records
    without `task_id` are ignored and duplicates count once. Different runs of the same number, of two sessions, are
    repeats of each other. Raises DataError for a record that is not a run.
    """
    files = sorted(path.rglob("*.json*")) if path.is_dir() else [path]
    runs: dict[tuple[str, str, str, int], PathwaysRun] = {}
    for file in files:
        for at, record in _run_records(file):
            if path.is_dir() and isinstance(record, dict) and "task_id" not in record:
                continue
            run = validate(PathwaysRun, record, file, at)
            number = run.run_id
            while (earlier := runs.get((run.model, run.instruction_condition, run.task_id, number))) is not None:
                if earlier.model_copy(update={"run_id": run.run_id}) == run:
                    break
                number += 1
            repeat = run.model_copy(update={"run_id": number})
            runs[run.model, run.instruction_condition, run.task_id, number] = earlier or repeat
    if not runs:
        raise DataError(path, "", "contains no run")
    return tuple(runs.values())


def _run_records(file: Path) -> Iterator[tuple[str, Any]]:
    """Each record of a file, with its line or number."""
    if file.name.removesuffix(".gz").endswith(".jsonl"):
        for number, line in enumerate(_text(file).splitlines(), 1):
            if line.strip():
                yield f"line {number}", _parse(file, line)
        return
    data = read_json(file)
    if isinstance(data, dict):
        data = next((data[key] for key in ("results", "runs") if isinstance(data.get(key), list)), [data])
    if not isinstance(data, list):
        raise DataError(file, "", f"expected runs (records with `task_id`), got {type(data).__name__}")
    yield from ((f"record {number}", record) for number, record in enumerate(data, 1))


def read_json(path: Path) -> Any:
    """A JSON file, gzipped or not. Raises DataError."""
    return _parse(path, _text(path))


def _parse(path: Path, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:  # also for a number with too many digits
        raise DataError(path, "", f"is not JSON: {error}") from error


def _text(path: Path) -> str:
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise DataError(path, "", f"has more than {MAX_BYTES} bytes")
        return content.decode("utf-8")
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(path, "", f"is an incomplete gzip file: {error}") from error
    except OSError as error:
        raise DataError(path, "", f"can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DataError(path, "", f"is not UTF-8 at byte {error.start}") from error


PUBLISHED: dict[str, Any] = read_yaml(Path(__file__).with_suffix(".yaml"))
"""What the published evaluation is like, and what its files lack."""


def as_tasks(published: PathwaysTasks) -> tuple[list[dict[str, Any]], list[str]]:
    """Tasks in the form of YAML, and the ids of those that can't be played because they lack a ground truth or
    trigger."""
    entries, unusable = [], []
    for task in published.tasks:
        entry = _entry(task, published.accepted_alternatives)
        if entry is None:
            unusable.append(task.task_id)
        else:
            entries.append(entry)
    return entries, unusable


def write_tasks(entries: Sequence[dict[str, Any]], folder: Path) -> Path:
    """Write a folder of tasks with its file of apps. Raises UsageError."""
    used = {entry["app"] for entry in entries}
    apps = {
        suite: {"address": site.container, "login": site.kind, "ready": "/"}
        for suite, site in SITES.items()
        if suite in used
    }
    write_file(folder / APPS, yaml.safe_dump(apps, sort_keys=False))
    text = yaml.safe_dump(list(entries), sort_keys=False, allow_unicode=True, width=120)
    return write_file(folder / "pathways.yaml", text)


def _entry(task: PathwaysTask, alternatives: dict[str, tuple[str, ...]]) -> dict[str, Any] | None:
    table = decision_table(task.suite)
    optimal = table.resolve(task.truth)
    if optimal is None or not task.surface_instruction.strip():
        return None
    options = {**table.words, **({} if optimal in table.words else {optimal: optimal.replace("_", " ").lower()})}
    alternatives_known = (
        *task.acceptable_actions,
        *alternatives.get(task.truth, ()),
        *table.alternatives.get(optimal, ()),
    )
    harmful = {word for name in task.harmful_actions if (word := table.resolve(name)) in options}
    accepted = {word for name in alternatives_known if (word := table.resolve(name)) in options} - {optimal} - harmful
    return {
        "suite": "app",
        "id": task.task_id,
        "app": task.suite,
        "category": slug(task.category).replace("-", "_"),
        "start": _start(task),
        "instruction": task.surface_instruction.strip(),
        "decision": {
            "options": options,
            "optimal": optimal,
            "acceptable": sorted(map(str, accepted)),
            "harmful": sorted(map(str, harmful)),
        },
        "critical": list(_critical(task)),
    }


def _start(task: PathwaysTask) -> str:
    """The start page: the grid of orders, as in the published harness; in the forum, the published address."""
    return "/sales/order/" if task.suite == "shopping_admin" else urlsplit(task.start_url).path or "/"


def _critical(task: PathwaysTask) -> tuple[str, ...]:
    if task.suite == "shopping_admin":
        number = task.order.get("entity_id")
        return tuple(f"**/sales/order/{page}/order_id/{number}/**" for page in ("view", "commentsHistory"))
    return tuple(PUBLISHED["critical_paths"].get(task.category, ()))
