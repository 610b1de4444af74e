"""An agent in its own process: a real HTTP server with right and wrong answers."""

import asyncio
import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from longtrail.agents.agent import Agent, Equipment, Move, Reflection
from longtrail.agents.spec import AgentSpec
from longtrail.browser.view import View
from longtrail.errors import AgentError, HarnessTrouble, UsageError
from longtrail.records.action import Click
from longtrail.records.trajectory import Outcome, Usage
from tests.agents.views import case, task, view
from tests.serving import serving

PAGE = View(view(' [12] link "Cart"').observation, b"\xff\xd8jpeg")


class Programme:
    """Gives the answers that a test sets, and records what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.status, self.body, self.seconds, self.address = 200, b"{}", 0.0, ""

    def say(self, answer: object) -> None:
        self.body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()

    async def answer(self, request: Request) -> Response:
        self.asked.append((request.url.path, await request.json()))
        await asyncio.sleep(self.seconds)
        return Response(self.body, self.status)


@pytest.fixture
def programme() -> Iterator[Programme]:
    made = Programme()
    with serving(Starlette(routes=[Route("/{path}", made.answer, methods=["POST"])])) as made.address:
        yield made


def _agent(programme: Programme, **options: object) -> Agent:
    return AgentSpec.parse(programme.address).factory(case(), Equipment(options=dict(options)))


def _move(agent: Agent) -> Move:
    move = agent.act(PAGE)
    assert isinstance(move, Move)
    return move


def test_a_step_there_and_back(programme: Programme) -> None:
    agent = _agent(programme)
    usage = {"calls": 1, "prompt_tokens": 900, "cached_tokens": 0, "completion_tokens": 40, "usd": 0.01}
    programme.say({"action": {"type": "click", "id": "12"}, "thought": "The cart.", "usage": usage, "model": "m-1"})
    move = _move(agent)
    assert move.action == Click(id="12")
    assert (move.thought, move.model, move.raw) == ("The cart.", "m-1", "")
    assert move.usage == Usage.model_validate(usage)
    assert move.seconds > 0
    programme.say({"reflection": "The cart is empty.", "own": "business"})
    reflection = agent.observe(Outcome(ok=True, url=PAGE.url), PAGE)
    assert isinstance(reflection, Reflection)
    assert reflection.text == "The cart is empty."
    (act_path, act), (observe_path, observe) = programme.asked
    assert (act_path, observe_path) == ("/act", "/observe")
    assert act["episode"] == observe["episode"]
    assert (act["step"], observe["step"]) == (1, 1)
    assert act["assignment"] == case().model_dump(mode="json")
    assert act["observation"]["text"] == ' [12] link "Cart"'
    assert act["screenshot"] == "/9hqcGVn"
    assert observe["outcome"]["ok"] is True


def test_two_phases_are_two_episodes(programme: Programme) -> None:
    programme.say({"action": {"type": "back"}})
    for _ in range(2):
        _move(_agent(programme))
    assert len({asked["episode"] for _, asked in programme.asked}) == 2


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (b"I would click the cart.", "Invalid JSON"),
        (b"", "Invalid JSON"),
        (b"\xff\xfe", "Invalid JSON"),
        ([1, 2], "Input should be an object"),
        ({"action": {"type": "swipe", "id": "12"}}, "there is no action"),
        ({"action": {"type": "click", "id": "cart"}}, "String should match"),
        ({"action": None}, "an action is a JSON object"),
        ({}, "an action is a JSON object"),
        ({"action": {"type": "back"}, "usage": {"calls": "many"}}, "valid integer"),
    ],
)
def test_an_answer_of_another_form_is_the_agent_s_mistake(programme: Programme, answer: object, problem: str) -> None:
    programme.say(answer)
    move = _move(_agent(programme))
    assert move.action is None
    assert problem in move.problem
    assert move.raw == programme.body.decode("utf-8", "replace")


def test_a_refusal_is_passed_on(programme: Programme) -> None:
    programme.say({"refused": True, "thought": "I'd rather not."})
    assert _move(_agent(programme)).refused


def test_an_observe_without_words_is_none(programme: Programme) -> None:
    agent = _agent(programme)
    for body in (b"", b"{}", b"ok", b'{"reflection": ""}'):
        programme.say(body)
        assert agent.observe(Outcome(ok=True), PAGE) is None


@pytest.mark.parametrize("status", [204, 302, 404, 500, 503])
def test_a_bad_status_is_the_agent_s_failure(programme: Programme, status: int) -> None:
    programme.status = status
    programme.say(b"")
    with pytest.raises(AgentError, match=f"answered {status} to POST /act"):
        _move(_agent(programme))


def test_slowness_is_the_agent_s_failure(programme: Programme) -> None:
    programme.seconds = 300.0
    start = time.monotonic()
    with pytest.raises(AgentError, match=r"longer than 0.3 s"):
        _move(_agent(programme, timeout="0.3"))
    assert time.monotonic() - start < 60


def test_absence_makes_it_invalid(programme: Programme) -> None:
    agent = AgentSpec.parse("http://127.0.0.1:9").factory(task(), Equipment())
    with pytest.raises(HarnessTrouble, match=r"the agent at http://127.0.0.1:9 can't be reached") as caught:
        _move(agent)
    assert caught.value.kind == "llm_network"
    with pytest.raises(AgentError, match="can't be reached"):
        _move(agent)


def test_an_endless_answer_is_the_agent_s_failure(programme: Programme) -> None:
    programme.say(b" " * 5_000_000)
    with pytest.raises(AgentError, match="more than 4000000 bytes"):
        _move(_agent(programme))


@pytest.mark.parametrize("address", ["http://", "http:///x", "http://host:99/?key=1"])
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(UsageError, match="expected an address like"):
        _ = AgentSpec.parse(address).factory
