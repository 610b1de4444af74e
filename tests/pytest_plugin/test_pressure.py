"""Six episodes have the same results on a quiet and on a busy machine. `python -m benchmarks.pressure` plays more."""

import shutil
from pathlib import Path

import pytest

from benchmarks.busy_machine import busy
from benchmarks.pressure import differences, play
from longtrail.browser.session import Browser
from longtrail.episode.context import EpisodeContext
from longtrail.records.trajectory import Contender, Outcome
from longtrail.runs.store import Run
from longtrail.tasks.loading import load_tasks
from longtrail.web.registry import all_sites
from longtrail.web.sealed import SealedWeb

EPISODES = 6


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return play(tmp_path_factory.mktemp("quiet"), "quiet", EPISODES, workers=2)


@pytest.mark.parametrize(("task", "sites"), [("ikea_favorites", {"search"}), ("PW-025", {"shopadmin"})])
def test_sites_are_made_before_the_clock_of_an_episode_runs(task: str, sites: set[str]) -> None:
    """Otherwise the first page would take seconds: on a busy machine, longer than a browser waits."""
    web = SealedWeb(all_sites())
    with Browser() as browser:
        EpisodeContext(web, browser, Contender(agent="oracle")).prepare(load_tasks()[task])
    assert {site for site, _ in web._templates._built} == sites


@pytest.mark.thorough
def test_a_busy_machine_changes_nothing(quiet: Run, tmp_path: Path) -> None:
    with busy(2):
        pressed = play(tmp_path, "pressed", EPISODES, workers=3, stall=0.05)
    assert len(pressed.results()) == EPISODES
    assert list(differences(quiet, pressed)) == []


@pytest.mark.thorough
def test_a_difference_is_told(quiet: Run, tmp_path: Path) -> None:
    """The comparison finds an episode that is missing, and one that differs."""
    shutil.copytree(quiet.folder, tmp_path / "other")
    other = Run.open(tmp_path / "other")
    gone, *_, changed = other.episodes()
    other.attempts()[gone.case.id][0].unlink()
    fewer = changed.steps[-1].model_copy(update={"outcome": Outcome(ok=False, error="it was busy")})
    other.write_episode(changed.model_copy(update={"steps": (*changed.steps[:-1], fewer)}))
    missing, busy_one = sorted(differences(quiet, other), key=lambda line: "busy" in line)
    assert missing == f"{gone.case.id}: only in one of the runs"
    assert busy_one.startswith(f"{changed.case.id}: ")
