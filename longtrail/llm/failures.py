"""Failures: what went wrong in one try of a model call, and whether to try again."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

import httpx

from longtrail.errors import CredentialsError, HarnessTrouble, UsageError
from longtrail.llm.server_errors import (
    MAX_MESSAGE,
    ErrorKind,
    FailureKind,
    ServerError,
    chain,
    read_error,
    server_errors,
)

_LITELLM_KINDS = {
    "ContextWindowExceededError": "overflow",
    "ContentPolicyViolationError": "content_filter",
    "UnsupportedParamsError": "bad_parameter",
}
"""Exceptions of litellm that say more than the status. It decides by the message, too, so they don't count if that
quotes the prompt."""
_ADVICE = {
    "temperature": "say --model-arg temperature=none",
    "response_format": "say --model-arg json_mode=false",
    "max_completion_tokens": "say --model-arg max_tokens=N instead",
}
"""What to do, by the parameter that a server does not take; others were given by the user."""
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError, httpx.UnsupportedProtocol)
_REJECTIONS = frozenset({500, 501, 503, 529})
"""Server errors that providers don't bill. Others (502, 504, 520 ...) come from gateways."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong in one try."""

    kind: FailureKind
    message: str
    again: bool = False
    """Whether to try again."""
    whole_again: bool = False
    """Whether to try again without streaming."""
    headers: Mapping[str, str] = field(default_factory=dict)
    usd: float | None = None
    """Its cost; 0 if the server didn't begin to answer, None if nobody knows."""
    parameter: str = ""
    """The parameter that the server does not take."""

    def error(self, tries: int) -> Exception:
        """The exception that ends the call."""
        often = f" ({tries} tries)" if tries > 1 else ""
        assert self.kind != "refusal"  # that is an answer
        if self.kind == "credentials":
            return CredentialsError(self.message)
        return UsageError(self.message) if self.kind == "usage" else HarnessTrouble(self.kind, self.message + often)


def classify(error: Exception, model: str, prompt: str = "", parameters: Iterable[str] = ()) -> Failure:
    """Classify an exception of a model call; `refusal` counts as the agent's. The message is one line; the caller must
    remove secrets. `prompt`: all text that was sent; `parameters`: the names of the parameters that were sent."""
    return replace(_classified(error, model, prompt, parameters), usd=0.0 if _rejected(error) else None)


def _classified(error: Exception, model: str, prompt: str, parameters: Iterable[str]) -> Failure:
    server = f"the server of model {model!r}"
    if isinstance(error, ImportError):
        return Failure("usage", f"model {model!r} needs a package that is not installed: {error}")
    if not getattr(error, "litellm_response_headers", None) and (transport := _transport(error)):
        reason = f"{type(transport).__name__}: {transport}".rstrip(": ")
        if isinstance(transport, httpx.TimeoutException):
            return Failure("llm_timeout", f"{server} took too long: {reason}", again=True)
        return Failure("llm_network", f"{server} can't be reached or went away: {reason}", again=True)
    sent = read_error(error, prompt)
    name, kind = _kind(error, sent, parameters)
    message = sent.message[:MAX_MESSAGE]
    if kind is None:
        problem = "failed" if sent.status >= httpx.codes.INTERNAL_SERVER_ERROR else "rejects the request"
        text = f"{server} {problem} (HTTP {sent.status}): {message}"
        return Failure("llm_server", text, again=problem == "failed", headers=sent.headers)
    parameter = sent.parameter(parameters) if name == "bad_parameter" else ""
    advice = _advice(name, sent, parameter)
    status = "" if name == "no_completion" else f" (HTTP {sent.status}{advice})"
    text = f"{server} {kind.says}{status}: {message}"
    return Failure(kind.becomes, text, again=kind.again, headers=sent.headers, parameter=parameter)


def _kind(error: Exception, sent: ServerError, parameters: Iterable[str]) -> tuple[str, ErrorKind | None]:
    """litellm's own kind if it has one, otherwise the table's."""
    name = _LITELLM_KINDS.get(type(error).__name__, "")
    if name and not sent.quotes_prompt:
        return name, server_errors().kinds[name]
    if not sent.address and type(error).__name__ == "Timeout":
        return "time_out", server_errors().kinds["time_out"]
    return sent.kind(parameters)


def _advice(name: str, sent: ServerError, parameter: str) -> str:
    """What to do, as far as it is known."""
    if name == "bad_parameter":
        leave_out = f"leave out --model-arg {parameter}" if parameter else ""
        advice = _ADVICE.get(parameter, leave_out)
        return f"; {advice}" if advice else ""
    if name not in ("wrong_url", "unknown_model") or not sent.address:
        return ""
    parts = urlsplit(sent.address)
    called = f"{parts.scheme}://{parts.netloc}{parts.path}"
    complete = parts.path.startswith("/v1/") or name == "unknown_model"
    hint = "" if complete else f"; most servers want --model-arg api_base={parts.scheme}://{parts.netloc}/v1"
    return f" at {called}{hint}"


def _rejected(error: Exception) -> bool:
    """Whether the server rejected the request or never got it, so that nothing is billed. A gateway's error is no
    rejection: the server behind it may have answered."""
    if isinstance(error, ImportError):
        return True
    if not getattr(error, "litellm_response_headers", None) and (transport := _transport(error)):
        return isinstance(transport, _NEVER_SENT)
    answers = (cause.response.status_code for cause in chain(error) if isinstance(cause, httpx.HTTPStatusError))
    status = next(answers, None)
    if status is None:  # litellm also means what it doesn't understand
        status = getattr(error, "status_code", None)
        status = status if isinstance(status, int) and status < httpx.codes.INTERNAL_SERVER_ERROR else 0
    return status in _REJECTIONS or (400 <= status < 500 and status != httpx.codes.REQUEST_TIMEOUT)


def _transport(error: BaseException) -> httpx.TransportError | None:
    """The network error in the chain of causes; litellm reports it as a server error."""
    return next((cause for cause in chain(error) if isinstance(cause, httpx.TransportError)), None)
