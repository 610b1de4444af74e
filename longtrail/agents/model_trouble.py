"""Model trouble: an exception of the user's own agent whose cause is its model's server, not the agent.

It is recognised by type and status in the chain of explicit causes (`raise ... from ...`), never by its text: as an
exception of a well-known client of models, or of any HTTP client if it called the server that the agent declares
(`--agent-arg base_url=`).
"""

from collections.abc import Iterator
from urllib.parse import urlsplit

from longtrail.errors import AgentServerTrouble

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
"""Names of exceptions for a server that can't be reached, breaks off or does not answer."""


def model_trouble(error: BaseException, server: str) -> AgentServerTrouble | None:
    """The trouble of the agent's model's server that caused this exception. `server`: the declared address."""
    for cause in _causes(error):
        package = type(cause).__module__.partition(".")[0]
        known = package in _MODEL_CLIENTS or (package in _HTTP_CLIENTS and server and _called(cause, server))
        status = _status(cause)
        if known and (status == 429 or status >= 500 or type(cause).__name__ in _NO_ANSWER):
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
