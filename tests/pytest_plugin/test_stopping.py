"""A model whose server refuses the key ends the whole run: one line, exit code 4, and nothing recorded is lost."""

from pathlib import Path

import pytest

from longtrail.llm.mock.server import MockServer
from longtrail.runs.store import Run
from tests.pytest_plugin.conftest import SIX
from tests.pytest_plugin.pytest_process import Done, environment, run_pytest

GOOD, REFUSED = "openai/scripted-finisher", "openai/scripted-finisher@unauthorized"
SECRET = "sk-canary-of-the-stopping-test"
TWO_TASKS = ("--task", "pw-025", "--task", "pw-055", "-m", "raw and not appeal")


def stopped(done: Done) -> None:
    """The run ended with one line, which doesn't show the key."""
    assert done.code == 4, done.said[-3000:]
    lines = [line for line in done.said.splitlines() if "refused the key (HTTP 401)" in line]
    assert len(lines) == 1, done.said[-3000:]
    assert SECRET not in done.said
    assert "Traceback" not in done.said


@pytest.mark.thorough
def test_a_refused_key_ends_the_run_in_every_worker(tmp_path: Path) -> None:
    models = ("--model", REFUSED, "--model", GOOD)
    with MockServer() as server:
        api = ("--model-arg", f"api_base={server.url}", *SIX)
        env = environment(OPENAI_API_KEY=SECRET)
        done = run_pytest(*models, *api, "-n", "2", f"--reports={tmp_path}", "--run", "mine", env=env)
        refused = [asked for asked in server.requests if asked.fault]
    stopped(done)
    assert len(refused) <= 2, "each further case would be refused, too"
    run = Run.open(tmp_path / "runs" / "mine")
    assert len(run.manifest.cases) == 12
    assert len(run.missing()) >= 3, "both workers stop at their next case"


@pytest.mark.thorough
def test_what_was_recorded_before_stays(tmp_path: Path) -> None:
    models = ("--model", GOOD, "--model", REFUSED)
    with MockServer() as server:
        api = ("--model-arg", f"api_base={server.url}", "--no-shots", *TWO_TASKS)
        env = environment(OPENAI_API_KEY=SECRET)
        done = run_pytest(*models, *api, f"--reports={tmp_path}", "--run", "mine", env=env)
        refused = [asked for asked in server.requests if asked.fault]
    stopped(done)
    assert len(refused) == 1
    run = Run.open(tmp_path / "runs" / "mine")
    recorded = sorted((str(result.contender.model), result.outcome) for result in run.results())
    assert recorded == [(GOOD, "failed"), (GOOD, "failed"), (REFUSED, "invalid")]
    assert {result.trouble.kind for result in run.results() if result.trouble} == {"cancelled"}
    assert len(run.missing()) == 1
    assert (tmp_path / "leaderboard.html").exists()
