"""Interference: long-context tasks asked so that a history can hold entries that are easily confused with their first
part. Such an entry, a lookalike, is another request of the same person, on the same site and of the same form, for
another purpose. What it finds leads the second part to a wrong result.

`data/interference/SUITE.yaml` has one entry for each task. Its lookalikes are played once
(`python -m workshop.noise --interference`) and kept in `data/noise/interference.jsonl`.
"""

from collections.abc import Mapping
from functools import cache
from typing import Annotated

from pydantic import Field, TypeAdapter, model_validator

from longtrail.errors import DataError, UsageError
from longtrail.paths import DATA, TASKS
from longtrail.records.case import LONG, Case
from longtrail.records.record import Record
from longtrail.tasks.loading import read_choices, task_files
from longtrail.tasks.reference import ReferenceStep
from longtrail.tasks.task import LongContextTask
from longtrail.yaml_file import read

FOLDER = DATA / "interference"


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


class Interference(Record):
    """How a task is asked with interference, and its lookalikes."""

    purpose: str
    """A sentence before the first instruction: for what, or for whom."""
    a2: str
    """The second instruction. It says which of several entries is meant, by their purposes."""
    lookalikes: tuple[Lookalike, ...] = Field(min_length=1)

    def of(self, task: LongContextTask) -> LongContextTask:
        """The task as it is asked with interference."""
        a1 = task.a1.model_copy(update={"instruction": f"{self.purpose} {task.a1.instruction}"})
        a2 = task.a2.model_copy(update={"instruction": self.a2})
        return task.model_copy(update={"a1": a1, "a2": a2})


_FILE: TypeAdapter[dict[str, Interference]] = TypeAdapter(dict[str, Interference])


@cache
def load_interference() -> Mapping[str, Interference]:
    """Interference by task id; the moves of all lookalikes are filled in. Raises DataError."""
    loaded: dict[str, Interference] = {}
    for suite in LONG:
        path = FOLDER / f"{suite}.yaml"
        choices = {
            name: task
            for file in task_files(TASKS / suite)
            for name, task in read_choices(file)
            if isinstance(task, LongContextTask)
        }
        for task_id, entry in read(_FILE, path).items():
            filled = []
            for number, lookalike in enumerate(entry.lookalikes):
                update = {}
                if lookalike.choice is not None:
                    chosen = choices.get(f"{task_id}.choices.{lookalike.choice}")
                    if chosen is None:
                        raise DataError(path, f"{task_id}.lookalikes.{number}.choice", "the task has no such choice")
                    update = {
                        "moves": lookalike.moves or chosen.a1.reference,
                        "second": lookalike.second or chosen.a2.reference,
                    }
                filled.append(lookalike.model_copy(update=update))
            loaded[task_id] = entry.model_copy(update={"lookalikes": tuple(filled)})
    return loaded


def asked(task: LongContextTask, case: Case) -> LongContextTask:
    """The task as a case asks it. Raises UsageError if it can't be asked with interference."""
    return task if case.interference == "off" else with_interference(task)


def with_interference(task: LongContextTask) -> LongContextTask:
    """The task as it is asked with interference. Raises UsageError if it has none."""
    if (entry := load_interference().get(task.id)) is None:
        raise UsageError(f"--interference: {task.id} has no lookalikes; only the shipped long-context tasks have them")
    return entry.of(task)
