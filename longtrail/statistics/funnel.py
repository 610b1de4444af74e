"""The funnel: how many cases pass each stage, in order (PATHWAYS: investigation, reasoning, decision)."""

from collections.abc import Callable, Sequence
from math import prod
from statistics import fmean

from longtrail.records.case import LONG, SHIFTS
from longtrail.records.record import Record
from longtrail.records.result import Result
from longtrail.records.trajectory import Suite


class Stage(Record):
    """One stage of the funnel."""

    name: str
    count: int
    """Cases that passed this stage and every stage before it."""
    share: float
    """Share of all cases."""
    kept: float
    """Share of the cases that passed the previous stage."""


Gate = tuple[str, Callable[[Result], bool]]

DECISION_GATES: tuple[Gate, ...] = (
    ("completed", lambda result: result.number("completed") == 1.0),
    ("investigation", lambda result: result.number("investigation") == 1.0),
    ("reasoning", lambda result: result.number("reasoning") == 1.0),
    ("decision", lambda result: result.number("decision") == 1.0),
    ("executed", lambda result: result.number("executed") == 1.0),
)
LONG_GATES: tuple[Gate, ...] = (
    ("a1", lambda result: result.number("success_a1") == 1.0),
    ("retrieved", lambda result: result.number("retrieved") in (1.0, None)),
    ("a2", lambda result: result.number("success_a2") == 1.0),
)
APP_GATES: tuple[Gate, ...] = (
    ("completed", lambda result: result.number("completed") == 1.0),
    ("key steps", lambda result: result.number("key_step_rate") in (1.0, None)),
    ("success", lambda result: result.number("success") == 1.0),
)
SHIFT_GATES: tuple[Gate, ...] = (
    ("decided", lambda result: result.number("tickets_decided") == 1.0),
    ("right", lambda result: result.number("tickets_right") == 1.0),
    ("proven", lambda result: result.number("tickets_proven") == 1.0),
    ("executed", lambda result: result.number("tickets_executed") == 1.0),
)
GATES: dict[Suite, tuple[Gate, ...]] = {
    **dict.fromkeys(LONG, LONG_GATES),
    **dict.fromkeys(SHIFTS, SHIFT_GATES),
    "app": APP_GATES,
}


def funnel(results: Sequence[Result]) -> tuple[Stage, ...]:
    """The stages of one suite's cases; `cases` is first, an invalid case passes no other. Counts never rise."""
    if not results:
        return ()
    gates = GATES.get(results[0].case.suite, DECISION_GATES)
    left, stages = list(results), [Stage(name="cases", count=len(results), share=1.0, kept=1.0)]
    for name, passes in gates:
        before = len(left)
        left = [result for result in left if result.outcome != "invalid" and passes(result)]
        kept = len(left) / before if before else 0.0
        stages.append(Stage(name=name, count=len(left), share=len(left) / len(results), kept=kept))
    return tuple(stages)


def table1_proven(results: Sequence[Result]) -> float | None:
    """Product of the means of `paper_investigation`, `paper_reasoning` and `decision` (PATHWAYS, table 1). In [0, 1].

    Most rows of the paper's table are this product. It is not the share of proven cases and can be gamed by
    investigating one half of the tasks and deciding the other.
    """
    names = ("paper_investigation", "paper_reasoning", "decision")
    means = [fmean(result.number(name) or 0.0 for result in results) for name in names] if results else []
    return prod(means) if means else None
