"""Own agent: the user's agent in our process. An exception in it is its own failure, unless our code raised it, or its
model's server caused it.

That is recognised by type and status in the chain of explicit causes (`raise ... from ...`), never by text: an
exception of a well-known client of models, or of any HTTP client if it called the server that the agent declares
(`--agent-arg base_url=`).
"""

import traceback
from collections.abc import Callable, Iterator
from typing import TypeVar
from urllib.parse import urlsplit

from longtrail.agents.agent import Agent, Move, Reflection
from longtrail.agents.case_limits import CaseLimits
from longtrail.browser.view import View
from longtrail.errors import AgentError, AgentServerTrouble, HarnessTrouble, LongtrailError, UsageError
from longtrail.records.trajectory import Outcome

OURS = (
    "longtrail.llm.",
    "longtrail.browser.",
    "longtrail.gym.",
    "longtrail.environment.",
    "longtrail.pytest_plugin.remote.",
)
"""Modules whose errors are not the agent's fault: model client, browser, a closed environment, and the way from a
worker of a cluster to the run's limits."""
SERVER = "longtrail.agents.remote"
"""The agent's server accepts no connection: before the first request, that is not the agent's failure."""
_MODEL_CLIENTS = frozenset(
    {"openai", "anthropic", "litellm", "mistralai", "groq", "cohere", "google", "pydantic_ai", "together", "ollama"}
)
"""Packages whose exceptions speak of a model's server."""
_HTTP_CLIENTS = frozenset({"httpx", "httpcore", "requests", "urllib3", "aiohttp", "huggingface_hub"})
_NO_ANSWER = frozenset(
    {"APIConnectionError", "APITimeoutError", "ModelConnectionError", "ServiceUnavailableError", "Timeout"}
    | {"ConnectError", "ConnectTimeout", "ReadTimeout", "ReadError", "RemoteProtocolError", "ConnectionError"}
    | {"ClientConnectorError", "ServerDisconnectedError", "ServerTimeoutError"}
)
"""Names of exceptions, or of their base classes, for a server that can't be reached, breaks off or does not answer."""
Answer = TypeVar("Answer")


class OwnAgent:
    """One phase of one episode, played by the user's agent. The agent is created at the first question."""

    def __init__(
        self, make: Callable[[], Agent], *, knows_case: bool, limits: CaseLimits | None = None, server: str = ""
    ) -> None:
        """`server`: the address of its model's server, as the user declared it."""
        self._server = server
        self._make, self._knows_case, self._limits = make, knows_case, limits or CaseLimits()
        self._agent: Agent | None = None

    def act(self, view: View) -> Move:
        """The agent's next action. Raises AgentError if the agent raises anything."""
        return self._guarded(lambda: _move(self._agent_of_case().act(view)))

    def observe(self, outcome: Outcome, view: View) -> Reflection | None:
        """The agent's reflection on an outcome. Raises AgentError if the agent raises anything."""
        return self._guarded(lambda: self._agent_of_case().observe(outcome, view))

    def _agent_of_case(self) -> Agent:
        if self._agent is None:
            try:
                self._agent = self._make()
            except UsageError as error:  # a required option is missing: the user can correct it
                raise _NotPlayable(str(error)) from error
        return self._agent

    def _guarded(self, call: Callable[[], Answer]) -> Answer:
        try:
            return self._limits.call(call)
        except _NotPlayable as error:
            raise UsageError(str(error)) from error
        except (AgentError, KeyboardInterrupt):
            raise
        except BaseException as error:  # SystemExit, and what pytest skips or ends a test with
            if isinstance(error, LongtrailError) and self._not_its_doing(error):
                raise
            if trouble := model_trouble(error, self._server):
                raise trouble from error
            raise AgentError(in_one_line(error), "".join(traceback.format_exception(error))) from error

    def _not_its_doing(self, error: LongtrailError) -> bool:
        frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
        module = str(frames[-1].f_globals.get("__name__", ""))
        unasked = isinstance(error, HarnessTrouble) and module == SERVER and not self._knows_case
        return module.startswith(OURS) or unasked


class _NotPlayable(LongtrailError):
    """The agent can't be created with these options."""


def _move(answer: object) -> Move:
    return answer if isinstance(answer, Move) else Move.model_validate({"action": answer})


def in_one_line(error: BaseException) -> str:
    """An exception's type and whole message, without pydantic's links to its documentation."""
    lines = (line.strip() for line in str(error).splitlines())
    message = " ".join(line for line in lines if line and not line.startswith("For further information visit"))
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def model_trouble(error: BaseException, server: str) -> AgentServerTrouble | None:
    """The trouble of the agent's model's server that caused this exception. `server`: the declared address."""
    for cause in _causes(error):
        package = type(cause).__module__.partition(".")[0]
        known = package in _MODEL_CLIENTS or (package in _HTTP_CLIENTS and server and _called(cause, server))
        status = _status(cause)
        names = {base.__name__ for base in type(cause).__mro__}
        if known and (status == 429 or status >= 500 or names & _NO_ANSWER):
            what = f"HTTP {status}" if status else " ".join(str(cause).split())[:200]
            return AgentServerTrouble("llm_server", f"the agent's model server failed: {type(cause).__name__}: {what}")
    return None


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__


def _status(error: BaseException) -> int:
    """Its HTTP status; 0 if it has none."""
    response = getattr(error, "response", None)
    for holder, name in ((error, "status_code"), (response, "status_code"), (error, "status"), (error, "code")):
        if isinstance(status := getattr(holder, name, None), int):
            return status
    return 0


def _called(error: BaseException, server: str) -> bool:
    """Whether the request of an HTTP client's exception went to this server."""
    try:
        request = getattr(error, "request", None)
    except RuntimeError:  # httpx: it has none
        return False
    return urlsplit(str(getattr(request, "url", ""))).netloc == urlsplit(server).netloc
