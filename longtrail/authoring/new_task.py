"""Writes a commented skeleton of a task file."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, TypeAdapter, ValidationError

from longtrail.errors import UsageError
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.task import DecisionTask, LongContextTask

FOLDER = Path(__file__).parent / "skeletons"
WORDS = {
    "shopping_admin": {
        "START": "https://shopadmin.test/admin/sales/order/",
        "PAGE": "order:575/history",
        "DECISION": "ESCALATE",
    },
    "reddit": {"START": "https://forum.test/", "PAGE": "forum:submission/1", "DECISION": "NO_ACTION"},
}
"""What is filled into the skeleton of a decision task, by suite."""
MODELS: Mapping[str, type[BaseModel]] = {
    "app": AppTask,
    "long_context": LongContextTask,
    "shopping_admin": DecisionTask,
    "reddit": DecisionTask,
}
SUITES = tuple(MODELS)
"""A `discovered` task has the long-context skeleton; the author changes its suite and adds `found`."""


def skeleton(suite: str, name: str) -> str:
    """The text of a task file. Raises UsageError for an invalid task id."""
    try:
        TypeAdapter(MODELS[suite].model_fields["id"].rebuild_annotation()).validate_python(name)
    except ValidationError as error:
        raise UsageError(
            f"new-task: {name!r} can't be the id of a task ({suite}): {error.errors()[0]['msg']}"
        ) from error
    text = (FOLDER / f"{'decision' if suite in WORDS else suite}.yaml").read_text(encoding="utf-8")
    for word, value in {"NAME": name, "SUITE": suite, **WORDS.get(suite, {})}.items():
        text = text.replace(word, value)
    return text


def write_skeleton(suite: str, name: str, folder: Path) -> Path:
    """Write a task file into a folder and return its path. Raises UsageError, also if it exists already."""
    return write_task_file("new-task", folder / f"{name.lower()}.yaml", skeleton(suite, name))


def write_task_file(command: str, path: Path, text: str) -> Path:
    """Write a new task file, and return its path. Raises UsageError if it exists already or can't be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise UsageError(f"{command}: {path} exists already; choose another id or --out") from error
    except OSError as error:
        raise UsageError(f"{command}: {path} can't be written: {error.strerror}") from error
    return path
