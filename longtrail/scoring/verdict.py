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
