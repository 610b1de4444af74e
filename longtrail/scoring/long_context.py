"""Long context: key steps, error category, retrieval, efficiency and summaries of one trajectory."""

from collections.abc import Sequence

from longtrail.checks.key_steps import Hit, evaluate
from longtrail.clock import NOW
from longtrail.records.result import KeyStepResult, Metric
from longtrail.records.trajectory import Phase, Trajectory
from longtrail.scoring.measures import answered
from longtrail.scoring.measures import long_context as measure
from longtrail.scoring.measures.failure_categories import error_category
from longtrail.scoring.measures.retrieval import quadrant, returned, summaries
from longtrail.scoring.verdict import Verdict
from longtrail.tasks.task import LongContextTask, Subtask


def judge_long_context(task: LongContextTask, trajectory: Trajectory) -> Verdict:
    """The verdict on a long-context case. It passes if all key steps of both parts were hit and there was no agent
    error."""
    first = _hits(task.a1, trajectory, "a1")
    second = _hits(task.a2, trajectory, "a2")
    parts = (
        (first, trajectory.phase("a1"), trajectory.end("a1")),
        (second, trajectory.phase("a2"), trajectory.end("a2")),
    )
    category, reason = error_category(parts)
    done = tuple(measure.success(hits) and (end is None or end.reason != "agent_error") for hits, _, end in parts)
    metrics = {
        "success": Metric(value=all(done), reason=reason),
        "success_a1": Metric(value=done[0], reason=_told(first)),
        "success_a2": Metric(value=done[1], reason=_told(second)),
        "success_given_a1": Metric(
            value=done[1] if done[0] else None,
            reason=_told(second) if done[0] else "the first part was not done",
        ),
        "key_step_rate": Metric(value=measure.key_step_rate(first, second), reason=_told([*first, *second])),
        "paper_success": _on_route(task, trajectory),
        "error_category": Metric(value=category, reason=reason),
        answered.MEASURE.name: answered.measure(task, trajectory),
        **_retrieval(task, trajectory, all(done)),
        **_depth(trajectory),
        **_ratios(task, trajectory),
        **_summaries(task, trajectory),
    }
    return Verdict(
        passed=all(done),
        reason=reason,
        category=category,
        stage="a2" if done[0] else "a1",
        metrics=metrics,
        key_steps=(*_results(first, "a1"), *_results(second, "a2")),
    )


def _hits(part: Subtask, trajectory: Trajectory, phase: Phase) -> tuple[Hit, ...]:
    """Live sites don't report their lists and state, so the annotated route counts there."""
    key_steps = part.route if trajectory.provenance.web == "live" else part.key_steps
    return evaluate(key_steps, trajectory.phase(phase), trajectory.changes, ordered=part.ordered)


def _on_route(task: LongContextTask, trajectory: Trajectory) -> Metric:
    """Whether all URL and element rules of the annotated route were hit; none is optional."""
    parts: tuple[tuple[Phase, Subtask], ...] = (("a1", task.a1), ("a2", task.a2))
    hits = [
        hit
        for phase, part in parts
        for hit in evaluate(
            [key.model_copy(update={"proved_by": ""}) if hasattr(key, "proved_by") else key for key in part.route],
            trajectory.phase(phase),
            ordered=part.ordered,
        )
    ]
    return Metric(value=measure.success(hits), reason=_told(hits))


def _told(hits: Sequence[Hit]) -> str:
    missing = [hit.name for hit in hits if hit.step is None]
    told = f"{len(hits) - len(missing)} of {len(hits)} key steps"
    return f"{told}; missing: {', '.join(missing)}" if missing else told


def _results(hits: Sequence[Hit], phase: Phase) -> tuple[KeyStepResult, ...]:
    return tuple(
        KeyStepResult(name=hit.name, phase=phase, hit=hit.step is not None, step=hit.step, reason=hit.reason)
        for hit in hits
    )


def _retrieval(task: LongContextTask, trajectory: Trajectory, success: bool) -> dict[str, Metric]:
    if not trajectory.case.noise_tokens:
        reason = "nothing was injected"
        return {name: Metric(value=None, reason=reason) for name in ("retrieval", "retrieved")}
    back = returned(trajectory.phase("a2"), task.host)
    reason = f"{back[1]} was loaded at step {back[0]}" if back else f"no page of {task.host} was loaded after the noise"
    return {
        "retrieval": Metric(value=quadrant(success, back is not None), reason=reason),
        "retrieved": Metric(value=back is not None, reason=reason),
    }


def _depth(trajectory: Trajectory) -> dict[str, Metric]:
    """The first part's position in the noise. Not defined if nothing was injected."""
    history = trajectory.history
    if history is None or not history.injected:
        return {"needle_depth": Metric(value=None, reason="nothing was injected")}
    share = history.before / history.tokens
    return {"needle_depth": Metric(value=share, reason=f"{history.before} of {history.tokens} tokens come before it")}


def _ratios(task: LongContextTask, trajectory: Trajectory) -> dict[str, Metric]:
    taken, annotated = len(trajectory.phase("a1", "a2")), len(task.a1.reference) + len(task.a2.reference)
    reason = f"{taken} steps taken, {annotated} annotated"
    return {
        "steps_over_reference": Metric(value=measure.steps_over_reference(taken, annotated), reason=reason),
    }


def _summaries(task: LongContextTask, trajectory: Trajectory) -> dict[str, Metric]:
    """Shares of the second part's summaries; empty if the agent makes none."""
    found = summaries(trajectory.phase("a2"), task.carry, task.host, NOW)
    if not found.count:
        return {}
    relevant, used = found.relevant_used + found.relevant_unused, found.relevant_used + found.irrelevant_used
    counts = {"relevant": relevant, "used": used, **found.model_dump()}
    shares = {
        f"summary_{name}": Metric(value=number / found.count, reason=f"{number} of {found.count} summaries")
        for name, number in counts.items()
    }
    told = [step.summary_usage for step in trajectory.phase("a2") if step.summary and step.summary_usage]
    if not told:
        return shares
    tokens = sum(usage.prompt_tokens + usage.completion_tokens for usage in told)
    reason = f"{tokens} tokens for {len(told)} summaries"
    return {**shares, "summary_tokens": Metric(value=tokens / len(told), reason=reason)}
