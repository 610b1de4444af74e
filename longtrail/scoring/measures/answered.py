"""Answered: did the agent answer what a part's instruction asks? Reported only; success depends on key steps."""

from longtrail.checks.answers import Answer, missing
from longtrail.records.action import Finish
from longtrail.records.case import LONG
from longtrail.records.result import Metric
from longtrail.records.trajectory import Phase, Trajectory
from longtrail.scoring.measures.measure import Measure
from longtrail.tasks.task import LongContextTask

MEASURE = Measure(
    name="answered",
    suites=LONG,
    kind="given",
    says="the part's final answer contained everything that its instruction asks for, if it asks for anything",
)


def measure(task: LongContextTask, trajectory: Trajectory) -> Metric:
    """Whether every part that asks for something was answered. Not defined if nothing is asked, or if the harness
    ended each such part at its last key step, before the agent could answer. Bounds: false, true."""
    parts: tuple[tuple[Phase, tuple[Answer, ...]], ...] = (("a1", task.a1.asks), ("a2", task.a2.asks))
    asking = [(phase, asked) for phase, asked in parts if asked]
    if not asking:
        return Metric(value=None, reason="nothing is asked")
    open_ones = [(phase, asked) for phase, asked in asking if not _cut_short(trajectory, phase)]
    if not open_ones:
        return Metric(value=None, reason="the part was ended at its last key step, before an answer was due")
    found = [_judge(trajectory, phase, asked) for phase, asked in open_ones]
    return Metric(value=all(good for good, _ in found), reason="; ".join(reason for _, reason in found))


def _cut_short(trajectory: Trajectory, phase: Phase) -> bool:
    end = trajectory.end(phase)
    return end is not None and end.reason == "all_key_steps"


def _judge(trajectory: Trajectory, phase: Phase, asked: tuple[Answer, ...]) -> tuple[bool, str]:
    actions = [step.action for step in trajectory.phase(phase)]
    answer = next((action.answer for action in reversed(actions) if isinstance(action, Finish)), "")
    if not answer.strip():
        return False, f"{phase}: no answer was given"
    lacking = missing(asked, answer)
    told = (
        f"not in the answer: {' '.join(lacking)}" if lacking else f"answered: {' '.join(each.says for each in asked)}"
    )
    return not lacking, f"{phase}: {told}"
