"""The first ten minutes of a user: the commands of README's first screens, in an empty folder, from a wheel."""

import os
import re
import runpy
import socket
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import yaml

import longtrail
from longtrail.authoring.validity.check import read_own
from longtrail.commands.init import AGENTS, WORKFLOWS, requirement
from longtrail.commands.main import main
from longtrail.episode.own_apps import answers
from longtrail.llm.mock.server import MockServer
from tests.pytest_plugin.pytest_process import ROOT, environment, run_in
from tests.pytest_plugin.test_documented import blocks_of


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


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="folders of a virtual environment")


def commands_of(document: str, block_number: int = 0) -> list[str]:
    """The commands of one of a document's blocks, by default the first."""
    block = blocks_of(document, "")[block_number]
    return [line.partition("  #")[0].strip() for line in block.splitlines() if line.strip()]


def test_readme_begins_with_the_two_commands_that_work_on_a_fresh_machine() -> None:
    """Nothing is on the package index yet, so README must not begin with a command that needs it."""
    assert commands_of("README.md") == ["script/demo", "script/test"]
    for command in commands_of("README.md"):
        assert os.access(ROOT / command, os.X_OK), command


LITTLE = {"long_context": "--sample=1 --lengths=0", "hint": "--sample=1 -k hint-r0", "": "--sample=1 -k raw-r"}
"""What makes a command of README small, by a word that it has."""


@pytest.mark.thorough
def test_every_command_of_readme_works_in_order(venv: Path, tmp_path: Path) -> None:
    """In an empty folder, with the wheel; a scripted model stands in for OpenAI's. `.ci/run` runs the first block."""
    readme = "README.md"
    (tmp_path / "my_agent.py").write_text(blocks_of(readme, "python")[0])
    blocks = len(blocks_of(readme, ""))
    first, *commands = [line for block in range(1, blocks) for line in commands_of(readme, block)]
    assert first == "pip install ../longtrail"  # in this environment it is installed
    assert len(commands) >= 12
    assert "script/demo" in (ROOT / ".ci" / "run").read_text("utf-8")
    with MockServer(stand_in="scripted-careful") as server:
        for command in commands:
            runs = sorted((tmp_path / "reports" / "runs").glob("[0-9]*"))
            command = command.replace("RUN", runs[-1].name) if runs else command
            if command.startswith("pytest"):
                command = re.sub(r"--sample \d+ ?", "", command).replace("-n 8", "-n 2")
                command += " --no-shots " + next(few for word, few in LITTLE.items() if word in command)
            key = {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": server.url}
            done = run_in(venv, tmp_path, command, **key)
            agent_plays = command.startswith("pytest") and "--estimate" not in command and "--baseline" not in command
            assert done.code in ((0, 1) if agent_plays else (0,)), f"{command}\n{done.said[-3000:]}"
            assert ("Cost: about $" in done.out) == ("--estimate" in command)
            assert " 0 invalid" in done.out or not agent_plays, f"{command}\n{done.said[-3000:]}"
    assert (tmp_path / "reports" / "leaderboard.html").is_file()


def next_commands(out: str) -> list[str]:
    """The next commands that `longtrail init` printed."""
    lines = out.partition("Next:\n")[2].partition("\n\n")[0].splitlines()
    return [line.partition("#")[0].strip() for line in lines]


@contextmanager
def running(venv: Path, folder: Path, command: str) -> Iterator[None]:
    """Run a command in the background. Waits until it listens at the port that is its last word."""
    words = [str(venv / "bin" / "python"), *command.removesuffix("&").split()[1:]]
    process = subprocess.Popen(words, cwd=folder, env=environment(), stdin=subprocess.DEVNULL)
    try:
        while answers(f"http://127.0.0.1:{words[-1]}"):
            assert process.poll() is None, command
        yield
    finally:
        process.kill()
        process.wait()


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["http", "cdp"])
def test_what_init_prints_next_works(venv: Path, tmp_path: Path, kind: str) -> None:
    """Each stub plays a long-context task and a decision, as printed."""
    made = run_in(venv, tmp_path, f"longtrail init --agent {kind}")
    assert made.code == 0, made.said
    *start, play, _ = [one for one in next_commands(made.out) if not one.startswith("longtrail")]
    assert len(start) == (kind == "http")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
    few = "--sample 1 --lengths 0 --no-shots"
    with ExitStack() as meanwhile:
        for command in start:
            meanwhile.enter_context(running(venv, tmp_path, command.replace("9000", port)))
        mine = play.replace("9000", port)
        first = run_in(venv, tmp_path, f"{mine} {few}")
        decided = run_in(venv, tmp_path, f'{mine} -m "own and raw and not appeal" --tasks=evals/tasks --no-shots')
    for done in (first, decided):  # the stubs look at the start page only
        assert "0 passed · 1 failed · 0 invalid" in done.out, done.said[-3000:]
    assert "ex-umbrella-raw-r0: " in decided.out


@pytest.mark.thorough
def test_the_example_task_of_init_is_solved(venv: Path, tmp_path: Path) -> None:
    """By the oracle, with the command that `longtrail init` prints last. It is the same for each kind of agent."""
    *_, own = next_commands(run_in(venv, tmp_path, "longtrail init").out)
    solved = run_in(venv, tmp_path, f"{own} --no-shots -n 2")
    assert solved.code == 0, solved.said[-3000:]
    assert "5/5 · 5 passed" in solved.out


@pytest.mark.parametrize("kind", list(AGENTS))
def test_what_init_writes_is_valid_and_never_overwritten(kind: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    for ci, workflow in WORKFLOWS.items():
        assert main(["init", str(tmp_path), "--agent", kind, "--ci", ci]) == 0
        text = (tmp_path / workflow).read_text()
        assert yaml.safe_load(text)
        assert "START" not in text
        assert ("python evals/my_agent.py 9000 &" in text) == (kind == "http")
    assert (tmp_path / "pyproject.toml").read_text() == "[project]\n"
    arguments = (tmp_path / "evals" / "gate.args").read_text()
    assert "AGENT" not in arguments
    assert ("--budget" in arguments) == (kind == "model")  # other agents' costs are not known
    assert read_own(tmp_path / "evals" / "tasks")
    assert "import test_app\n" in (tmp_path / "evals" / "test_benchmark.py").read_text()  # tasks on an app of their own
    if kind != "model":
        compile((tmp_path / "evals" / "my_agent.py").read_text(), "my_agent.py", "exec")


def test_what_init_writes_finds_the_cases_of_a_clone(tmp_path: Path) -> None:
    """Longtrail may be installed with `pip install -e`: then its cases are not inside the package."""
    assert main(["init", str(tmp_path), "--ci", "none"]) == 0
    names = runpy.run_path(str(tmp_path / "evals" / "test_benchmark.py"))
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "benchmark_tests").glob("test_*.py"))
    assert sorted(re.findall(r"^def (test_\w+)", text, re.MULTILINE)) == sorted(names["__all__"])
    assert {names[name].__module__.rpartition(".")[0] for name in names["__all__"]} == {"longtrail.benchmark_tests"}


@pytest.mark.parametrize("ci", ["github", "gitlab", "none"])
def test_init_writes_the_workflow_that_was_asked_for_and_no_settings(ci: str, tmp_path: Path) -> None:
    assert main(["init", str(tmp_path), "--ci", ci]) == 0
    assert {name for name, file in WORKFLOWS.items() if (tmp_path / file).exists()} == {ci} - {"none"}
    assert {path.name for path in tmp_path.iterdir()} <= {"evals", "reports", ".github", ".gitlab-ci.yml"}
    name, _, version = requirement().partition("==")
    assert (name, version) == ("longtrail", longtrail.__version__)


def test_doctor_tells_keys_by_name_only(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-something-secret")
    monkeypatch.setenv("https_proxy", "http://user:word@proxy:3128")
    main(["doctor"])
    told = capsys.readouterr().out
    assert "OPENAI_API_KEY" in told
    assert "https_proxy" in told
    assert "secret" not in told
    assert "word" not in told.replace("words", "")
    for what in ("versions", "browser", "fonts", "sandbox", "memory", "disk"):
        assert what in told


def test_doctor_names_the_way_to_a_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LONGTRAIL_CHROMIUM", str(tmp_path / "none"))
    assert main(["doctor"]) == 1
    assert "longtrail install-browser" in capsys.readouterr().out
    assert main(["install-browser"]) == 4
