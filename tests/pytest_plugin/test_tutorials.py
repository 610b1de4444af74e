"""The tutorials, followed to the letter, and the commands that README and the documents show, as far as they need no
key: in a new repository with the wheel. What needs a model is collected instead: its options are right, and it selects
at least one case."""

import re
import shutil
from pathlib import Path

import pytest

from tests.pytest_plugin.pytest_process import ROOT, environment, run_in, run_pytest
from tests.pytest_plugin.test_documented import DOCUMENTS, blocks_of

TEST = "from benchmark_tests.{0} import {1}\n\n__all__ = ['{1}']\n"


def played(folder: Path, *arguments: str, **variables: str) -> str:
    """The output of the command, run in a folder outside of the clone."""
    path = f"{folder}:{ROOT}"
    done = run_pytest("evals", *arguments, cwd=folder, env=environment(PYTHONPATH=path, **variables))
    return f"{done.code}\n{done.said}"


@pytest.mark.slow
def test_own_app(tmp_path: Path) -> None:
    (app,), (apps, tasks) = (blocks_of("docs/tutorial-app.md", language) for language in ("python", "yaml"))
    for name, text in {
        "app.py": app,
        "tasks/apps.yaml": apps,
        "tasks/refunds.yaml": tasks,
        "evals/test_apps.py": TEST.format("test_apps", "test_app"),
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert played(tmp_path, "--tasks=tasks", "-m", "app").startswith("0\n")
    (tmp_path / "tasks/refunds.yaml").write_text(tasks.replace("equals: 2", "equals: 3"), encoding="utf-8")
    broken = played(tmp_path, "--tasks=tasks", "-m", "app")
    assert broken.startswith("1\n")
    assert "Missed first: nothing else: at the end it is 2, not 3." in broken


@pytest.mark.thorough
def test_own_agent(tmp_path: Path) -> None:
    """With the scripted model, which wanders about, but whose answers are read as actions."""
    from longtrail.llm.mock.server import MockServer

    (agent,) = blocks_of("docs/tutorial-agent.md", "python")
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals" / "my_agent.py").write_text(agent, encoding="utf-8")
    (tmp_path / "evals" / "test_it.py").write_text(TEST.format("test_pathways", "test_funnel"), encoding="utf-8")
    with MockServer() as server:
        model = ("--model=openai/scripted-careful", f"--model-arg=api_base={server.url}", "--model-arg=api_key=none")
        options = ("-m", "raw and not appeal", "--task=pw-025", "--agent=evals.my_agent:make", "--no-shots")
        said = played(tmp_path, *options, *model)
    assert said.startswith("1\n"), said
    assert "0 passed · 1 failed · 0 invalid" in said, said


NOT_RUN = {
    r"--ray\b|s3://|\bnight\b|night-|merge \.\.\.": "needs a cluster, a bucket or several machines",
    r"--web live|check-live": "opens real sites",
    r"^longtrail (serve|browse|mock-model|record-task|play)\b": "runs until it is stopped",
    r"--agent (browsergym|human)|--site |--tasks=pathways": "needs BrowserGym, WebArena's sites or a person",
    r"import (webcanvas|pathways)|--noise-pool": "needs the papers' files",
    r"EX-UMBRELLA|umbrella\.yaml|import playwright|@evals|--url|-m app": "needs the files that its page shows",
    r"new-task": "its task is on an app that must be running",
    r"\b(RUN|SEED)\b": "stands for a name of the reader's",
}
"""Commands that are tested elsewhere or can't be, by a pattern, with the reason."""
SMALL = "--sample 1 --no-shots"


def commands(document: str) -> list[str]:
    """The commands in a document's blocks, without their comments."""
    shell = "\n".join(blocks_of(document, "", "bash"))
    lines = [re.sub(r"\s+#.*", "", line).strip() for line in re.sub(r" *\\\n *", " ", shell).splitlines()]
    return [line for line in lines if re.match(r"(pytest|longtrail) ", line)]


SHOWN = dict.fromkeys(line for document in DOCUMENTS for line in commands(document))
RUN = [line for line in SHOWN if not any(re.search(pattern, line) for pattern in NOT_RUN)]


@pytest.fixture(scope="module")
def repository(venv: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's repository: `init` was run, there are an agent, a task, and the two runs that are compared."""
    folder = tmp_path_factory.mktemp("repository")
    oracle = 'pytest evals -m "pathways and raw and not appeal" --agent oracle --sample 1 --no-shots --run'
    for command in ("longtrail init --agent python", *(f"{oracle} {name}" for name in ("shipped", "variant"))):
        done = run_in(venv, folder, command)
        assert done.code == 0, f"{command}\n{done.said}"
    shutil.copytree(ROOT / "examples" / "shop_task", folder / "tasks")
    shutil.copy(folder / "evals" / "my_agent.py", folder / "my_agent.py")
    return folder


@pytest.mark.thorough
@pytest.mark.parametrize("command", RUN)
def test_shown_commands_work(command: str, repository: Path, venv: Path) -> None:
    folder, key = "" if "evals" in command else " evals", {"OPENAI_API_KEY": "none"}
    if command.startswith("longtrail"):
        done = run_in(venv, repository, command, **key)
        assert done.code == 0, done.said
    elif "--model" in command and "--estimate" not in command:
        done = run_in(venv, repository, f"{command}{folder} --collect-only -q", **key)
        assert done.code == 0, done.said
        assert re.search(r"\b[1-9]\d*(/\d+)? tests? collected", done.said), done.said
    else:
        done = run_in(venv, repository, f"{command}{folder} {SMALL}", **key)
        own = "my_agent" in command  # the agent that `init` writes is a beginning
        assert done.code in ((0, 1) if own else (0,)), done.said
        assert "error:" not in done.said.casefold(), done.said
