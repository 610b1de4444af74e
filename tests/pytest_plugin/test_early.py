"""With `--episodes-per-worker`, what a project does before its tests still comes before their cases."""

import ast
import inspect
from pathlib import Path

import pytest

from longtrail.llm.mock.server import MockServer
from longtrail.pytest_plugin.early import DECIDING
from longtrail.records.action import Decide
from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import ROOT, environment, run_pytest
from tests.pytest_plugin.test_guest import FIXTURES

NOT_DECIDING = {"longtrail_launch_options", "longtrail_own_web", "longtrail_apps"}
"""The browser is the same for all cases, and cases on own apps are never played early."""
SEVERAL = ("--longtrail-episodes-per-worker=3", "--longtrail-no-shots", "-m", "raw and not appeal", "-q")
MINE = ("--longtrail-agent=tests.pytest_plugin.reporting:make",)


def test_every_fixture_that_decides_is_known() -> None:
    """A new fixture of ours is put into one of both lists."""
    ours = {
        node.name
        for file in (ROOT / "fixtures").glob("[!_]*.py")
        for node in ast.parse(file.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("longtrail_")
    }
    assert set(DECIDING) == ours - NOT_DECIDING


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Two folders with tests, each with a conftest.py that a test may write."""
    (tmp_path / "conftest.py").write_text(f"pytest_plugins = {FIXTURES!r}\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    return tmp_path


def write(project: Path, file: str, *parts: str) -> None:
    (project / file).write_text("import os\n\nimport pytest\n\n" + "\n\n".join(map(inspect.cleandoc, parts)) + "\n")


def a_test(suite: str, more: str = "", asks: str = "longtrail_result") -> str:
    """The text of a test of these cases."""
    return f"@pytest.mark.{suite}\n{more}def test_{suite}({asks}):\n    pass\n"


def play(project: Path, *words: str, **env: str) -> Run:
    """The run of the project's tests."""
    env = environment(PYTHONPATH=str(ROOT), OPENAI_API_KEY="none", **env)
    done = run_pytest(*SEVERAL, *words, "--longtrail-reports=kept", "--longtrail-run=mine", cwd=project, env=env)
    assert done.code in (0, 1, 7), done.said[-3000:]  # 7: a skipped case has no record
    assert "ScopeMismatch" not in done.said
    assert " error" not in done.out, done.said[-3000:]
    return Run.open(project / "kept" / "runs" / "mine")


def reports(run: Run) -> dict[str, str]:
    """Suite -> what the agent was told there; one text, or the test fails."""
    told: dict[str, set[str]] = {}
    for episode in run.episodes():
        action = episode.steps[-1].action
        assert isinstance(action, Decide)
        told.setdefault(episode.case.suite, set()).add(action.justification)
    assert all(len(texts) == 1 for texts in told.values()), told
    return {suite: texts.pop() for suite, texts in told.items()}


TASKS = ("--longtrail-task=pw-025", "--longtrail-task=pw-055", "--longtrail-task=SPAM_hard_005")
CLIENT = """
    from longtrail.llm.client import Reply
    from longtrail.records.trajectory import Usage


    class Client:
        name, vision = "mine", False

        def complete(self, messages, *, max_tokens=1024, json=False):
            return Reply(text="I do not know.", usage=Usage(calls=1), model="the-client-of-a")
"""


@pytest.mark.slow
@pytest.mark.sampled(2)
@pytest.mark.parametrize("scope", ["function", "session"])
def test_a_folder_with_its_own_client(scope: str, project: Path) -> None:
    """Its cases are played with it, the others are not. As with one episode after the other."""
    client = f"@pytest.fixture(scope={scope!r})\ndef longtrail_model_client():\n    return lambda name: Client()"
    write(project, "a/conftest.py", CLIENT, client)
    write(project, "a/test_one.py", a_test("shopping_admin"))
    write(project, "b/test_two.py", a_test("reddit"))
    with MockServer() as server:
        words = ("--longtrail-model=openai/scripted-finisher", f"--longtrail-model-arg=api_base={server.url}")
        run = play(project, *TASKS, *words)
    asked = {(each.case.suite, each.provenance.model_reported) for each in run.episodes()}
    assert asked == {("shopping_admin", "the-client-of-a"), ("reddit", "scripted-finisher")}
    assert len(run.results()) == 3


@pytest.mark.slow
def test_what_a_project_prepares_comes_first(project: Path) -> None:
    prepared = """
        @pytest.fixture(autouse=True)
        def prepared(request, monkeypatch):
            monkeypatch.setenv("PREPARED", "by " + request.node.function.__name__)
    """
    write(project, "a/test_one.py", a_test("reddit"))
    write(project, "b/test_two.py", prepared, a_test("shopping_admin"))
    assert reports(play(project, *TASKS, *MINE)) == {"reddit": "nothing", "shopping_admin": "by test_shopping_admin"}


@pytest.mark.slow
def test_functions_that_set_up_a_module_come_first(project: Path) -> None:
    setup = """
        def setup_module():
            os.environ["PREPARED"] = "yes"

        def teardown_module():
            del os.environ["PREPARED"]
    """
    write(project, "a/test_one.py", a_test("reddit"))
    write(project, "b/test_two.py", setup, a_test("shopping_admin"))
    assert reports(play(project, *TASKS, *MINE)) == {"reddit": "nothing", "shopping_admin": "yes"}


@pytest.mark.slow
@pytest.mark.sampled(4)
@pytest.mark.parametrize("skip", ["skip", "skipif(True, reason='no')", "xfail(run=False)", "hook"])
def test_what_is_skipped_is_not_played(skip: str, project: Path) -> None:
    hook = """
        def pytest_runtest_setup(item):
            if "b" in item.path.parts:
                pytest.skip("not here")
    """
    if skip == "hook":
        write(project, "b/conftest.py", hook)
    mark = "" if skip == "hook" else f"@pytest.mark.{skip}\n"
    write(project, "a/test_one.py", a_test("reddit"))
    write(project, "b/test_two.py", a_test("shopping_admin", mark))
    run = play(project, *TASKS, *MINE)
    assert {episode.case.suite for episode in run.episodes()} == {"reddit"}


@pytest.mark.slow
def test_what_a_project_has_open_already_delays_nothing(project: Path) -> None:
    """A fixture of the whole session, and one that asks for the result. The agent acts only when three are asked."""
    fixtures = """
        @pytest.fixture(scope="session", autouse=True)
        def whole_session():
            return 1

        @pytest.fixture
        def verdict(longtrail_result):
            return longtrail_result.outcome
    """
    write(project, "a/conftest.py", fixtures)
    write(project, "a/test_one.py", a_test("shopping_admin", asks="verdict"))
    tasks = ("--longtrail-task=pw-025", "--longtrail-task=pw-055", "--longtrail-task=pw-001")
    run = play(project, *tasks, "--longtrail-agent=tests.pytest_plugin.threaded:make")
    assert [each.outcome for each in run.results()] == ["failed"] * 3
