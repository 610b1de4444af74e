"""A run with a training variant says so: in its settings, and in its summary."""

import pytest

from longtrail.records.case import training_line
from longtrail.runs.manifest import settings
from tests.gate.made_scores import manifest


@pytest.mark.parametrize(
    ("seed", "setting"), [(None, ()), (7, ("--variant 7",)), (100_007, ("--variant 100007 (for training)",))]
)
def test_a_training_variant_is_marked(seed: int | None, setting: tuple[str, ...]) -> None:
    assert settings(manifest(options={"variant": seed})) == setting
    assert bool(training_line(seed)) == (seed == 100_007)
