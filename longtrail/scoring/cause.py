"""The cause of a failure: why an episode ended without the agent's own word, as far as its record shows it."""

from collections import Counter
from collections.abc import Sequence

from longtrail.records.result import FailureCause
from longtrail.records.trajectory import End, Step, Trajectory

ADVICE = {
    "agent_error": "mend the agent; the episode's page has the traceback",
    "refusal": "the model refuses such tasks; the episode's page has its words",
    "no_valid_action": "look at the answers in the run's folder calls/, or as `raw` in the episode; an answer that was "
    "cut off needs a larger --agent-arg max_tokens=N",
    "failed_actions": "most actions of these episodes failed; look at their steps",
    "step_limit": "look at what the agent repeats near the end",
}
"""What to do, by kind."""


def cause_of(trajectory: Trajectory) -> FailureCause | None:
    """Of the last phase; None if the agent ended it itself."""
    if not trajectory.ends:
        return None
    end = trajectory.ends[-1]
    return cause(end, [step for step in trajectory.steps if step.phase == end.phase])


def cause(end: End, steps: Sequence[Step]) -> FailureCause | None:
    """Of one phase with these steps. If the steps were used up, and at least half of them failed, the commonest error
    is the cause."""
    if end.reason == "agent_error":
        return FailureCause(kind="agent_error", message=end.detail)
    if end.reason == "refusal":
        return FailureCause(kind="refusal", message=end.detail)
    if end.reason != "step_limit":
        return None
    failed = [step for step in steps if not step.outcome.ok]
    if not failed or 2 * len(failed) < len(steps):
        return FailureCause(kind="step_limit")
    unread = [step for step in failed if step.action is None]
    kind, among = ("no_valid_action", unread) if 2 * len(unread) >= len(failed) else ("failed_actions", failed)
    (message, count), *_ = Counter(step.outcome.error for step in among).most_common()
    return FailureCause.model_validate({"kind": kind, "message": message, "steps": count, "of": len(steps)})
