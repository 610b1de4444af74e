"""Options that pytest's users know do with cases what they do with other tests."""

import re
from pathlib import Path

import pytest

from tests.pytest_plugin.pytest_process import Done, environment, run_pytest

EVALS = """
from longtrail.testing import cases


@cases("shopping_admin")
def test_ours(result, subtests):
    with subtests.test("decision"):
        assert result.metrics["decision"].value == 1.0, result.metrics["decision"].reason
    assert result.outcome == "passed", result.reason


def test_unit():
    assert 1 == 1
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "test_evals.py").write_text(EVALS)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


def session(folder: Path, *words: str, **variables: str) -> Done:
    chosen = ("--task=pw-025", "--task=pw-026", "-m", "raw and not appeal or not pathways", "--no-shots")
    return run_pytest("test_evals.py", *chosen, *words, cwd=folder, env=environment(**variables))


@pytest.mark.parametrize("chars", ["-rf", "-rfE"])
def test_failures_are_listed_and_written_where_asked(repository: Path, chars: str) -> None:
    """Also if the characters are those of pytest's default, which lists no cases. And on an output that shows no
    lines: pytest alone would print our tables as one line of escapes."""
    words = ("-q", chars, "--agent=nothing", "--html=page.html", "--junitxml=junit.xml", "-k", "026 or unit")
    done = session(repository, *words, PYTHONIOENCODING="ascii")
    assert done.code == 1, done.said
    assert "FAILED test_evals.py::test_ours[pw-026-raw-r0] - AssertionError" in done.out
    assert "SUBFAILED[decision] test_evals.py::test_ours[pw-026-raw-r0]" in done.out
    assert "1 passed" in done.out
    assert re.search(r"^\?{7}", done.out, re.MULTILINE), done.out  # the line below the table's head
    assert "\\u" not in done.out
    assert (repository / "page.html").is_file()
    assert 'failures="2" skipped="0" tests="3"' in (repository / "junit.xml").read_text()


def test_a_quiet_session_is_short_and_last_failures_are_played_again(repository: Path) -> None:
    quiet = session(repository, "-q", "-rN", "--agent=nothing", "-k", "ours", "-x")
    assert quiet.code == 1, quiet.said
    ours = quiet.out.partition(" Longtrail ")[2]
    assert len(re.findall(r"^\S+ ", ours, re.MULTILINE)) <= 8, ours
    assert "report:" in ours
    assert "leaderboard:" not in ours
    assert "AssertionError" not in quiet.out
    again = session(repository, "--lf", "--agent=oracle")
    assert again.code == 0, again.said
    assert "1/1 · 1 passed" in again.out
    assert "pw-025-raw-r0" not in session(repository, "--lf", "--agent=oracle", "--co", "-q", "-k", "026").out
