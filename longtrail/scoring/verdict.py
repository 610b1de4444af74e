"""Verdict: a suite's verdict on a trajectory, before case and cost are added to make the Result."""

from longtrail.records.record import Record
from longtrail.records.result import AppealTurn, ClaimResult, FactResult, KeyStepResult, Metric, TicketResult


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
