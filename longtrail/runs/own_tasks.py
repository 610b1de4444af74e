"""Own tasks: a run stores the user's own tasks that it played (`tasks/ID.json`), so that it can be scored anywhere."""

from collections.abc import Iterable, Mapping

from pydantic import ValidationError

from longtrail.errors import DataError
from longtrail.runs.atomic_file import write_whole
from longtrail.runs.attempts import file_stem
from longtrail.runs.store import Run
from longtrail.tasks.shifts.plans import load_shift_twins, load_shifts
from longtrail.tasks.task import TASK, Task
from longtrail.tasks.twins import load_twins
from longtrail.variants import shipped_tasks

FOLDER = "tasks"


def store_tasks(run: Run, tasks: Iterable[Task]) -> None:
    """Write a run's own tasks. Raises HarnessTrouble(storage)."""
    for task in tasks:
        write_whole(run.folder / FOLDER / f"{file_stem(task.id)}.json", TASK.dump_json(task, indent=1) + b"\n")


def tasks_of(run: Run) -> Mapping[str, Task]:
    """Every task that a run may have cases of: the shipped ones, in the run's variant, and its own. Raises
    DataError."""
    seed = run.manifest.options.get("variant")
    twins = load_twins() if seed is None else {}
    shifts: Mapping[str, Task] = {**load_shifts(seed), **load_shift_twins(seed)}
    return {**shipped_tasks(seed), **twins, **shifts, **own_tasks_of(run)}


def own_tasks_of(run: Run) -> Mapping[str, Task]:
    """Those of a run's tasks that do not ship, by id. Raises DataError."""
    tasks: dict[str, Task] = {}
    for path in sorted((run.folder / FOLDER).glob("*.json")):
        try:
            task = TASK.validate_json(path.read_bytes())
        except ValidationError as error:
            raise DataError(path, "", f"is not a task of a run: {str(error).splitlines()[0]}") from error
        tasks[task.id] = task
    return tasks
