"""WebCanvas' published files, read unchanged: trajectories (`out.json`) and tasks with key nodes; gzipped or not."""

from pathlib import Path
from typing import Any

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, TypeAdapter, field_validator

from longtrail.checks.webcanvas import EARLY_NAMES
from longtrail.errors import DataError
from longtrail.importing.reading import read_json
from longtrail.yaml_file import validate


class _WebCanvasRecord(BaseModel):
    """Base class of records in others' files: frozen, with unknown fields allowed; `null` is a missing field."""

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)

    @field_validator("*", mode="before")
    @classmethod
    def _no_null(cls, value: Any) -> Any:
        return "" if value is None else value


class PublishedStep(_WebCanvasRecord):
    """One step of an agent. `url` is where the action *led*; the first step's own page is not recorded."""

    thought: str = ""
    action: str = ""
    """`click[12]`, `google_search[words]`, `goto[address]`, `fill_search[12,text]`, `None`."""
    action_description: str = Field(default="", validation_alias=AliasChoices("action_description", "description"))
    reflection: str = ""
    url: str = ""
    score: str = ""
    """`2 / 3`: key nodes matched before this action was carried out."""


class PublishedTrajectory(_WebCanvasRecord):
    """One run of one task."""

    task_id: str = ""
    task: str = Field(min_length=1)
    status: str = ""
    file: str = ""
    steps: tuple[PublishedStep, ...] = Field(min_length=1)


class PublishedContent(_WebCanvasRecord):
    """The reference values of a node."""

    key: str = ""
    reference_answer: str
    url: str = ""
    netloc: str = ""
    path: str = ""


class PublishedNode(_WebCanvasRecord):
    """One key node."""

    match_function_name: str = Field(min_length=1)
    method: str = ""
    content: PublishedContent

    @property
    def match(self) -> str:
        """The function's name in today's files."""
        return EARLY_NAMES.get(self.match_function_name, self.match_function_name)


class WebCanvasTask(_WebCanvasRecord):
    """One task: its instruction, the number of steps of a person, and its key nodes."""

    index: str
    task: str = Field(min_length=1)
    reference_task_length: int = Field(ge=0)
    evaluation: tuple[PublishedNode, ...] = Field(min_length=1)


_TRAJECTORY: TypeAdapter[PublishedTrajectory] = TypeAdapter(PublishedTrajectory)
_TASK: TypeAdapter[WebCanvasTask] = TypeAdapter(WebCanvasTask)


def read_published(path: Path) -> tuple[PublishedTrajectory, ...] | tuple[WebCanvasTask, ...]:
    """Read a file of trajectories or of tasks; its first record decides. Raises DataError."""
    records = _records(path)
    first = records[0]
    if isinstance(first, dict) and "steps" in first:
        return tuple(validate(_TRAJECTORY, record, path, f"record {at}") for at, record in enumerate(records, 1))
    if isinstance(first, dict) and "evaluation" in first:
        return tuple(validate(_TASK, record, path, f"record {at}") for at, record in enumerate(records, 1))
    expected = "expected trajectories (records with `steps`) or tasks (records with `evaluation`)"
    raise DataError(path, "record 1", expected)


def read_trajectories(path: Path) -> tuple[PublishedTrajectory, ...]:
    """The same for a file that must contain trajectories. Raises DataError."""
    found = [each for each in read_published(path) if isinstance(each, PublishedTrajectory)]
    if not found:
        raise DataError(path, "record 1.steps", "expected trajectories, got tasks")
    return tuple(found)


def _records(path: Path) -> list[Any]:
    data = read_json(path)
    if not isinstance(data, list):
        raise DataError(path, "", f"expected a list of records, got {type(data).__name__}")
    if not data:
        raise DataError(path, "", "expected at least one record, got an empty list")
    return data
