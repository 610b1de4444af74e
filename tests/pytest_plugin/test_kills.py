"""Processes of a run are killed at random, and the run is resumed: it ends like one that nobody disturbed.

A dozen trials here, three of each kind of run; `python -m benchmarks.kills` makes as many as you want.
"""

import pytest

from benchmarks.kills import KINDS, Laboratory


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> Laboratory:
    return Laboratory(tmp_path_factory.mktemp("kills"))


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(12))
def test_a_run_that_is_killed_and_resumed_ends_like_any_other(laboratory: Laboratory, number: int) -> None:
    trial = laboratory.trial(tuple(KINDS)[number % len(KINDS)], number, seed=20)
    assert not trial.problems, trial
