"""Which exceptions of the user's own agent are trouble of its model's server: by type and status, never by text."""

from typing import Any

import httpx
import litellm
import openai
import pytest

from longtrail.agents.model_trouble import model_trouble
from longtrail.agents.own_agent import OwnAgent
from longtrail.errors import AgentError, AgentServerTrouble

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
