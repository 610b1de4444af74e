"""The wheel works from another repository: cases, fixtures and data come with it."""

import zipfile
from pathlib import Path

import pytest

from tests.pytest_plugin.pytest_process import environment, run_new_pytest


@pytest.mark.thorough
def test_the_wheel_holds_what_it_needs(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for name in (
        "longtrail/py.typed",
        "longtrail/markers.ini",
        "longtrail/fixtures/episode.py",
        "longtrail/benchmark_tests/test_pathways.py",
        "longtrail/data/tasks/long_context/",
        "longtrail/web/sites/shopadmin/schema.sql",
        "longtrail/report/templates/leaderboard.html",
        "longtrail/agents/prompts/system.j2",
    ):
        assert any(entry.startswith(name) for entry in names), name
    assert not any(entry.startswith(("tests/", "reports/")) for entry in names)


@pytest.mark.thorough
def test_cases_run_from_another_repository(wheel: Path, tmp_path: Path) -> None:
    site, repository = tmp_path / "site", tmp_path / "repository"
    repository.mkdir()
    (repository / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")  # else pytest looks further up for one
    zipfile.ZipFile(wheel).extractall(site)
    (repository / "my_agent.py").write_text(
        "from longtrail.api import Finish\n\n\n"
        "class Mine:\n"
        "    def act(self, view):\n"
        "        return Finish()\n\n"
        "    def observe(self, outcome, view):\n"
        "        return None\n\n\n"
        "def make(assignment, equipment):\n"
        "    return Mine()\n",
        encoding="utf-8",
    )
    env = environment(PYTHONPATH=str(site))
    common = (
        "--pyargs",
        "longtrail.benchmark_tests",
        "-q",
        "-m",
        "noise_0 or raw and not appeal",
        "--lengths",
        "0",
        "--sample",
        "2",
    )
    good = run_new_pytest(*common, "--run", "wheel", cwd=repository, env=env)
    assert good.code == 0, good.said[-3000:]
    assert (repository / "reports" / "leaderboard.html").is_file()
    own = run_new_pytest(*common, "--agent", "my_agent:make", "--run", "own", cwd=repository, env=env)
    assert own.code == 1, own.said[-3000:]
    assert "0 passed · 2 failed · 0 invalid" in own.out


THEIRS = """
import pytest


@pytest.fixture
def outcome(longtrail_result):
    return longtrail_result.outcome
"""
TESTS = """
import pytest


@pytest.mark.shopping_admin
def test_by_a_fixture_of_theirs(outcome):
    assert outcome == "passed"


@pytest.mark.reddit
@pytest.mark.usefixtures("longtrail_result")
def test_by_a_marker():
    pass
"""


@pytest.mark.thorough
@pytest.mark.parametrize("more", [(), ("-n", "2")], ids=["serial", "parallel"])
def test_a_fixture_of_theirs_asks_for_ours(wheel: Path, tmp_path: Path, more: tuple[str, ...]) -> None:
    """No test of the session names a fixture of ours: one of theirs does, and a marker."""
    site, repository = tmp_path / "site", tmp_path / "repository"
    repository.mkdir()
    zipfile.ZipFile(wheel).extractall(site)
    for name, text in (("pytest.ini", "[pytest]\n"), ("conftest.py", THEIRS), ("test_theirs.py", TESTS)):
        (repository / name).write_text(text, encoding="utf-8")
    words = ("--task=pw-025", "--task=brigade_thread_001", "-m", "raw and not appeal", "--no-shots")
    done = run_new_pytest(*words, *more, cwd=repository, env=environment(PYTHONPATH=str(site)))
    assert done.code == 0, done.said[-3000:]
    assert "2/2 · 2 passed" in done.out
