"""The user's agent in our process: what it raises is its failure, and what our code raises is not."""

from pathlib import Path
from typing import Any

import httpx
import litellm
import openai
import pytest

from longtrail.agents.own_agent import OwnAgent, model_trouble
from longtrail.errors import AgentError, AgentServerTrouble, HarnessTrouble
from longtrail.llm.call_book import FILE, CallBook
from longtrail.llm.client import Message
from longtrail.llm.limits import Limiter
from longtrail.llm.litellm_client import LiteLLMClient
from longtrail.llm.mock.faults import Fault
from longtrail.llm.mock.server import MockServer

HELLO = (Message(role="user", text="Hello."),)
VIEW: Any = None
"""These agents don't look."""


class Calling:
    """An agent that calls a model."""

    def __init__(self, client: LiteLLMClient) -> None:
        self._client = client

    def act(self, view: object) -> Any:
        return {"type": "finish", "answer": self._client.complete(HELLO).text}

    def observe(self, outcome: object, view: object) -> None:
        return None


class Raising(Calling):
    def act(self, view: object) -> Any:
        raise HarnessTrouble("site_error", "not mine, it says")


def played(folder: Path, server: MockServer, kind: type[Calling] = Calling) -> Any:
    limiter = Limiter(CallBook(folder))
    client = LiteLLMClient("openai/scripted-finisher", {"api_base": server.url, "first_wait": 0.01}, limiter=limiter)
    return OwnAgent(lambda: kind(client), knows_case=True).act(VIEW)


def test_what_the_agent_raises_is_its_failure(tmp_path: Path) -> None:
    """Also if it raises our own exceptions."""
    with MockServer() as server, pytest.raises(AgentError, match="not mine, it says"):
        played(tmp_path, server, Raising)


def test_limits_that_can_not_be_read_are_not_the_agent_s_failure(tmp_path: Path) -> None:
    CallBook(tmp_path)
    with MockServer() as server:

        class Spoiling(Calling):
            def act(self, view: object) -> Any:
                (tmp_path / FILE).write_bytes(b"no database " * 1000)
                return super().act(view)

        with pytest.raises(HarnessTrouble, match="can't be used") as caught:
            played(tmp_path, server, Spoiling)
    assert caught.value.kind == "storage"
    assert not server.requests


def test_a_date_that_python_can_not_read_is_not_the_agent_s_failure(tmp_path: Path) -> None:
    with MockServer(faults=[Fault("rate_limit", "Tue, 17 Mar 2026 12:00:00 -0000", 1)]) as server:
        assert played(tmp_path, server).action is not None
        assert len(server.requests) == 2


REQUEST = httpx.Request("POST", "http://127.0.0.1:9/v1/chat/completions")
SERVER = "http://127.0.0.1:9/v1"


def status(code: int) -> openai.APIStatusError:
    response = httpx.Response(code, request=REQUEST)
    return openai.APIStatusError(f"Error code: {code}", response=response, body=None)


class GenerationError(Exception):
    """As frameworks raise it from the client's exception."""


@pytest.mark.parametrize(
    ("cause", "server", "known"),
    [
        (openai.APIConnectionError(request=REQUEST), "", True),
        (openai.APITimeoutError(request=REQUEST), "", True),
        (type("SlowServer", (openai.APITimeoutError,), {"__module__": "openai.x"})(request=REQUEST), "", True),
        (status(429), "", True),
        (status(503), "", True),
        (status(400), "", False),
        (status(401), "", False),
        (litellm.exceptions.InternalServerError("x", "openai", "m"), "", True),
        (litellm.exceptions.BadRequestError("x", "m", "openai"), "", False),
        (httpx.ConnectError("refused", request=REQUEST), SERVER, True),
        (httpx.ConnectError("refused", request=REQUEST), "", False),
        (httpx.ConnectError("refused", request=REQUEST), "http://127.0.0.1:8/v1", False),
        (httpx.ConnectError("refused"), SERVER, False),
        (ConnectionError("APIConnectionError: HTTP 503"), SERVER, False),
        (KeyError("openai.APIConnectionError"), "", False),
    ],
)
def test_type_and_status_decide(cause: Exception, server: str, known: bool) -> None:
    error = GenerationError("Error in generating model output")
    error.__cause__ = cause
    assert isinstance(model_trouble(error, server), AgentServerTrouble) == known
    assert isinstance(model_trouble(cause, server), AgentServerTrouble) == known


def test_an_error_after_one_that_was_handled_is_the_agent_s() -> None:
    error = KeyError("id")
    error.__context__ = openai.APIConnectionError(request=REQUEST)
    assert model_trouble(error, SERVER) is None


def test_the_agent_is_not_blamed() -> None:
    class Unreachable:
        def act(self, view: object) -> Any:
            raise GenerationError("no answer") from openai.APIConnectionError(request=REQUEST)

        def observe(self, outcome: object, view: object) -> None:
            raise GenerationError("no answer")

    agent = OwnAgent(Unreachable, knows_case=True)
    view: Any = None
    with pytest.raises(AgentServerTrouble, match="the agent's model server failed: APIConnectionError") as caught:
        agent.act(view)
    assert caught.value.kind == "llm_server"
    with pytest.raises(AgentError):
        agent.observe(view, view)
