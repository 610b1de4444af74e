"""docs/metrics.md and the catalogue: every measure has a row with its kind, and every row is of an existing measure."""

import re
from pathlib import Path

import pytest

from longtrail.scoring.measures.catalog import MEASURES
from longtrail.scoring.measures.measure import Measure

TEXT = (Path(__file__).parents[3] / "docs" / "metrics.md").read_text(encoding="utf-8")
ROWS = {
    match[1]: (match[2], match[3]) for match in re.finditer(r"^\| `(\w+)` \| ([^|]+) \| ([^|]*)", TEXT, re.MULTILINE)
}


@pytest.mark.parametrize("measure", MEASURES.values(), ids=lambda measure: measure.name)
def test_every_measure_is_documented(measure: Measure) -> None:
    kind, formula = ROWS[measure.name]
    assert kind.split(",")[0] == measure.kind
    assert len(formula.strip()) > 10
    if measure.kind == "mean":
        bounds = f"from {measure.low:g}" if measure.high is None else f"{measure.low:g} to {measure.high:g}"
        assert bounds in kind
    for label in measure.labels:
        assert f"`{label}`" in formula


def test_no_row_is_of_a_measure_that_is_gone() -> None:
    assert set(ROWS) <= set(MEASURES)
