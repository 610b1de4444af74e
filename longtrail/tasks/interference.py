"""Interference: long-context tasks asked so that a history can hold entries that are easily confused with their first
part. Such an entry, a lookalike, is another request of the same person, on the same site and of the same form, for
another purpose. What it finds leads the second part to a wrong result.

`data/interference/SUITE.yaml` has one entry for each task. Its lookalikes are played once
(`python -m workshop.noise --interference`) and kept in `data/noise/interference.jsonl`.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import Field

from longtrail.errors import UsageError
from longtrail.paths import DATA
from longtrail.records.case import LONG, Case
from longtrail.records.record import Record
from longtrail.tasks.task import LongContextTask
from longtrail.yaml_file import read

FOLDER = DATA / "interference"


class Interference(Record):
    """How a task is asked with interference, and its lookalikes."""

    purpose: str
    """A sentence before the first instruction: for what, or for whom."""
    a2: str
    """The second instruction. It says which of several entries is meant, by their purposes."""
    lookalikes: tuple[dict[str, Any], ...] = Field(min_length=1)
    """How they are played, as written (`workshop/noise/lookalikes.py`)."""

    def of(self, task: LongContextTask) -> LongContextTask:
        """The task as it is asked with interference."""
        a1 = task.a1.model_copy(update={"instruction": f"{self.purpose} {task.a1.instruction}"})
        a2 = task.a2.model_copy(update={"instruction": self.a2})
        return task.model_copy(update={"a1": a1, "a2": a2})


@cache
def load_interference() -> Mapping[str, Interference]:
    """Interference by task id. Raises DataError."""
    files = [read(dict[str, Interference], FOLDER / f"{suite}.yaml") for suite in LONG]
    return {name: entry for file in files for name, entry in file.items()}


def asked(task: LongContextTask, case: Case) -> LongContextTask:
    """The task as a case asks it. Raises UsageError if it can't be asked with interference."""
    return task if case.interference == "off" else with_interference(task)


def with_interference(task: LongContextTask) -> LongContextTask:
    """The task as it is asked with interference. Raises UsageError if it has none."""
    if (entry := load_interference().get(task.id)) is None:
        raise UsageError(f"--interference: {task.id} has no lookalikes; only the shipped long-context tasks have them")
    return entry.of(task)
