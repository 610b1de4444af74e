"""The main guarantee for every shipped task: its reference solution, played by the oracle in a real browser with only
what agents see, gets the full score, and a decision alone proves nothing. Each task is played under one condition;
whole runs are in `test_whole_runs.py`.

All of them take minutes: a short run plays a fixed part, `--all` every one. CI plays all in one run of the oracle.
"""

import hashlib
from collections.abc import Iterable

import pytest

from longtrail.agents import oracle
from longtrail.agents.spec import ORACLE
from longtrail.checks.decisions import decision_words
from longtrail.records.action import Decide
from longtrail.records.case import DECISION
from longtrail.records.observation import Observation
from longtrail.records.trajectory import Contender, End, Outcome, Provenance, Step, Trajectory
from longtrail.scoring.score import score
from longtrail.tasks.cases import PlannedCase
from longtrail.tasks.task import DecisionTask
from tests.pytest_plugin.laboratory import CASES, Laboratory

DECIDED = ("completed", "investigation", "evidence_share", "reasoning", "decision", "proven", "executed")
MAXIMAL = {
    "long_context": ("success", "success_a2", "key_step_rate"),
    "discovered": ("success", "success_a2", "key_step_rate"),
    **dict.fromkeys(DECISION, DECIDED),
}


def mixed(tasks: Iterable[str]) -> list[str]:
    """In an order that mixes their kinds, so that any sample has several kinds."""
    return sorted(tasks, key=lambda task: hashlib.sha256(task.encode()).digest())


@pytest.mark.sampled(96, ci=400)  # CI plays the references of all tasks, besides the tests
@pytest.mark.parametrize("task", mixed(CASES))
def test_the_oracle_scores_full_marks(task: str, laboratory: Laboratory) -> None:
    planned = CASES[task]
    result = score(planned.task, laboratory.play(planned, ORACLE, shots=oracle.needs_screenshots(planned.task)))
    assert result.outcome == "passed", result.reason
    for name in MAXIMAL[result.case.suite]:
        assert result.number(name) == 1.0, f"{name}: {result.metrics[name].reason}"
    if isinstance(planned.task, DecisionTask):
        assert result.number("hallucinates") == 0.0, result.metrics["hallucinates"].reason


def bare(planned: PlannedCase, decision: str) -> Trajectory:
    """A trajectory that decides on the first page, without an investigation."""
    task = planned.task
    step = Step(
        number=1,
        phase="main",
        observation=Observation(url=task.start, text=""),
        action=Decide(decision=decision, justification=""),
        outcome=Outcome(ok=True, url=task.start),
    )
    return Trajectory(
        case=planned.case,
        contender=Contender(agent="constant"),
        provenance=Provenance(longtrail="", data="", task=""),
        prompt="",
        steps=(step,),
        ends=(End(reason="decide", phase="main", detail=decision),),
    )


def test_no_decision_alone_proves_anything() -> None:
    for planned in CASES.values():
        task = planned.task
        if isinstance(task, DecisionTask):
            results = [score(task, bare(planned, decision)) for decision in decision_words(task.suite)]
            assert all(result.number("proven") == 0.0 for result in results), task.id
            assert max(result.number("decision") or 0.0 for result in results) == 1.0, task.id
