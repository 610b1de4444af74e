"""Processes of a run are killed at random, and the run is resumed: it ends like one that nobody disturbed.

One trial here, more where `LONGTRAIL_KILLS` says so; `python -m benchmarks.kills` makes as many as you want.
"""

import os

import pytest

from benchmarks.kills import KINDS, Laboratory

TRIALS = int(os.environ.get("LONGTRAIL_KILLS", "1"))


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> Laboratory:
    return Laboratory(tmp_path_factory.mktemp("kills"))


@pytest.mark.parametrize("number", range(TRIALS))
def test_a_run_that_is_killed_and_resumed_ends_like_any_other(laboratory: Laboratory, number: int) -> None:
    kind = list(KINDS)[number % len(KINDS)]
    trial = laboratory.trial(kind, number, seed=20)
    assert not trial.problems, trial
