"""The GitHub workflow that `longtrail init` writes: each step's commands, run in a fresh repository.

GitHub itself is replaced by a small `gh` that keeps runs, artifacts and comments in a folder.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from longtrail.commands.main import main
from tests.pytest_plugin.pytest_process import Done, environment, process

pytestmark = pytest.mark.thorough  # nine episodes in three sessions
GH = '''#!{python}
"""gh run list | gh run download | gh api, over the folder {folder}."""
import pathlib, shutil, sys

folder, words = pathlib.Path({folder!r}), sys.argv[1:]
value = lambda name: words[words.index(name) + 1]
if words[:2] == ["run", "list"]:
    branch = folder / "artifacts" / value("--branch")
    print(branch.name if branch.is_dir() else "")
elif words[:2] == ["run", "download"]:
    shutil.copy(folder / "artifacts" / words[2] / "baseline.json", "baseline.json")
elif words[0] == "api" and "--method" not in words:
    print("\\n".join(path.name for path in sorted((folder / "comments").glob("*"))))
elif words[0] == "api":
    number = value("--method") == "POST" and str(len(list((folder / "comments").glob("*"))) + 1)
    path = folder / "comments" / (number or words[3].rsplit("/")[-1])
    path.parent.mkdir(exist_ok=True)
    path.write_text(pathlib.Path(value("--field").removeprefix("body=@")).read_text())
'''


@dataclass
class Repository:
    """A repository with a workflow, and the folder of the replaced GitHub."""

    folder: Path
    github: Path
    venv: Path

    def run_workflow(self, event: str, branch: str) -> Done:
        """Run the steps of one event as GitHub's runner would: each with `bash -e`, in order, until one fails; those
        with `always()` in any case. Returns the first step that failed, or the last one."""
        workflow = yaml.safe_load((self.folder / ".github/workflows/longtrail.yml").read_text("utf-8"))
        for made in ("baseline.json", "made", "summary.md", "comment.md"):  # a new checkout has none
            path = self.folder / made
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        result: Done | None = None
        for step in workflow["jobs"]["evals"]["steps"]:
            condition = step.get("if", "")
            other_event = "github.event_name" in condition and f"'{event}'" not in condition
            if "run" not in step or other_event or (result and result.code and "always()" not in condition):
                continue
            done = self._run_step(step, branch)
            result = result if result and result.code else done
        made = self.folder / "made" / "baseline.json"
        if made.exists():  # the step "Keep the baseline"
            kept = self.github / "artifacts" / branch
            kept.mkdir(parents=True, exist_ok=True)
            shutil.copy(made, kept)
        assert result is not None
        return result

    def _run_step(self, step: dict[str, Any], branch: str) -> Done:
        assert "${{" not in step["run"], "values come from the environment, so that no branch name becomes a command"
        path = os.pathsep.join((str(self.github), str(self.venv / "bin"), os.environ["PATH"]))
        env = environment(PATH=path, BRANCH=branch, REPOSITORY="me/agent", PULL_REQUEST="7", PIP_NO_INDEX="1")
        env.pop("CI", None)
        return process("bash", "-e", "-o", "pipefail", "-c", step["run"], cwd=self.folder, env=env)

    @property
    def comments(self) -> list[str]:
        """The texts of the pull request's comments."""
        return [path.read_text("utf-8") for path in sorted((self.github / "comments").glob("*"))]


@pytest.fixture
def repository(venv: Path, tmp_path: Path) -> Repository:
    """A repository in which `longtrail init --agent python` has run, with few cases and an agent that passes them."""
    folder, github = tmp_path / "repository", tmp_path / "github"
    folder.mkdir()
    github.mkdir()
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    assert main(["init", str(folder), "--agent", "python"]) == 0
    arguments = folder / "evals" / "gate.args"
    few = arguments.read_text("utf-8").replace("--sample=12", "--sample=1")
    arguments.write_text(few.replace("--agent=evals.my_agent:make", "--agent=oracle"), encoding="utf-8")
    gh = github / "gh"
    gh.write_text(GH.format(python=sys.executable, folder=str(github)), encoding="utf-8")
    gh.chmod(0o755)
    return Repository(folder, github, venv)


def test_the_workflow_works_from_the_first_pull_request_on(repository: Repository) -> None:
    first = repository.run_workflow("pull_request", "feature")
    assert first.code == 0, first.said
    (comment,) = repository.comments
    assert "There was no baseline yet" in comment
    main_branch = repository.run_workflow("push", "main")
    assert main_branch.code == 0, main_branch.said
    arguments = repository.folder / "evals" / "gate.args"
    other = arguments.read_text("utf-8").replace("--agent=oracle", "--agent=evals.my_agent:make")
    arguments.write_text(f"{other}--baseline-contender=oracle\n", "utf-8")  # it stands for the same agent, changed
    worse = repository.run_workflow("pull_request", "worse")
    assert worse.code == 1, worse.said
    (comment,) = repository.comments  # updated, not repeated
    assert "There was no baseline yet" not in comment
    assert "REGRESSION" in comment
