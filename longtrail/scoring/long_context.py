"""Long context: key steps, answers, error category and retrieval of one trajectory (long-context paper, section 4)."""

from collections.abc import Sequence

from longtrail.checks.answers import Answer, missing
from longtrail.checks.key_steps import Hit, evaluate
from longtrail.checks.result_steps import StateStep
from longtrail.records.action import Finish
from longtrail.records.result import KeyStepResult, Metric
from longtrail.records.trajectory import Phase, Trajectory
from longtrail.scoring.error_category import error_category
from longtrail.scoring.retrieval import retrieval_metrics
from longtrail.scoring.verdict import Verdict
from longtrail.tasks.task import LongContextTask, Subtask

PARTS: tuple[Phase, Phase] = ("a1", "a2")


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
    done = tuple(all_hit(hits) and (end is None or end.reason != "agent_error") for hits, _, end in parts)
    metrics = {
        "success": Metric(value=all(done), reason=reason),
        "success_a1": Metric(value=done[0], reason=summary(first)),
        "success_a2": Metric(value=done[1], reason=summary(second)),
        "success_given_a1": Metric(
            value=done[1] if done[0] else None,
            reason=summary(second) if done[0] else "the first part was not done",
        ),
        "key_step_rate": Metric(value=key_step_rate([*first, *second]), reason=summary([*first, *second])),
        "paper_success": _on_route(task, trajectory),
        "error_category": Metric(value=category, reason=reason),
        "answered": answered(task, trajectory),
        "steps_over_reference": steps_ratio(
            len(trajectory.phase("a1", "a2")), len(task.a1.reference) + len(task.a2.reference)
        ),
        **retrieval_metrics(task, trajectory, success=all(done)),
    }
    return Verdict(
        passed=all(done),
        reason=reason,
        category=category,
        stage="a2" if done[0] else "a1",
        metrics=metrics,
        key_steps=(*key_step_results(first, "a1"), *key_step_results(second, "a2")),
    )


def _hits(part: Subtask, trajectory: Trajectory, phase: Phase) -> tuple[Hit, ...]:
    """Live sites don't report their lists and state, so the annotated route counts there."""
    key_steps = part.route if trajectory.provenance.web == "live" else part.key_steps
    return evaluate(key_steps, trajectory.phase(phase), trajectory.changes, ordered=part.ordered)


def _on_route(task: LongContextTask, trajectory: Trajectory) -> Metric:
    """Whether all URL and element rules of the annotated route were hit. None is optional, except an address that what
    was saved or put into the cart proves: the list may have been narrowed another way."""
    parts: tuple[tuple[Phase, Subtask], ...] = (("a1", task.a1), ("a2", task.a2))
    hits: list[Hit] = []
    for phase, part in parts:
        states = {key.name for key in part.key_steps if isinstance(key, StateStep)}
        keys = [
            key.model_copy(update={"proved_by": ""}) if getattr(key, "proved_by", "") not in states | {""} else key
            for key in part.route
        ]
        hits += evaluate(keys, trajectory.phase(phase), ordered=part.ordered)
    return Metric(value=all_hit(hits), reason=summary(hits))


def summary(hits: Sequence[Hit]) -> str:
    """How many key steps were hit, and which were not."""
    missed = [hit.name for hit in hits if hit.step is None]
    count = f"{len(hits) - len(missed)} of {len(hits)} key steps"
    return f"{count}; missing: {', '.join(missed)}" if missed else count


def key_step_results(hits: Sequence[Hit], phase: Phase) -> tuple[KeyStepResult, ...]:
    """Key steps as a result lists them."""
    return tuple(
        KeyStepResult(name=hit.name, phase=phase, hit=hit.step is not None, step=hit.step, reason=hit.reason)
        for hit in hits
    )


def all_hit(hits: Sequence[Hit]) -> bool:
    """Whether all key steps were hit."""
    return all(hit.step is not None for hit in hits)


def key_step_rate(hits: Sequence[Hit]) -> float:
    """Key steps hit / all key steps. Bounds [0, 1]."""
    return sum(hit.step is not None for hit in hits) / len(hits)


def steps_ratio(taken: int, annotated: int) -> Metric:
    """Steps taken / annotated steps. Bounds [0, inf)."""
    return Metric(value=taken / annotated, reason=f"{taken} steps taken, {annotated} annotated")


def answered(task: LongContextTask, trajectory: Trajectory) -> Metric:
    """Whether every part that asks for something was answered. Not defined if nothing is asked, or if the harness
    ended each such part at its last key step, before the agent could answer. Reported only. Bounds: false, true."""
    asking = [(phase, part.asks) for phase, part in zip(PARTS, (task.a1, task.a2), strict=True) if part.asks]
    if not asking:
        return Metric(value=None, reason="nothing is asked")
    due = [(phase, answers) for phase, answers in asking if not _cut_short(trajectory, phase)]
    if not due:
        return Metric(value=None, reason="the part was ended at its last key step, before an answer was due")
    judged = [_answer(trajectory, phase, answers) for phase, answers in due]
    return Metric(value=all(good for good, _ in judged), reason="; ".join(reason for _, reason in judged))


def _cut_short(trajectory: Trajectory, phase: Phase) -> bool:
    end = trajectory.end(phase)
    return end is not None and end.reason == "all_key_steps"


def _answer(trajectory: Trajectory, phase: Phase, answers: tuple[Answer, ...]) -> tuple[bool, str]:
    actions = [step.action for step in trajectory.phase(phase)]
    answer = next((action.answer for action in reversed(actions) if isinstance(action, Finish)), "")
    if not answer.strip():
        return False, f"{phase}: no answer was given"
    lacking = missing(answers, answer)
    if lacking:
        return False, f"{phase}: not in the answer: {' '.join(lacking)}"
    return True, f"{phase}: answered: {' '.join(each.says for each in answers)}"
