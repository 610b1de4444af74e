"""Finished runs that several tests of the gate use."""

from pathlib import Path

import pytest

from longtrail.runs.baseline import Scores, scores_of
from tests.pytest_plugin.conftest import Runs, runs

__all__ = ["runs"]
ONE_CASE = ("--agent", "nothing", "--task", "pw-025", "-m", "raw and not appeal", "--no-shots")
"""The cheapest run there is: its one case fails, so pytest alone would exit with 1."""


@pytest.fixture(scope="session")
def baseline_run(runs: Runs) -> Path:
    """The folder of a finished run of ONE_CASE."""
    run, _ = runs.get("gate-base", *ONE_CASE)
    return run.folder


@pytest.fixture(scope="session")
def baseline_scores(runs: Runs) -> Scores:
    """Its scores."""
    run, _ = runs.get("gate-base", *ONE_CASE)
    return scores_of(run)
