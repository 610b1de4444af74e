"""Telling: the most informative failures of a run: those that came far, of different tasks."""

from collections.abc import Iterable
from dataclasses import dataclass

from longtrail.agents.registry import names
from longtrail.records.result import Result

MOST = 5


@dataclass(frozen=True, slots=True)
class Telling:
    """A failure in words."""

    case: str
    sentence: str
    anchor: str
    """Anchor of the most informative step in the case's trace."""


def telling_failures(failed: Iterable[Result], most: int = MOST) -> tuple[Result, ...]:
    """The most informative of these: agents before baselines, new tasks before others, and those that came furthest."""
    baselines = set(names(baselines=True))
    left = sorted(failed, key=lambda result: (result.contender.agent in baselines, -_reached(result), result.case.id))
    chosen: list[Result] = []
    for fresh in (True, False):
        for result in left:
            if len(chosen) < most and result not in chosen:
                seen = {(one.case.task, one.contender.label) for one in chosen}
                if not fresh or not any(result.case.task == task for task, _ in seen):
                    chosen.append(result)
    return tuple(chosen)


def _reached(result: Result) -> float:
    """The share of required results that was reached, 0 to 1."""
    return result.number("evidence_share") or result.number("key_step_rate") or 0.0
