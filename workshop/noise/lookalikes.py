"""Lookalikes as errands: entries that can be confused with a task's first part (longtrail/tasks/interference.py)."""

from collections.abc import Mapping
from functools import cache
from typing import Annotated

from pydantic import Field, model_validator

from longtrail.errors import DataError
from longtrail.paths import TASKS
from longtrail.records.case import LONG
from longtrail.records.record import Record
from longtrail.tasks.interference import FOLDER, load_interference
from longtrail.tasks.loading import load_tasks, read_choices, task_files
from longtrail.tasks.reference import ReferenceStep
from longtrail.tasks.task import LongContextTask
from longtrail.yaml_file import validate
from workshop.noise.errand import NoiseTask, NoiseTaskStep


class Lookalike(Record):
    """One entry that can be confused with the first part."""

    choice: Annotated[int, Field(ge=0)] | None = None
    """The task's other choice that it asks for; gives `moves` and `second` if they are not given."""
    moves: tuple[ReferenceStep, ...] = ()
    """How it is done, in the browser."""
    second: tuple[ReferenceStep, ...] = ()
    """The second part as somebody does it who takes this entry for the first part. It must fail."""
    instruction: str
    aim: str
    """What is to be done, an infinitive without "to"."""
    note: str
    """What the agent thinks when it has found the value."""

    @model_validator(mode="after")
    def _complete(self) -> "Lookalike":
        if self.choice is None and not (self.moves and self.second):
            raise ValueError("expected a choice, or moves and second")
        return self


@cache
def load_lookalikes() -> Mapping[str, tuple[Lookalike, ...]]:
    """Id of a task -> its lookalikes, with all their moves. Raises DataError."""
    choices = {
        name: task
        for suite in LONG
        for file in task_files(TASKS / suite)
        for name, task in read_choices(file)
        if isinstance(task, LongContextTask)
    }
    return {
        task_id: tuple(
            _with_moves(written, f"{task_id}.lookalikes.{number}", task_id, choices)
            for number, written in enumerate(entry.lookalikes)
        )
        for task_id, entry in load_interference().items()
    }


def _with_moves(written: object, at: str, task_id: str, choices: Mapping[str, LongContextTask]) -> Lookalike:
    lookalike = validate(Lookalike, written, FOLDER, at)
    if lookalike.choice is None:
        return lookalike
    chosen = choices.get(f"{task_id}.choices.{lookalike.choice}")
    if chosen is None:
        raise DataError(FOLDER, f"{at}.choice", "the task has no such choice")
    moves, second = lookalike.moves or chosen.a1.reference, lookalike.second or chosen.a2.reference
    return lookalike.model_copy(update={"moves": moves, "second": second})


def lookalike_errands() -> tuple[NoiseTask, ...]:
    """All lookalikes of all tasks. Their ids are those of the tasks with a number."""
    tasks = load_tasks()
    errands = []
    for task_id, lookalikes in load_lookalikes().items():
        task = tasks[task_id]
        assert isinstance(task, LongContextTask)
        for number, lookalike in enumerate(lookalikes):
            errands.append(
                NoiseTask(
                    id=f"{task_id}_{number}",
                    host=task.host,
                    topics=task.topics,
                    instruction=lookalike.instruction,
                    aim=(lookalike.aim,),
                    moves=_moves(lookalike),
                )
            )
    return tuple(errands)


def _moves(lookalike: Lookalike) -> tuple[NoiseTaskStep, ...]:
    return tuple(
        NoiseTaskStep.model_validate({**move.model_dump(), "why": move.why or lookalike.note})
        for move in lookalike.moves
        if move.read is None  # an errand sees whole pages
    )
