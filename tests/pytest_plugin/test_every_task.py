"""The main guarantee for every shipped task: its reference solution, played by the oracle in a real browser with only
what agents see, gets the full score, and a decision alone proves nothing. Each task is played under one condition;
whole runs are in `test_whole_runs.py`.

All of them take minutes: a short run plays a fixed part, `--all` every one. CI plays all in one run of the oracle."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from longtrail.agents import oracle
from longtrail.agents.oracle import script
from longtrail.agents.spec import ORACLE
from longtrail.checks.decisions import decision_words
from longtrail.records.action import Decide
from longtrail.records.case import DECISION
from longtrail.records.observation import Observation
from longtrail.records.trajectory import Contender, End, Outcome, Provenance, Step, Trajectory
from longtrail.scoring.score import score
from longtrail.tasks.cases import PlannedCase
from longtrail.tasks.reference import ReferenceStep
from longtrail.tasks.task import DecisionTask, LongContextTask
from longtrail.yaml_file import read
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


@pytest.mark.sampled(400)  # CI plays the references of all tasks, besides the tests
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


WAYS: Mapping[str, tuple[ReferenceStep, ...]] = read(
    dict[str, tuple[ReferenceStep, ...]], Path(__file__).parent / "data" / "second_ways.yaml"
)


def test_there_are_enough() -> None:
    """At least sixty tasks, of both suites; no way is that of the reference."""
    assert len(WAYS) >= 60
    assert {CASES[task].task.suite for task in WAYS} == {"shopping_admin", "reddit"}
    for name, way in WAYS.items():
        task = CASES[name].task
        assert isinstance(task, DecisionTask)
        assert way != task.reference.path


@pytest.mark.sampled(24)
@pytest.mark.parametrize("name", mixed(WAYS))
def test_the_evidence_is_found_on_the_second_way(name: str, laboratory: Laboratory) -> None:
    planned = CASES[name]
    task = planned.task
    assert isinstance(task, DecisionTask)
    reference = task.reference.model_copy(update={"path": WAYS[name]})
    other = task.model_copy(update={"reference": reference})
    result = score(other, laboratory.play(replace(planned, task=other), ORACLE))
    assert result.number("investigation") == 1.0, result.metrics["investigation"].reason
    assert result.number("decision") == 1.0, result.reason


WALKED = (
    *("PW-025", "PW-055", "PW-093"),
    *(
        "spam_false_alarm_001",
        "ikea_favorites",
        "gamestop_ps5_preorders",
        "imdb_what_to_watch",
        "ebay_instruments_pickup",
    ),
)
"""Tasks of the papers' three suites; the long-context tasks have elements among their key steps."""


def foreign(episode: Trajectory) -> set[str]:
    """Lines of observations that no site served, except values of fields."""
    lines = {line for step in episode.steps for line in step.observation.unserved}
    return {line for line in lines if " value=" not in line}


@pytest.mark.thorough
@pytest.mark.sampled(8)
@pytest.mark.parametrize("task", WALKED)
def test_reference_solutions_pass(laboratory: Laboratory, tmp_path: Path, task: str) -> None:
    planned = CASES[task]
    phases = ("a1", "a2") if isinstance(planned.task, LongContextTask) else ("a1",)
    for phase in phases:
        told = script(planned.task, phase if len(phases) > 1 else "main")  # type: ignore[arg-type]
        (tmp_path / phase).write_text(told.model_dump_json(), encoding="utf-8")
    options = {phase: str(tmp_path / phase) for phase in phases}
    episode = laboratory.play(planned, "cdp:tests.pytest_plugin.walker:walk", **options)
    result = score(planned.task, episode)
    assert result.outcome == "passed", (result.reason, [end.detail for end in episode.ends])
    assert foreign(episode) == set()
    assert not any(request.scripted for step in episode.steps for request in step.requests)
