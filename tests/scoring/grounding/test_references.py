"""Reference solutions: nothing in them counts as a hallucination, in any wording, and planted faults are found."""

import time
from collections import Counter

import pytest

from longtrail.records.action import Decide, Evidence
from longtrail.records.result import FLAGGED
from longtrail.scoring.grounding.judging import findings
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask
from tests.scoring.grounding.harmless import retold
from tests.scoring.grounding.planted import planted
from tests.scoring.grounding.recorded import played

SAMPLE = sorted(played())[::5]
"""A fifth of the cases, for tests that judge a case many times."""


def test_every_decision_task_is_recorded() -> None:
    tasks = {name for name, task in load_tasks().items() if isinstance(task, DecisionTask)}
    assert set(played()) == tasks, "record the references again: see tests/scoring/grounding/recorded.py"


@pytest.mark.sampled(3, ci=1)
@pytest.mark.parametrize("task", sorted(played()))
def test_a_reference_hallucinates_nothing(task: str) -> None:
    case = played()[task]
    found = findings(case.decision, case.ledger)
    assert [finding.reason for finding in found if finding.flagged] == []
    assert case.ledger.pictures or any(finding.kind == "traced" for finding in found)


@pytest.mark.parametrize("task", SAMPLE)
def test_it_is_the_same_told_in_another_way(task: str) -> None:
    case = played()[task]
    wrong = {
        way: [finding.reason for finding in findings(decision, case.ledger) if finding.flagged]
        for way, decision in retold(case, seed=1)
    }
    assert {way: reasons for way, reasons in wrong.items() if reasons} == {}


@pytest.mark.slow
def test_planted_faults_are_found() -> None:
    """In each class, precision is at least 0.97 and recall at least 0.8. The benchmark counts all cases."""
    sown, right, flagged = Counter[str](), Counter[str](), Counter[str]()
    for task in SAMPLE:
        case = played()[task]
        for fault in planted(case, seed=1):
            kinds = {finding.kind for finding in findings(fault.decision, case.ledger) if finding.flagged}
            sown[fault.expected] += 1
            right[fault.expected] += fault.expected in kinds
            flagged.update(kinds)
    assert sum(sown.values()) > 200
    for kind in FLAGGED:
        assert sown[kind] > 40
        assert right[kind] >= 0.97 * flagged[kind], kind
        assert right[kind] >= 0.8 * sown[kind], kind


def test_a_decision_full_of_figures_is_judged_at_once() -> None:
    """Only a limited part of a decision counts, so that no decision slows the scoring down."""
    case = max(played().values(), key=lambda case: sum(len(reading.text) for reading in case.ledger.readings))
    dates = " ".join(f"March {day % 28 + 1}, 20{day % 17 + 10}." for day in range(1_000))
    amounts = " ".join(f"${37 * number}.{number % 90 + 10}" for number in range(1_000))
    pieces = tuple(
        Evidence(source="order 1, 2, 3 " * 100, quote=dates[:4_000], shows=amounts[:4_000]) for _ in range(40)
    )
    decision = Decide(decision="DENY", justification=dates, response=amounts, evidence=pieces)
    start = time.process_time()
    assert len(findings(decision, case.ledger)) >= 12
    assert time.process_time() - start < 20
