"""An agent is looked up in the current directory first, and the run says which file it is from."""

import subprocess
from pathlib import Path

import pytest

from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import run_pytest

AGENT = "from longtrail.agents.guessers import Nothing as make\n"
EVALS = "from longtrail.testing import cases\n@cases('shopping_admin')\ndef test_ours(result):\n    pass\n"
ONE = ("evals", "--task=pw-025", "-m", "raw and not appeal", "--no-shots", "--agent=my_agent:make")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """One agent beside the tests, as `longtrail init` writes it, and one at the root, under version control."""
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals" / "my_agent.py").write_text("def make(task, equipment):\n    raise RuntimeError('the stub')\n")
    (tmp_path / "evals" / "test_evals.py").write_text(EVALS)
    (tmp_path / "my_agent.py").write_text(AGENT)
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@example.com")
    for words in (("init", "-q"), ("add", "my_agent.py"), ("commit", "-qm", "An agent")):
        subprocess.run([*git, *words], cwd=tmp_path, check=True, capture_output=True)
    return tmp_path


def test_the_agent_of_the_current_directory_plays_and_is_named(repository: Path) -> None:
    done = run_pytest(*ONE, "--run=mine", "--tag=prompt=v3", "--note=a shorter prompt", cwd=repository)
    assert done.code == 0, done.said
    run = Run.open(repository / "reports" / "runs" / "mine")
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=repository, check=True, capture_output=True, text=True)
    assert run.manifest.agents == {"my_agent:make": f"my_agent.py, commit {commit.stdout[:12]}"}
    assert "the stub" not in next(iter(run.results())).reason
    page = (run.folder / "index.html").read_text(encoding="utf-8")
    for text in (commit.stdout[:12], "my_agent:make", "prompt", "v3", "a shorter prompt"):
        assert text in page, text


def test_a_file_that_has_changed_is_marked(repository: Path) -> None:
    (repository / "evals" / "other.py").write_text(AGENT)
    done = run_pytest(*ONE[:-1], "--agent=evals.other:make", "--run=mine", cwd=repository)
    assert done.code == 0, done.said
    source = Run.open(repository / "reports" / "runs" / "mine").manifest.agents["evals.other:make"]
    assert source.startswith("evals/other.py, commit ")
    assert source.endswith("+")


def test_two_modules_of_one_name_are_refused(repository: Path) -> None:
    (repository / "evals" / "test_evals.py").write_text(f"import my_agent\n{EVALS}")
    done = run_pytest(*ONE, cwd=repository)
    assert done.code == 4, done.said
    assert "has the name of " in done.err
    assert "rename one of them" in done.err
