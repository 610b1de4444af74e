"""The tutorials, followed to the letter: the files that they show, and the commands that need no key."""

import re
from pathlib import Path

import pytest

from tests.pytest_plugin.pytest_process import ROOT, environment, run_pytest

TEST = "from benchmark_tests.{0} import {1}\n\n__all__ = ['{1}']\n"


def blocks(tutorial: str, language: str) -> list[str]:
    text = (ROOT / "docs" / tutorial).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def played(folder: Path, *arguments: str, **variables: str) -> str:
    """The output of the command, run in a folder outside of the clone."""
    path = f"{folder}:{ROOT}"
    done = run_pytest("evals", *arguments, cwd=folder, env=environment(PYTHONPATH=path, **variables))
    return f"{done.code}\n{done.said}"


def test_own_app(tmp_path: Path) -> None:
    (app,), (apps, tasks) = blocks("tutorial-app.md", "python"), blocks("tutorial-app.md", "yaml")
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

    (agent,) = blocks("tutorial-agent.md", "python")
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals" / "my_agent.py").write_text(agent, encoding="utf-8")
    (tmp_path / "evals" / "test_it.py").write_text(TEST.format("test_pathways", "test_funnel"), encoding="utf-8")
    with MockServer() as server:
        model = ("--model=openai/scripted-careful", f"--model-arg=api_base={server.url}", "--model-arg=api_key=none")
        options = ("-m", "raw and not appeal", "--task=pw-025", "--agent=evals.my_agent:make", "--no-shots")
        said = played(tmp_path, *options, *model)
    assert said.startswith("1\n"), said
    assert "0 passed · 1 failed · 0 invalid" in said, said
