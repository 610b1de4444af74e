"""Processes of a run are killed at random, and the run is resumed: it ends like one that nobody disturbed.

One trial here; `python -m benchmarks.kills` makes as many as you want, of more kinds of runs.
"""

import pytest

from benchmarks.kills import Laboratory


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> Laboratory:
    return Laboratory(tmp_path_factory.mktemp("kills"))


@pytest.mark.thorough
def test_a_run_that_is_killed_and_resumed_ends_like_any_other(laboratory: Laboratory) -> None:
    trial = laboratory.trial("oracle", 0, seed=20)
    assert not trial.problems, trial
