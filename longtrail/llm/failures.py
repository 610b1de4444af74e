"""Failures: what went wrong in one try of a model call, whether and how often to try again, and how long to wait."""

import email.utils
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from urllib.parse import urlsplit

import httpx
from pydantic import Field

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
from longtrail.records.record import Record

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
        of_user = self.kind in ("credentials", "usage")
        return exception_of(self.kind, self.message + (f" ({tries} tries)" if tries > 1 and not of_user else ""))


def exception_of(kind: FailureKind, message: str) -> Exception:
    """The exception that ends a call for this kind of failure."""
    assert kind != "refusal"  # that is an answer
    if kind == "credentials":
        return CredentialsError(message)
    return UsageError(message) if kind == "usage" else HarnessTrouble(kind, message)


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


class RetryPolicy(Record):
    """Times in seconds. The defaults suit hosted models with prompts of 150,000 tokens."""

    retries: int = Field(default=6, ge=0)
    """Number of tries after the first."""
    rate_limit_retries: int = Field(default=12, ge=0)
    """The same for rate limits, which end after enough waiting."""
    timeout_retries: int = Field(default=2, ge=0)
    """The same for time-outs, each of which costs `idle` or `total` seconds."""
    first_wait: float = 1.0
    """Seconds before the first retry; doubles with each one."""
    longest_wait: float = 60.0
    longest_retry_after: float = 300.0
    """Maximum wait in seconds, even if the server asks for more."""
    connect: float = 15.0
    idle: float = 300.0
    """Maximum seconds without a byte; streamed: until the first token."""
    token: float = 60.0
    """Streamed: maximum seconds between two tokens."""
    total: float = 900.0
    """Maximum seconds for a whole answer."""

    def retries_of(self, kind: str) -> int:
        """Number of further tries for a kind of trouble."""
        return {"llm_rate_limit": self.rate_limit_retries, "llm_timeout": self.timeout_retries}.get(kind, self.retries)

    def wait(self, tries: int, headers: Mapping[str, str], chance: float) -> float:
        """Seconds until the next try after `tries` tries: our wait, which doubles, or the server's if that is longer.
        `chance` in [0, 1) is the jitter: it shortens our wait by up to a half and lengthens the server's by up to a
        tenth, so that workers that were rejected together don't retry together.
        """
        longest: float = min(self.longest_wait, self.first_wait * 2.0 ** (tries - 1))
        return max(longest * (1 - chance / 2), (self.requested_wait(headers) or 0.0) * (1 + chance / 10))

    def requested_wait(self, headers: Mapping[str, str]) -> float | None:
        """Seconds that the server asks to wait, as far as it is obeyed; None if it asks for nothing."""
        wait = retry_after(headers)
        return None if wait is None else min(wait, self.longest_retry_after)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The wait that a server asks for: `retry-after-ms`, or `retry-after` in seconds or as a date; else None."""
    folded = {name.lower(): value.strip() for name, value in headers.items()}
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(folded[name]) / unit
        except (KeyError, ValueError):
            continue
        if not math.isnan(seconds):
            return max(0.0, seconds)
    until = _date(folded.get("retry-after", ""))
    if until is None:
        return None
    now = _date(folded.get("date", "")) or datetime.now(UTC)  # the server's clock, because ours may be wrong
    return max(0.0, (until - now).total_seconds())


def _date(text: str) -> datetime | None:
    """A date of a header; without a zone, or with -0000, in UTC. None if it is no date."""
    try:
        date = email.utils.parsedate_to_datetime(text)
    except (ValueError, OverflowError, TypeError, IndexError):  # OverflowError: a year of 20 digits
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)
