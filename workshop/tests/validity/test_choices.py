"""The other choices of the shipped long-context tasks: each is a fair task that leads elsewhere."""

from collections.abc import Iterator
from typing import Any

import pytest

from longtrail.authoring.validity.long_context_rules import (
    LONG_CONTEXT_RULES,
    RESULT_RULES,
    second_part_cannot_be_guessed,
)
from longtrail.paths import TASKS
from longtrail.tasks.loading import load_tasks, read_choices, read_entries, task_files
from longtrail.tasks.task import LongContextTask

SEQUENCES = {name: task for name, task in load_tasks().items() if isinstance(task, LongContextTask)}
FILES = [file for file in task_files(TASKS) if file.parent.name in ("long_context", "discovered")]


def each_choice() -> Iterator[tuple[str, LongContextTask]]:
    for file in FILES:
        for name, task in read_choices(file):
            assert isinstance(task, LongContextTask)
            yield name, task


def test_every_long_context_task_has_another_choice() -> None:
    with_choices = {task.id for _, task in each_choice()}
    assert with_choices == SEQUENCES.keys()


def test_each_choice_leads_elsewhere() -> None:
    for name, task in each_choice():
        shipped = SEQUENCES[task.id]
        assert (task.a1.key_steps, task.a2.key_steps) != (shipped.a1.key_steps, shipped.a2.key_steps), name
        assert (task.suite, task.number, task.host) == (shipped.suite, shipped.number, shipped.host), name


def test_each_choice_is_valid() -> None:
    rules = [*LONG_CONTEXT_RULES, *RESULT_RULES]
    faults = [f"{name}: {fault}" for name, task in each_choice() for rule in rules for fault in rule(task)]
    assert not faults, "\n".join(faults)


@pytest.mark.thorough
@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_no_second_part_of_a_choice_can_be_guessed(file: Any) -> None:
    faults = [
        f"{name}: {fault}"
        for name, task in read_choices(file)
        if isinstance(task, LongContextTask)
        for fault in second_part_cannot_be_guessed(task)
    ]
    assert not faults, "\n".join(faults)


def test_the_entries_of_the_shipped_tasks_name_their_choices_last() -> None:
    """So that a reader sees the task first."""
    for file in FILES:
        for _, written in read_entries(file):
            assert list(written)[-1] == "choices", written["id"]
