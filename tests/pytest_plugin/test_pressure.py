"""A dozen episodes come to the same on a quiet machine and on one that has no time for them; a thousand:
`python -m benchmarks.pressure`."""

from pathlib import Path

import pytest

from benchmarks.busy_machine import busy
from benchmarks.pressure import differences, play
from longtrail.runs.store import Run

EPISODES = 12


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return play(tmp_path_factory.mktemp("quiet"), "quiet", EPISODES, workers=2)


def test_a_busy_machine_changes_nothing(quiet: Run, tmp_path: Path) -> None:
    with busy(2):
        pressed = play(tmp_path, "pressed", EPISODES, workers=3, stall=0.05)
    assert len(pressed.results()) == EPISODES
    assert list(differences(quiet, pressed)) == []


def test_a_difference_is_told(quiet: Run, tmp_path: Path) -> None:
    """The comparison itself: other cases are not the same."""
    fewer = play(tmp_path, "fewer", EPISODES // 4, workers=2)
    told = list(differences(quiet, fewer))
    assert len(told) >= EPISODES - EPISODES // 4 - 2
    assert all("only in one of the runs" in line for line in told)
