"""Score: Task + Trajectory -> Result. A pure function: no browser, no agent, no network, always the same result."""

import traceback
from collections.abc import Mapping

from longtrail.errors import DataError
from longtrail.records.result import CaseOutcome, Metric, Result
from longtrail.records.trajectory import Timing, Trajectory, Trouble
from longtrail.scoring.app_tasks import app_verdict
from longtrail.scoring.catalog import MEASURES, PRIMARY
from longtrail.scoring.decision import decision_verdict
from longtrail.scoring.long_context import long_context_verdict
from longtrail.scoring.shift import shift_verdict
from longtrail.scoring.verdict import Verdict, cause_of, malformed_metrics
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.shifts.shift import ShiftTask
from longtrail.tasks.task import LongContextTask, Task


def score(task: Task, trajectory: Trajectory) -> Result:
    """Score an episode. Raises DataError if it is not an episode of this task.

    Long context passes iff all key steps of both parts were hit; a decision case iff all required facts were shown, all
    are cited by its evidence, and the decision is right. A case is invalid iff something went wrong while it was
    played that is not the agent's fault. An evaluator that raises or exceeds its bounds is a bug of ours: the case is
    failed, because a text of the agent may have caused it, and its reason and `trouble` name the bug.
    """
    if trajectory.case.task != task.id or trajectory.case.suite != task.suite:
        raise DataError(trajectory.case.id, "task", f"is an episode of {trajectory.case.task}, not of {task.id}")
    if not trajectory.valid and (trouble := trajectory.trouble) is not None:
        reason = f"{trouble.kind}: {trouble.message}"
        metrics = {"error_category": Metric(value="other", reason=reason)} if isinstance(task, LongContextTask) else {}
        return _result(trajectory, "invalid", _no_verdict(task, reason, metrics), trouble)
    try:
        verdict = verdict_of(task, trajectory)
        verdict = verdict.model_copy(update={"metrics": verdict.metrics | malformed_metrics(trajectory.steps)})
        _check_bounds(verdict.metrics)
    except Exception as error:  # noqa: BLE001 (a text that breaks the evaluator must not earn another attempt)
        message = f"{type(error).__name__}: {error}"
        reason = f"a bug in the evaluator, please report it: {message}"
        trouble = Trouble(kind="evaluator_error", message=message, traceback=traceback.format_exc())
        failed = {PRIMARY[task.suite]: Metric(value=0.0, reason=reason)}
        return _result(trajectory, "failed", _no_verdict(task, reason, failed), trouble)
    return _result(trajectory, "passed" if verdict.passed else "failed", verdict)


def verdict_of(task: Task, trajectory: Trajectory) -> Verdict:
    """The suite's verdict on a valid trajectory."""
    if isinstance(task, LongContextTask):
        return long_context_verdict(task, trajectory)
    if isinstance(task, AppTask):
        return app_verdict(task, trajectory)
    if isinstance(task, ShiftTask):
        return shift_verdict(task, trajectory)
    return decision_verdict(task, trajectory)


def _check_bounds(metrics: Mapping[str, Metric]) -> None:
    """Raise ValueError for a value that its measure can't have."""
    for name, metric in metrics.items():
        if not MEASURES[name].admits(metric.value):
            raise ValueError(f"{name} is {metric.value!r}, which is outside its bounds")


def _no_verdict(task: Task, reason: str, metrics: dict[str, Metric]) -> Verdict:
    category = "other" if isinstance(task, LongContextTask) else task.category
    return Verdict(passed=False, reason=reason, category=category, stage="", metrics=metrics)


def _result(trajectory: Trajectory, outcome: CaseOutcome, verdict: Verdict, trouble: Trouble | None = None) -> Result:
    """The verdict with what the trajectory tells about the case and its cost."""
    steps = trajectory.steps
    seconds = {name: round(sum(getattr(step.timing, name) for step in steps), 4) for name in Timing.model_fields}
    return Result(
        **{name: value for name, value in verdict if name != "passed"},
        case=trajectory.case,
        contender=trajectory.contender,
        attempt=trajectory.attempt,
        provenance=trajectory.provenance,
        outcome=outcome,
        cause=cause_of(trajectory) if outcome == "failed" else None,
        steps=len(steps),
        usage=trajectory.usage,
        first_part_of=trajectory.first_part_of,
        saved=trajectory.saved,
        timing=Timing(**seconds),
        seconds=trajectory.seconds,
        trouble=trouble or trajectory.trouble,
    )
