"""The rule on twins: two decision tasks that look alike at the start and have different decisions."""

from collections.abc import Iterator, Mapping

from longtrail.authoring.validity.finding import ValidityFinding
from longtrail.tasks.task import DecisionTask

AMOUNTS, LENGTHS = 1.15, 1.6
"""The amounts, and the lengths of the requests, of twins differ at most by these factors."""


def twins_are_twins(tasks: Mapping[str, DecisionTask]) -> Iterator[ValidityFinding]:
    """Twins name each other, look alike and have different decisions."""
    for task in tasks.values():
        if not task.twin:
            continue
        twin = tasks.get(task.twin)
        if twin is None:
            yield ValidityFinding("twin", f"there is no task {task.twin}", (task.id,))
        elif twin.twin != task.id:
            yield ValidityFinding("twin", f"{task.twin} does not name it as its own twin", (task.id,))
        elif task.id < twin.id:
            pair = (task.id, twin.id)
            if task.truth.optimal == twin.truth.optimal:
                yield ValidityFinding("twin", f"{twin.id} has the same decision", pair)
            if difference := _visible_difference(task, twin):
                yield ValidityFinding("twin", f"{twin.id} looks different at the start: {difference}", pair)


def _visible_difference(task: DecisionTask, twin: DecisionTask) -> str:
    """The kind of matter, or a very different amount or length; empty if they look alike."""
    given, other = task.policy["given"], twin.policy["given"]
    for name in ("claim", "matter"):
        if given.get(name) != other.get(name):
            return f"{name} {given.get(name)} and {other.get(name)}"
    if not _near(given.get("amount", 1), other.get("amount", 1), AMOUNTS):
        return f"${given['amount']} and ${other['amount']}"
    if not _near(len(task.trigger), len(twin.trigger), LENGTHS):
        return f"{len(task.trigger)} and {len(twin.trigger)} characters"
    return ""


def _near(value: float, other: float, factor: float) -> bool:
    return max(value, other) <= factor * min(value, other)
