"""Verdict: a suite's verdict on a trajectory, before case and cost are added to make the Result; why an episode ended
without the agent's own word, as far as its record shows it."""

from collections import Counter
from collections.abc import Sequence

from longtrail.records.record import Record
from longtrail.records.result import (
    AppealTurn,
    ClaimResult,
    FactResult,
    FailureCause,
    KeyStepResult,
    Metric,
    TicketResult,
)
from longtrail.records.trajectory import End, Step, Trajectory


class Verdict(Record):
    """One suite's verdict."""

    passed: bool
    reason: str
    category: str
    stage: str
    """The stage at which the case failed; if it passed, its last stage."""
    metrics: dict[str, Metric]
    key_steps: tuple[KeyStepResult, ...] = ()
    facts: tuple[FactResult, ...] = ()
    claims: tuple[ClaimResult, ...] = ()
    appeal_turns: tuple[AppealTurn, ...] = ()
    tickets: tuple[TicketResult, ...] = ()


def share(number: int, of: int, what: str, undefined: str) -> Metric:
    """`number` / `of`, with the reason `2 of 3 facts cited`; undefined, with that reason, if there are none."""
    if not of:
        return Metric(value=None, reason=undefined)
    return Metric(value=number / of, reason=f"{number} of {of} {what}")


MAX_EXAMPLE = 200
"""Characters of an answer that is shown as an example."""


def cause_of(trajectory: Trajectory) -> FailureCause | None:
    """Of the last phase; None if the agent ended it itself."""
    if not trajectory.ends:
        return None
    end = trajectory.ends[-1]
    return cause(end, [step for step in trajectory.steps if step.phase == end.phase])


def cause(end: End, steps: Sequence[Step]) -> FailureCause | None:
    """Of one phase with these steps. If the steps were used up, and at least half of them failed, the commonest error
    is the cause."""
    if end.reason in ("agent_error", "refusal"):
        return FailureCause.model_validate({"kind": end.reason, "message": end.detail})
    if end.reason != "step_limit":
        return None
    failed = [step for step in steps if not step.outcome.ok]
    if not failed or 2 * len(failed) < len(steps):
        return FailureCause(kind="step_limit")
    malformed = [step for step in failed if step.malformed]
    cut_off = [step for step in malformed if step.cut_off]
    kind, among = "failed_actions", failed
    if 2 * len(malformed) >= len(failed):
        kind, among = ("cut_off", cut_off) if 2 * len(cut_off) >= len(malformed) else ("no_valid_action", malformed)
    (message, count), *_ = Counter(step.outcome.error for step in among).most_common()
    example = "" if kind == "failed_actions" else next((step.raw for step in among if step.raw), "")[:MAX_EXAMPLE]
    count = count if kind == "failed_actions" else len(among)
    fields = {"kind": kind, "message": message, "steps": count, "of": len(steps), "example": example}
    return FailureCause.model_validate(fields)


def malformed_metrics(steps: Sequence[Step]) -> dict[str, Metric]:
    """`malformed_answers` and `cut_off_answers`; undefined without steps. Bounds [0, 1]."""
    malformed, cut_off = sum(step.malformed for step in steps), sum(step.malformed and step.cut_off for step in steps)
    return {
        "malformed_answers": share(malformed, len(steps), "steps had no valid action", "no step was taken"),
        "cut_off_answers": share(cut_off, len(steps), "steps had an answer that was cut off", "no step was taken"),
    }
