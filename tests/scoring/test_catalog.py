"""docs/metrics.md and the catalogue: the tables of measures are those of the code."""

from pathlib import Path

import pytest

from longtrail.scoring.catalog import MEASURES, table

TEXT = (Path(__file__).parents[2] / "docs" / "metrics.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("suite", ["long_context", "hard_shop", "shift_shop"])
def test_the_tables_of_the_docs_are_made_from_the_measures(suite: str) -> None:
    """If it fails, put the output of `python -m longtrail.scoring.catalog` into docs/metrics.md."""
    assert table(suite) in TEXT  # type: ignore[arg-type]


def test_every_measure_says_its_formula_and_labels() -> None:
    for measure in MEASURES.values():
        assert len(measure.says) > 10
        assert all(f"`{label}`" in measure.says for label in measure.labels)
