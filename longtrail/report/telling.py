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
    """The most informative of these: agents before baselines, those that came furthest first. New tasks come before
    others, then agents that are new to a task, then the rest."""
    baselines = set(names(baselines=True))
    left = sorted(failed, key=lambda result: (result.contender.agent in baselines, -_reached(result), result.case.id))
    chosen: list[Result] = []
    agents = [result for result in left if result.contender.agent not in baselines]
    for new, among in ((_task, left), (_task_and_contender, agents), (_case, left)):
        for result in among:
            if len(chosen) < most and new(result) not in map(new, chosen):
                chosen.append(result)
    return tuple(chosen)


def _task(result: Result) -> object:
    return result.case.task


def _task_and_contender(result: Result) -> object:
    return result.case.task, result.contender.label


def _case(result: Result) -> object:
    return result.case.id, result.contender.label


def _reached(result: Result) -> float:
    """The share of required results that was reached, 0 to 1."""
    return result.number("evidence_share") or result.number("key_step_rate") or 0.0
