"""A session plays cases only if its command line asks for them, and refuses options of ours that no test uses."""

from pathlib import Path

import pytest

from tests.pytest_plugin.pytest_process import run_pytest

EVALS = """
from longtrail.testing import cases


@cases("shopping_admin")
def test_ours(result):
    assert result.outcome == "passed"
"""
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
        (),
        ("-n", "1"),
        (".",),
        ("tests",),
        ("-m", "not pathways"),
        ("-k", "unit or ours"),
        ("-o", "testpaths=tests/evals tests"),
    ],
)
def test_no_case_is_played_unless_asked_for(repository: Path, words: tuple[str, ...]) -> None:
    done = run_pytest(*words, cwd=repository)
    assert done.code == 0, done.said
    assert "1 passed" in done.out
    assert "Longtrail" not in done.out
    assert not (repository / "reports").exists()


@pytest.mark.parametrize(
    ("words", "number"),
    [
        (("tests/evals", "-k", "pw-025-raw-r0"), 1),
        (("tests/evals/test_evals.py::test_ours[pw-025-raw-r0]",), 1),
        (ONE, 1),  # from any folder
        (("tests", *ONE), 1),
        (("tests/evals", "-n", "1", *ONE), 1),
    ],
)
def test_a_case_is_collected_if_it_is_asked_for(repository: Path, words: tuple[str, ...], number: int) -> None:
    done = run_pytest(*words, *(["--co", "-q"] if "-n" not in words else ["--agent=nothing"]), cwd=repository)
    assert "pw-025-raw-r0" in done.out, done.said
    if "-n" not in words:
        assert f"{number} test" in done.out or f"{number}/" in done.out, done.out


@pytest.mark.parametrize("words", [(), ("-n", "1")])
def test_a_session_of_left_out_cases_says_how_to_ask_for_them(repository: Path, words: tuple[str, ...]) -> None:
    done = run_pytest(*words, "-k", "ours", cwd=repository)
    assert done.code == 5, done.said
    assert "name their folder to play them: pytest tests/evals" in done.out


@pytest.mark.parametrize("words", [(), ("-n", "1"), ("--co",)])
def test_an_option_that_no_test_uses_is_refused(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "test_unit.py").write_text("def test_unit(): pass\n")
    options = ("--agent", "nosuch:make", "--baseline=none.json", "--tasks=nowhere")
    done = run_pytest(*options, *words, "--rootdir", str(tmp_path), cwd=tmp_path)
    assert done.code == 4, done.said
    told = "--agent, --baseline, --tasks: no test of this session uses them; add the folder of the cases: pytest evals "
    assert f"{told}... (`longtrail init` writes evals/)" in done.said
    assert "passed" not in done.out


@pytest.mark.parametrize("words", [(), ("tests", "-n", "1")])
def test_an_option_without_the_folder_of_the_cases_is_refused(repository: Path, words: tuple[str, ...]) -> None:
    done = run_pytest("--longtrail-agent=nothing", *words, cwd=repository)
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
