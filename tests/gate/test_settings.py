"""Settings: runs whose measured settings differ are never compared; crossed cases are conditions of their own."""

from longtrail.gate.gate_report import gate_report
from longtrail.options.gate_rules import GateRules
from longtrail.runs.baseline import Scores
from tests.gate.made_scores import decision, scores, shop

RULES = GateRules()
GOOD = {f"PW-{number:03}": [1.0, 1.0, 1.0] for number in range(1, 31)}


def crossed(proven: float, length: int) -> Scores:
    cases = [
        one.model_copy(
            update={"case": one.case.model_copy(update={"placement": "lost_evidence", "noise_tokens": length})}
        )
        for one in (decision(f"PW-{number:03}", proven, repeat) for number in range(1, 31) for repeat in range(3))
    ]
    return scores(cases)


def test_crossed_cases_are_conditions_of_their_own() -> None:
    assert gate_report(crossed(1.0, 50_000), crossed(1.0, 50_000), RULES).verdict == "PASS"
    worse = gate_report(crossed(1.0, 50_000), crossed(0.0, 50_000), RULES)
    assert worse.verdict == "REGRESSION"
    assert worse.suites[0].regressed[0].condition == "lost_evidence raw 50k"
    for other in (crossed(1.0, 25_000), shop(GOOD)):
        found = gate_report(other, crossed(1.0, 50_000), RULES)
        assert found.verdict == "INVALID"
        assert any("the baseline lacks" in reason for reason in found.reasons)
