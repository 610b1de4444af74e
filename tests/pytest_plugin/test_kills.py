"""Processes of a run are killed at random, and the run is resumed: it ends like one that nobody disturbed.

A dozen trials of the smallest runs, three of each kind: a short run makes the first, CI all of them. `python -m
benchmarks.kills` makes as many as you want, of larger runs.
"""

import pytest

from benchmarks.kills import KINDS, Laboratory

FEW = {"oracle": 3, "long": 1, "cdp": 2, "http": 2}
"""Cases enough for two workers, one of them with a successor."""
NUMBERS = sorted(range(12), key=lambda number: number != 7)
"""The trials. First the one that kills an agent, its controller, and a driver of the resumed run."""


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> Laboratory:
    return Laboratory(tmp_path_factory.mktemp("kills"), FEW)


@pytest.mark.slow
@pytest.mark.sampled(12, ci=1)
@pytest.mark.parametrize("number", NUMBERS)
def test_a_run_that_is_killed_and_resumed_ends_like_any_other(laboratory: Laboratory, number: int) -> None:
    trial = laboratory.trial(tuple(KINDS)[number % len(KINDS)], number, seed=20)
    assert not trial.problems, trial
