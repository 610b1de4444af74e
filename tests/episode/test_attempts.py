"""Attempts: which ones count if a browser is lost."""

from collections.abc import Iterator

import httpx
import openai
import pytest

from longtrail.agents.agent import Assignment, Equipment
from longtrail.browser.session import Browser
from longtrail.browser.view import View
from longtrail.episode.case_attempt import CaseAttempt
from longtrail.episode.context import EpisodeContext, without_secrets
from longtrail.episode.runner import MAX_ATTEMPTS, trajectory_of
from longtrail.records.action import Action, Finish, Goto
from longtrail.records.trajectory import Contender, Outcome, Trajectory, Trouble
from longtrail.web.sealed import SealedWeb
from tests.made import case, decide, decision_task, play_case, trajectory
from tests.web.tiny.tiny_site import make as tiny

TASK = decision_task().model_copy(update={"start": "https://tiny.test/"})


class Killer:
    """An agent that finishes at once, unless the browser is lost just then."""

    def __init__(self, lost: bool) -> None:
        self._lost = lost

    def act(self, view: View) -> Action:
        return Goto(url="https://tiny.test/") if self._lost else Finish(answer="done")

    def observe(self, outcome: Outcome, after: View) -> None:
        raise AssertionError("there is no step after which it could go on")


@pytest.fixture
def web() -> Iterator[SealedWeb]:
    with SealedWeb([tiny()]) as web:
        yield web


def attempts(web: SealedWeb, browser: Browser, losses: int) -> list[Trajectory]:
    """The attempts at a case in which the browser is lost so many times."""
    left = iter(range(losses))

    def make(assignment: Assignment, equipment: Equipment) -> Killer:
        lost = next(left, None) is not None
        if lost:
            browser.engine.kill()
        return Killer(lost)

    kept: list[Trajectory] = []
    context = EpisodeContext(web, browser, Contender(agent="mine"), factory=make)
    play_case(case(), TASK, context, kept.append)
    return kept


def test_a_lost_browser_is_replaced_at_most_twice(web: SealedWeb) -> None:
    with Browser() as browser:
        found = attempts(web, browser, 9)
    assert [one.trouble and one.trouble.kind for one in found] == ["browser_crash"] * MAX_ATTEMPTS


def test_an_agent_whose_model_server_is_down_gets_one_further_attempt(web: SealedWeb, shared_browser: Browser) -> None:
    class Unreachable(Killer):
        def act(self, view: View) -> Action:
            raise openai.APIConnectionError(request=httpx.Request("POST", "http://127.0.0.1:9/v1"))

    kept: list[Trajectory] = []
    context = EpisodeContext(web, shared_browser, Contender(agent="mine"), factory=lambda *_: Unreachable(lost=False))
    play_case(case(), TASK, context, kept.append)
    assert [attempt.trouble and attempt.trouble.kind for attempt in kept] == ["llm_server"] * 2


def test_trouble_stands_in_the_part_that_was_begun(web: SealedWeb, shared_browser: Browser) -> None:
    """Also if it comes before the part's first step, such as a history that is too long for the model."""
    attempt = CaseAttempt(case(), TASK, EpisodeContext(web, shared_browser, Contender(agent="mine")))
    attempt.journal.phase = "a2"
    (end,) = trajectory_of(attempt, Trouble(kind="llm_context_overflow", message="too long")).ends
    assert (end.phase, end.reason) == ("a2", "trouble")


def test_keys_are_removed_from_what_agents_say_but_not_from_what_pages_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The observations are the evidence that is scored."""
    monkeypatch.setenv("OTHER_API_KEY", "order600-Xy7")
    step = decide(4, text="Order order600-Xy7")
    recorded = trajectory((step.model_copy(update={"thought": "It is order600-Xy7."}),))
    (kept,) = without_secrets(recorded).steps
    assert kept.thought == "It is [key]."
    assert kept.observation == step.observation
    assert "order600-Xy7" in kept.observation.text
