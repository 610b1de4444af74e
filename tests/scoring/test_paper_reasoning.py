"""Evidence quality: each part of the form, and that the form alone gives seven points."""

import pytest

from longtrail.records.action import Decide
from longtrail.scoring.paper_reasoning import evidence_quality
from tests.tables import tables_of

TABLES = tables_of(__file__)


def quality(text: str, **more: object) -> int:
    return evidence_quality(Decide.model_validate({"decision": "DENY", "justification": text} | more))[0]


@pytest.mark.parametrize(("text", "points"), TABLES["points"])
def test_points(text: str, points: int) -> None:
    assert quality(text) == points


def test_a_list_of_evidence_is_a_source_and_a_structure() -> None:
    assert quality("So it is.", evidence=[{"source": "order 600", "quote": "all for size"}]) == 6
    assert quality("So it is.", evidence=[{"source": "", "quote": "all for size"}]) == 0


def test_no_decision_has_no_quality() -> None:
    assert evidence_quality(None) == (0, "no decision")
