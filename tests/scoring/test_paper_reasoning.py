"""Evidence quality: each part of the form, and that the form alone gives seven points."""

import pytest

from longtrail.records.action import Decide
from longtrail.scoring.paper_reasoning import evidence_quality


def quality(text: str, **more: object) -> int:
    return evidence_quality(Decide.model_validate({"decision": "DENY", "justification": text} | more))[0]


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("", 0),
        ("It seems fine to me.", 0),
        ("There were fifteen of them.", 2),
        ("It cost $5.", 2),
        ("It happened yesterday.", 1),
        ("It happened two weeks ago.", 3),
        ("The profile says so.", 2),
        ("WHAT: nothing. WHERE: nowhere. WHY: no reason.", 2),
        ("WHAT I found: 15 returns. WHERE: the order's comments on Mar 2, 2026. WHY it matters: sizes.", 7),
    ],
)
def test_points(text: str, points: int) -> None:
    assert quality(text) == points


def test_a_list_of_evidence_is_a_source_and_a_structure() -> None:
    assert quality("So it is.", evidence=[{"source": "order 600", "quote": "all for size"}]) == 6
    assert quality("So it is.", evidence=[{"source": "", "quote": "all for size"}]) == 0


def test_no_decision_has_no_quality() -> None:
    assert evidence_quality(None) == (0, "no decision")
