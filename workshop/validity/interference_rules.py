"""Rules on interference: the instructions stay fair, and no lookalike leads to the right result.

That a lookalike's second part fails is also played in the browser (workshop/tests/noise/test_lookalikes.py)."""

from collections.abc import Iterator, Sequence

from longtrail.authoring.validity import ValidityFinding
from longtrail.authoring.validity.long_context_rules import LONG_CONTEXT_RULES, second_part_cannot_be_guessed
from longtrail.tasks.interference import load_interference
from longtrail.tasks.reference import ReferenceStep
from longtrail.tasks.task import LongContextTask
from workshop.noise.lookalikes import Lookalike, load_lookalikes


def interference_is_fair(task: LongContextTask) -> Iterator[ValidityFinding]:
    """The task as it is asked with interference keeps the rules, and each lookalike leads to something else."""
    entry = load_interference().get(task.id)
    if entry is None:
        return
    for rule in (*LONG_CONTEXT_RULES, second_part_cannot_be_guessed):
        for finding in rule(entry.of(task)):
            yield ValidityFinding(f"interference: {finding.field}", finding.message, finding.tasks)
    for number, lookalike in enumerate(load_lookalikes()[task.id]):
        for fault in lookalike_faults(task, lookalike):
            yield ValidityFinding(f"interference: lookalikes.{number}", fault, (task.id,))


def lookalike_faults(task: LongContextTask, lookalike: Lookalike) -> Iterator[str]:
    """What is wrong with what follows from a lookalike."""
    right, wrong = _actions(task.a2.reference), _actions(lookalike.second)
    if right == wrong:
        yield "second: does what is right"
    elif wrong[-1].keys() != right[-1].keys():
        yield "second: expected its last move to be of the same kind as that of the task's reference"


def _actions(moves: Sequence[ReferenceStep]) -> list[dict[str, object]]:
    """The moves without thoughts and answers."""
    given = [move.model_dump(exclude={"why", "finish"}, exclude_defaults=True) for move in moves]
    return [move for move in given if move]
