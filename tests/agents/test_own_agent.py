"""The user's agent in our process: what it raises is its failure, and what our code raises is not."""

from pathlib import Path
from typing import Any

import pytest

from longtrail.agents.own_agent import OwnAgent
from longtrail.errors import AgentError, HarnessTrouble
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
