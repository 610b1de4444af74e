"""App story: the outcome of a task on a user's own app in plain words, in pieces with the steps that they speak of."""

from collections.abc import Iterator

from longtrail.records.result import Result
from longtrail.records.trajectory import Trajectory
from longtrail.report.story_pieces import MOST, Said, ended, inner
from longtrail.tasks.app_task import AppTask


def app_pieces(trajectory: Trajectory, result: Result, task: AppTask) -> Iterator[Said]:
    """What was decided, which key step is missing, which evidence was not seen or not given, and where it ended."""
    yield from _decision(trajectory, result, task)
    yield from _key_steps(result)
    yield from _evidence(trajectory, result)
    if result.outcome != "passed" and trajectory.steps:
        yield Said(" It ended at ")
        yield Said(f"step {len(trajectory.steps)}", len(trajectory.steps))
        yield Said(f": {ended(trajectory.end('main'))}.")


def _decision(trajectory: Trajectory, result: Result, task: AppTask) -> Iterator[Said]:
    if task.decision is None:
        return
    right, answer = task.decision.optimal, result.metrics.get("answer")
    if answer is None or not answer.value:
        yield Said(f"Gave no decision ({ended(trajectory.end('main'))}); right was {right}. ")
    elif answer.value == right:
        yield Said(f"Decided {answer.value}, which is right. ")
    elif answer.value in task.decision.acceptable:
        yield Said(f"Decided {answer.value}, which is acceptable; best was {right}. ")
    else:
        yield Said(f"Decided {answer.value}; right was {right}. ")


def _key_steps(result: Result) -> Iterator[Said]:
    keys, missed = result.key_steps, [key for key in result.key_steps if not key.hit]
    if missed:
        yield Said(
            f"Reached {len(keys) - len(missed)} of {len(keys)} key steps. "
            f"Missed first: {missed[0].name.replace('-', ' ')}: {missed[0].reason.rstrip('.')}."
        )
    elif keys:
        yield Said(f"All {len(keys)} key steps were reached." if len(keys) > 1 else "The key step was reached.")


def _evidence(trajectory: Trajectory, result: Result) -> Iterator[Said]:
    unseen = [fact for fact in result.facts if fact.delivered is None]
    for fact in unseen[:MOST]:
        yield Said(f" It never saw that {inner(fact.says)}.")
    if len(unseen) > MOST:
        yield Said(f" {len(unseen) - MOST} more pieces of evidence were never seen.")
    ungiven = [fact for fact in result.facts if fact.delivered is not None and not fact.counted]
    for fact in ungiven[:MOST]:
        place = next((i for i, step in enumerate(trajectory.steps, 1) if step.number == fact.delivered), None)
        yield Said(f" It saw that {inner(fact.says)} (")
        yield Said(f"step {place}", place)
        yield Said("), but did not give it as a reason.")
