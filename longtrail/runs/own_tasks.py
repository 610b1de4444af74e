"""Own tasks: a run keeps those of its tasks that do not ship (`tasks.json`), so that it can be scored anywhere."""

from collections.abc import Iterable, Mapping

from pydantic import TypeAdapter, ValidationError

from longtrail.errors import DataError
from longtrail.runs.atomic_file import write_whole
from longtrail.runs.store import Run
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import Task

NAME = "tasks.json"
_TASKS: TypeAdapter[tuple[Task, ...]] = TypeAdapter(tuple[Task, ...])


def keep_tasks(run: Run, tasks: Iterable[Task]) -> None:
    """Write down a run's own tasks; no file where it has none. Raises HarnessTrouble(storage)."""
    kept = tuple(tasks)
    if kept:
        write_whole(run.folder / NAME, _TASKS.dump_json(kept, indent=1) + b"\n")


def tasks_of(run: Run) -> Mapping[str, Task]:
    """Every task that a run may hold cases of: the shipped ones and its own. Raises DataError."""
    path = run.folder / NAME
    if not path.is_file():
        return load_tasks()
    try:
        return {**load_tasks(), **{task.id: task for task in _TASKS.validate_json(path.read_bytes())}}
    except ValidationError as error:
        raise DataError(path, "", f"does not hold a run's own tasks: {str(error).splitlines()[0]}") from error
