"""Processes of a run are killed at random, and the run is resumed: its results are those of an undisturbed run.

A dozen trials of the smallest runs, three of each kind; one in CI. `python -m benchmarks.kills` makes as many
as you want, of larger runs.
"""

import pytest

from benchmarks.kills import KINDS, Laboratory

FEW = {"oracle": 3, "long": 1, "cdp": 2, "http": 2}
"""Kind of run -> number of tasks: few, but enough for two workers."""


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> Laboratory:
    return Laboratory(tmp_path_factory.mktemp("kills"), FEW)


@pytest.mark.thorough
@pytest.mark.sampled(12)
@pytest.mark.parametrize("number", range(12))
def test_a_run_that_is_killed_and_resumed_ends_like_any_other(laboratory: Laboratory, number: int) -> None:
    trial = laboratory.trial(tuple(KINDS)[number // 3], number, seed=20)
    assert not trial.problems, trial
