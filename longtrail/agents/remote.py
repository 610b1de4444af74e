"""remote: an agent in its own process, in any language, reached by JSON over HTTP (`--agent http://host:port`).

docs/remote-agent.md explains the messages. Each question has a connection of its own. An
answer in another form is the agent's mistake and uses up a step. If a server is too slow, breaks off or sends a status
other than 200, the case fails and is not played again, because the server may remember what it was shown. Only a server
that refuses the connection before its first question makes the episode invalid.
"""

import base64
import time
import uuid
from typing import Annotated, Any

import httpx
from pydantic import BaseModel, Field, ValidationError

from longtrail.agents.agent import Agent, AgentFactory, Assignment, Equipment, Move, Reflection
from longtrail.browser.view import View
from longtrail.errors import AgentError, HarnessTrouble, UsageError
from longtrail.records.action import Action
from longtrail.records.action_forms import read_action
from longtrail.records.observation import Observation
from longtrail.records.record import Record
from longtrail.records.trajectory import Outcome, Usage

ANSWER_SECONDS = 600.0
"""Longest time for one answer (option `timeout`)."""
MAX_BYTES = 4_000_000
"""Longest answer that is read."""
Words = Annotated[str, Field(max_length=100_000)]


class ActRequest(Record):
    """POST /act: what does the agent do next?"""

    episode: str
    """Names one phase of one episode."""
    step: int
    assignment: Assignment
    observation: Observation
    screenshot: str | None = None
    """JPEG in base64, element ids drawn in."""


class ActAnswer(BaseModel):
    """The answer to POST /act; other keys are ignored."""

    action: Action
    thought: Words = ""
    summary: Words = ""
    refused: bool = False
    usage: Usage = Usage()
    model: Annotated[str, Field(max_length=200)] = ""


class ObserveRequest(Record):
    """POST /observe: what the action did, and the page afterwards."""

    episode: str
    step: int
    outcome: Outcome
    observation: Observation
    screenshot: str | None = None


class ObserveAnswer(BaseModel):
    """The answer to POST /observe."""

    reflection: Words = ""
    usage: Usage = Usage()


class AnyAct(ActAnswer):
    """An answer whose action may be wrong: that is the agent's mistake, and read in a second step."""

    action: Any = None


class Remote:
    """One phase of one episode, played by a server."""

    def __init__(self, address: str, assignment: Assignment, seconds: float) -> None:
        self._address, self._seconds = address.rstrip("/"), seconds
        self._assignment, self._actions = assignment.model_dump(mode="json"), assignment.actions
        self._episode = uuid.uuid4().hex
        self._step = 0

    def act(self, view: View) -> Move:
        self._step += 1
        body, seconds = self._post("act", {"assignment": self._assignment, **_observation_fields(view)})
        try:
            answer = AnyAct.model_validate_json(body)
        except ValidationError as error:
            return Move(action=None, raw=_raw(body), problem=_first(error), seconds=seconds)
        action, problem = read_action(answer.action, self._actions)
        return Move(
            action=action,
            thought=answer.thought,
            problem=problem,
            raw=_raw(body) if action is None else "",
            summary=answer.summary,
            refused=answer.refused,
            usage=answer.usage,
            seconds=seconds,
            model=answer.model,
        )

    def observe(self, outcome: Outcome, view: View) -> Reflection | None:
        body, seconds = self._post("observe", {"outcome": outcome.model_dump(mode="json"), **_observation_fields(view)})
        try:
            answer = ObserveAnswer.model_validate_json(body or b"{}")
        except ValidationError:
            return None
        return Reflection(text=answer.reflection, usage=answer.usage, seconds=seconds) if answer.reflection else None

    def _post(self, path: str, message: dict[str, Any]) -> tuple[bytes, float]:
        """The answer's body and the seconds it took. Raises AgentError if there is none; HarnessTrouble if the server
        refused the connection for the phase's first question."""
        start, url = time.monotonic(), f"{self._address}/{path}"
        message = {"episode": self._episode, "step": self._step, **message}
        sender = f"the agent at {self._address}"
        try:
            with (
                httpx.Client(timeout=httpx.Timeout(self._seconds, connect=10.0), trust_env=False) as client,
                client.stream("POST", url, json=message) as response,
            ):
                if response.status_code != httpx.codes.OK:
                    raise AgentError(f"{sender} answered {response.status_code} to POST /{path}")
                body = b""
                for piece in response.iter_bytes():
                    body += piece
                    if len(body) > MAX_BYTES:
                        raise AgentError(f"{sender} answered with more than {MAX_BYTES} bytes")
                    if time.monotonic() - start > self._seconds:
                        raise AgentError(f"{sender} took longer than {self._seconds:g} s")
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            problem = f"{sender} can't be reached: {error}"
            if self._step == 1 and path == "act":
                raise HarnessTrouble("llm_network", problem) from error
            raise AgentError(problem) from error
        except httpx.TimeoutException as error:
            raise AgentError(f"{sender} took longer than {self._seconds:g} s") from error
        except httpx.HTTPError as error:
            raise AgentError(f"{sender} broke off: {error}") from error
        return body, time.monotonic() - start


def _observation_fields(view: View) -> dict[str, Any]:
    image = None if view.image is None else base64.b64encode(view.image).decode("ascii")
    return {"observation": view.observation.model_dump(mode="json"), "screenshot": image}


def _first(error: ValidationError) -> str:
    """The first problem in one line, without the input: that is kept in `raw`."""
    problem = error.errors(include_url=False, include_input=False)[0]
    field = ".".join(map(str, problem["loc"]))
    return f"the answer has the wrong form: {field + ': ' if field else ''}{problem['msg']}"


def _raw(body: bytes) -> str:
    return body[:16_000].decode("utf-8", "replace")


def at(address: str) -> AgentFactory:
    """The factory of the agent at an address."""
    parts = httpx.URL(address)
    if not parts.host or parts.query or parts.fragment:
        raise UsageError(f"agent {address!r}: expected an address like http://127.0.0.1:8700")

    def make_remote(assignment: Assignment, equipment: Equipment) -> Agent:
        seconds = equipment.options.get("timeout", ANSWER_SECONDS)
        return Remote(address, assignment, float(str(seconds)))

    return make_remote
