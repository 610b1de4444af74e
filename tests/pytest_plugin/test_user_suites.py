"""Suites of users: cases are played only if the command line asks for them, by the agent of the current directory, and
pytest's own options do with them what they do with other tests."""

import re
import subprocess
from pathlib import Path

import pytest

from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import Done, environment, run_pytest

EVALS = """
from longtrail.testing import cases


@cases("shopping_admin")
def test_ours(result, subtests):
    with subtests.test("decision"):
        assert result.metrics["decision"].value == 1.0, result.metrics["decision"].reason
    assert result.outcome == "passed", result.reason
"""
AGENT = "from longtrail.agents.guessers import Nothing as make\n"
ONE = ("--task=pw-025", "-m", "raw and not appeal", "--no-shots")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A user's repository with tests of its own, and cases in `tests/evals`."""
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider\n")
    (tmp_path / "tests" / "evals").mkdir(parents=True)
    (tmp_path / "tests" / "test_unit.py").write_text("def test_unit(): pass\n")
    (tmp_path / "tests" / "evals" / "test_evals.py").write_text(EVALS)
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ("-n", "1"),
        ("tests",),
        ("-m", "not hint", "-k", "unit or ours"),
        ("-o", "testpaths=tests/evals tests/test_unit.py"),
    ],
)
def test_no_case_is_played_unless_asked_for(repository: Path, words: tuple[str, ...]) -> None:
    done = run_pytest(*words, cwd=repository)
    assert done.code == 0, done.said
    assert "1 passed" in done.out
    assert "Longtrail" not in done.out
    assert not (repository / "reports").exists()


@pytest.mark.parametrize(
    "words",
    [("tests/evals", "-k", "pw-025-raw-r0"), ("tests/evals/test_evals.py::test_ours[pw-025-raw-r0]",), ("tests", *ONE)],
)
def test_a_case_is_collected_if_it_is_asked_for(repository: Path, words: tuple[str, ...]) -> None:
    done = run_pytest(*words, "--co", "-q", cwd=repository)
    assert "pw-025-raw-r0" in done.out, done.said
    assert re.search(r"^1(/\d+)? test", done.out, re.MULTILINE), done.out


@pytest.mark.parametrize("words", [(), ("-n", "1")])
def test_a_session_of_left_out_cases_says_how_to_ask_for_them(repository: Path, words: tuple[str, ...]) -> None:
    done = run_pytest(*words, "-k", "ours", cwd=repository)
    assert done.code == 5, done.said
    assert "name their folder to play them: pytest tests/evals" in done.out


@pytest.mark.parametrize("words", [(), ("-n", "1")])
def test_an_option_that_no_test_uses_is_refused(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "test_unit.py").write_text("def test_unit(): pass\n")
    options = ("--agent", "nosuch:make", "--baseline=none.json", "--tasks=nowhere")
    done = run_pytest(*options, *words, "--rootdir", str(tmp_path), cwd=tmp_path)
    assert done.code == 4, done.said
    told = "--agent, --baseline, --tasks: no test of this session uses them; add the folder of the cases: pytest evals "
    assert f"{told}... (`longtrail init` writes evals/)" in done.said
    assert "passed" not in done.out


def test_an_option_without_the_folder_of_the_cases_is_refused(repository: Path) -> None:
    done = run_pytest("--longtrail-agent=nothing", "tests", "-n", "1", cwd=repository)
    assert done.code == 4, done.said
    assert "--longtrail-agent: no test of this session uses it; add the folder of the cases: " in done.said
    assert "pytest tests/evals ..." in done.said
    assert not (repository / "reports").exists()


def test_options_of_the_ini_file_may_be_unused(repository: Path) -> None:
    """A project may set its agent there, for all of its runs."""
    (repository / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider --longtrail-agent=nothing\n")
    done = run_pytest(cwd=repository)
    assert done.code == 0, done.said
    assert "1 passed, 1 deselected" in done.out


def test_a_test_that_can_not_be_collected_is_reported_first(repository: Path) -> None:
    (repository / "tests" / "evals" / "test_evals.py").write_text("import nothing_like_this\n")
    done = run_pytest("tests/evals", "--agent=nothing", cwd=repository)
    assert done.code == 2, done.said
    assert "nothing_like_this" in done.out


@pytest.fixture
def versioned(repository: Path) -> Path:
    """With an agent beside the tests, as `longtrail init` writes it, and one at the root, under version control."""
    (repository / "tests" / "evals" / "my_agent.py").write_text("raise RuntimeError('the stub')\n")
    (repository / "my_agent.py").write_text(AGENT)
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@example.com")
    for words in (("init", "-q"), ("add", "my_agent.py"), ("commit", "-qm", "An agent")):
        subprocess.run([*git, *words], cwd=repository, check=True, capture_output=True)
    return repository


def test_the_agent_of_the_current_directory_plays_and_is_named(versioned: Path) -> None:
    """The run says from which file each agent is, and marks a file that is not in its commit."""
    (versioned / "other.py").write_text(AGENT)
    agents = ("--agent=my_agent:make", "--agent=other:make", "--tag=prompt=v3", "--note=a shorter prompt")
    done = run_pytest("tests/evals", *ONE, *agents, "--run=mine", cwd=versioned)
    assert done.code == 1, done.said
    run = Run.open(versioned / "reports" / "runs" / "mine")
    rev = subprocess.run(["git", "rev-parse", "HEAD"], cwd=versioned, check=True, capture_output=True, text=True)
    commit = f"commit {rev.stdout[:12]}"
    assert run.manifest.agents == {"my_agent:make": f"my_agent.py, {commit}", "other:make": f"other.py, {commit}+"}
    assert len(run.results()) == 2
    page = (run.folder / "index.html").read_text(encoding="utf-8")
    for text in (rev.stdout[:12], "my_agent:make", "prompt", "v3", "a shorter prompt"):
        assert text in page, text


def test_two_modules_of_one_name_are_refused(versioned: Path) -> None:
    (versioned / "tests" / "evals" / "my_agent.py").write_text("")
    (versioned / "tests" / "evals" / "test_evals.py").write_text(f"import my_agent\n{EVALS}")
    done = run_pytest("tests/evals", *ONE, "--agent=my_agent:make", cwd=versioned)
    assert done.code == 4, done.said
    assert "has the name of " in done.err
    assert "rename one of them" in done.err


def session(folder: Path, *words: str, **variables: str) -> Done:
    (folder / "pytest.ini").write_text("[pytest]\n")
    chosen = ("tests", "--task=pw-025", "--task=pw-026", "-m", "raw and not appeal or not pathways", "--no-shots")
    return run_pytest(*chosen, *words, cwd=folder, env=environment(**variables))


def test_failures_are_listed_and_written_where_asked(repository: Path) -> None:
    """Also if the characters are those of pytest's default, which lists no cases. And on an output that shows no
    lines: pytest alone would print our tables as one line of escapes."""
    words = ("-q", "-rfE", "--agent=nothing", "--html=page.html", "--junitxml=junit.xml", "-k", "026 or unit")
    done = session(repository, *words, PYTHONIOENCODING="ascii")
    assert done.code == 1, done.said
    assert "FAILED tests/evals/test_evals.py::test_ours[pw-026-raw-r0] - AssertionError" in done.out
    assert "SUBFAILED[decision] tests/evals/test_evals.py::test_ours[pw-026-raw-r0]" in done.out
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
