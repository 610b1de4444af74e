"""Lookalikes as errands: entries that can be confused with a task's first part (longtrail/tasks/interference.py)."""

from longtrail.tasks.interference import Lookalike, load_interference
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import LongContextTask
from workshop.noise.errand import NoiseTask, NoiseTaskStep


def lookalike_errands() -> tuple[NoiseTask, ...]:
    """All lookalikes of all tasks. Their ids are those of the tasks with a number."""
    tasks = load_tasks()
    errands = []
    for task_id, entry in load_interference().items():
        task = tasks[task_id]
        assert isinstance(task, LongContextTask)
        for number, lookalike in enumerate(entry.lookalikes):
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
