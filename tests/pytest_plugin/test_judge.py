"""Runs with `--judge`: recorded, replayed without a server, under the budget, and shown in table, page and trace."""

from pathlib import Path

import pytest

from longtrail.llm.mock.server import MockServer
from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import environment, run_pytest

CASES = ("-m", "raw and not appeal", "--task", "pw-025", "--agent", "oracle", "--no-shots")


@pytest.mark.thorough
def test_it_is_recorded_replayed_and_shown(tmp_path: Path) -> None:
    tape = tmp_path / "tape"
    with MockServer() as server:
        judge = ("--judge", "openai/scripted-judge", "--judge-arg", f"api_base={server.url}")
        args = (*CASES, *judge, f"--reports={tmp_path}/reports")
        recorded = run_pytest(*args, "--run", "recorded", f"--record={tape}")
        assert [asked.body["temperature"] for asked in server.requests] == [0.0]
    assert recorded.code == 0, recorded.said[-3000:]
    assert "second opinion on oracle, shopping_admin: kappa" in recorded.out
    replayed = run_pytest(*args, "--run", "replayed", f"--replay={tape}")
    assert replayed.code == 0, replayed.said[-3000:]
    first, second = (Run.open(tmp_path / "reports" / "runs" / name) for name in ("recorded", "replayed"))
    claims = [run.results()[0].claims for run in (first, second)]
    assert claims[0] == claims[1]
    assert all(claim.judged for claim in claims[0])
    assert second.results()[0].judge == "openai/scripted-judge"
    assert "Second opinion on what decisions claim" in (tmp_path / "reports" / "leaderboard.html").read_text()
    (trace,) = first.traces.glob("*.html")
    assert "Second opinion by" in trace.read_text()


@pytest.mark.thorough
def test_a_server_that_fails_leaves_the_case_as_it_is(tmp_path: Path) -> None:
    nowhere = ("--judge-arg", "api_base=http://127.0.0.1:9/v1", "--judge-arg", "retries=0")
    judge = ("--judge", "openai/scripted-judge", *nowhere)
    done = run_pytest(*CASES, *judge, f"--reports={tmp_path}/reports", "--run", "alone")
    assert done.code == 0, done.said[-3000:]
    (result,) = Run.open(tmp_path / "reports" / "runs" / "alone").results()
    assert result.outcome == "passed"
    assert result.judge_problem.startswith("llm_")
    assert "not fully judged: 1 cases" in done.out


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("--judge-arg", "a=b"), "--judge-arg: needs --judge"),
        (("--judge", "gpt-4.1"), "set OPENAI_API_KEY in the environment, or give --judge-arg api_base"),
        (("--judge", "nobody/knows"), "unknown model 'nobody/knows'"),
        (
            ("--judge", "openai/own", "--judge-arg", "api_base=http://127.0.0.1:9/v1", "--budget", "1"),
            "--budget: the price of model 'openai/own' is unknown; give --judge-arg input_cost_per_token=USD",
        ),
    ],
)
def test_what_cannot_work_is_said_at_once(tmp_path: Path, given: tuple[str, ...], told: str) -> None:
    done = run_pytest(*CASES, *given, f"--reports={tmp_path}/reports", env=environment(OPENAI_API_KEY=""))
    assert done.code == 4
    assert told in done.err
    assert not (tmp_path / "reports").exists()


def test_it_stands_in_the_estimate(tmp_path: Path) -> None:
    judge = ("--judge", "gpt-4.1-mini", "--model", "gpt-4.1", "--estimate", "--budget", "0.01")
    cases = ("-m", "raw and not appeal", "--task", "pw-025", f"--reports={tmp_path}/reports")
    done = run_pytest(*cases, *judge, env=environment(OPENAI_API_KEY="none"))
    assert done.code == 0, done.said[-3000:]
    assert "The judge gpt-4.1-mini: 1 calls, " in done.out
    assert "The whole run" in done.out
    assert "The budget of $0.01 will end the run early." in done.out
