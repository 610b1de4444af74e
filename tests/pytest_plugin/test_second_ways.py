"""A fact counts wherever it can be read: the oracle reaches the evidence by other ways than the references, and
investigation is still 1. The ways are in `data/second_ways.yaml`; a short run plays a twelfth of them."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from longtrail.agents.spec import ORACLE
from longtrail.scoring.score import score
from longtrail.tasks.reference import ReferenceStep
from longtrail.tasks.task import DecisionTask
from longtrail.yaml_file import read
from tests.pytest_plugin.laboratory import CASES, Laboratory
from tests.pytest_plugin.test_every_task import mixed

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


@pytest.mark.sampled(24, ci=12)
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
