"""An agent that takes too long, or uses too much, for a case has failed; other cases go on."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from longtrail.agents.case_limits import AgentThread, CaseLimits, LimitedModel
from longtrail.agents.own_agent import OwnAgent
from longtrail.errors import AgentError
from longtrail.llm.client import Reply
from longtrail.llm.mock.server import MockServer
from longtrail.records.trajectory import Usage
from longtrail.runs.store import Run
from tests.agents.views import Scripted
from tests.pytest_plugin.pytest_process import environment, run_pytest

VIEW: Any = None


def spin() -> None:
    while True:
        pass


def hold_on() -> None:
    """It catches everything that is raised in it."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            time.sleep(0.01)
        except BaseException:  # noqa: BLE001
            continue


@pytest.mark.parametrize(("act", "ending"), [(spin, ""), (hold_on, "its thread was left behind")])
def test_an_agent_that_never_returns_is_ended(act: Callable[[], Any], ending: str) -> None:
    limits = CaseLimits(0.5)
    with (
        pytest.raises(AgentError, match=r"longer than 0.5 s for this case \(--case-timeout\)") as caught,
        limits.turn(),
    ):
        OwnAgent(lambda: Scripted(end=lambda _: act()), knows_case=False, limits=limits).act(VIEW)
    assert ending in str(caught.value)
    fresh = CaseLimits(60)
    finish = {"type": "finish", "answer": "done"}
    with fresh.turn():
        move = OwnAgent(lambda: Scripted(end=lambda _: finish), knows_case=False, limits=fresh).act(VIEW)
    assert move.action is not None
    assert AgentThread.current is not None


def test_waiting_for_a_model_does_not_count_and_its_seconds_do() -> None:
    class Slow:
        name, vision = "slow", False

        def complete(self, *_: object, **__: object) -> Reply:
            time.sleep(0.3)
            return Reply(text="", usage=Usage(), model="slow", seconds=40.0)

    limits = CaseLimits(50)
    model = LimitedModel(Slow(), limits)
    with limits.turn():
        model.complete(())
    assert 9 < limits.seconds_left < 10.05
    with limits.turn():
        model.complete(())
    with pytest.raises(AgentError, match="longer than 50 s"):
        limits.check(())


EVALS = """
from longtrail.testing import cases

@cases("shopping_admin")
def test_ours(result):
    assert result.outcome == "passed"
"""
AGENT = """
import time
from longtrail.agents.guessers import Nothing

made = []

class Hanging(Nothing):
    def act(self, view):
        time.sleep(100_000)

def make(assignment, equipment):
    made.append(assignment)
    return (Hanging if len(made) == 1 else Nothing)(assignment, equipment)
"""


def test_a_run_goes_on_after_an_agent_that_hangs(tmp_path: Path) -> None:
    (tmp_path / "test_evals.py").write_text(EVALS)
    (tmp_path / "my_agent.py").write_text(AGENT)
    words = ("--task=pw-025", "--task=pw-026", "-m", "raw and not appeal", "--no-shots", "--agent=my_agent:make")
    done = run_pytest(*words, "--case-timeout=2", "--run=mine", cwd=tmp_path, seconds=300)
    assert done.code == 1, done.said
    hung, other = Run.open(tmp_path / "reports" / "runs" / "mine").results()
    assert (hung.outcome, other.outcome) == ("failed", "failed")
    assert "agent_error: it took longer than 2 s for this case (--case-timeout)" in hung.reason
    assert "agent_error" not in other.reason


@pytest.mark.slow
@pytest.mark.sampled(2)
@pytest.mark.parametrize("limit", ["--case-tokens=3000", "--case-cost=0.0001"])
def test_a_case_that_uses_too_much_has_failed(limit: str, tmp_path: Path) -> None:
    prices = ("--model-arg=input_cost_per_token=1e-6", "--model-arg=output_cost_per_token=1e-6")
    with MockServer() as server:
        model = ("--model=openai/scripted-careful", f"--model-arg=api_base={server.url}", *prices)
        words = ("--task=pw-025", "-m", "raw and not appeal", "--no-shots", f"--reports={tmp_path}", "--run=mine")
        done = run_pytest(*words, *model, limit, env=environment(OPENAI_API_KEY="none"))
    assert done.code == 1, done.said
    (result,) = Run.open(tmp_path / "runs" / "mine").results()
    assert result.outcome == "failed"
    assert limit.partition("=")[0] in result.reason
