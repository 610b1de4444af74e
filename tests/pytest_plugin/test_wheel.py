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
