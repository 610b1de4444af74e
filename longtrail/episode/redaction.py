"""Redaction: a trajectory without keys and passwords."""

from collections.abc import Sequence

from longtrail.llm.secrets import redact
from longtrail.records.trajectory import Step, Trajectory


def without_secrets(trajectory: Trajectory) -> Trajectory:
    """The trajectory without keys, even if an agent or an exception quotes them. What pages and sites said stays as it
    was: it is the evidence that is scored."""
    text = trajectory.model_dump_json()
    if (clean := redact(text)) == text:
        return trajectory
    redacted = Trajectory.model_validate_json(clean)
    names = ("changes", "changes_before_appeal", "readings")
    evidence = {name: getattr(trajectory, name) for name in names}
    return redacted.model_copy(update={**evidence, "steps": _with_evidence(redacted.steps, trajectory.steps)})


def _with_evidence(redacted: Sequence[Step], recorded: Sequence[Step]) -> tuple[Step, ...]:
    return tuple(
        step.model_copy(update={"observation": before.observation, "changes": before.changes})
        for step, before in zip(redacted, recorded, strict=True)
    )
