"""Retries: what went wrong in a try of a model call, whether to try again, and how long to wait before."""

import email.utils
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Literal

import httpx
from pydantic import Field

from longtrail.errors import CredentialsError, HarnessTrouble, TroubleKind, UsageError
from longtrail.records.record import Record

Kind = TroubleKind | Literal["credentials", "usage"]
_OVERFLOW = re.compile(
    r"context.?(length|window)|maximum context|prompt is too long|input is too long|too many (input )?tokens"
    r"|exceeds? the (maximum|model'?s?) .{0,40}(token|length)|reduce the length",
    re.IGNORECASE,
)
_FILTERED = re.compile(r"content.?(policy|filter|management)|moderation|flagged|safety system", re.IGNORECASE)
_NO_CREDIT = re.compile(
    r"insufficient_quota|exceeded your current quota|credit balance is too low|billing", re.IGNORECASE
)
_NO_TEMPERATURE = re.compile(
    r"(unsupported|not support|deprecated|invalid).{0,80}temperature|temperature.{0,80}"
    r"(unsupported|not support|deprecated)",
    re.IGNORECASE,
)
_HINT = " (say --model-arg temperature=none)"
MAX_MESSAGE = 500
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError, httpx.UnsupportedProtocol)
_REJECTIONS = frozenset({500, 501, 503, 529})
"""Server errors that providers don't bill. Others (502, 504, 520 ...) come from gateways."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong in one try."""

    kind: Kind
    message: str
    again: bool = False
    """Whether to try again."""
    whole_again: bool = False
    """Whether to try again without streaming."""
    headers: Mapping[str, str] = field(default_factory=dict)
    usd: float | None = None
    """Its cost; 0 if the server didn't begin to answer, None if nobody knows."""

    def error(self, tries: int) -> Exception:
        """The exception that ends the call."""
        often = f" ({tries} tries)" if tries > 1 else ""
        if self.kind == "credentials":
            return CredentialsError(self.message)
        return UsageError(self.message) if self.kind == "usage" else HarnessTrouble(self.kind, self.message + often)


def refused(error: Exception) -> bool:
    """Whether the provider rejected the prompt's content. That counts as the agent's, like a refusal."""
    status = _status(error)
    return type(error).__name__ == "ContentPolicyViolationError" or (
        status in (400, 403) and bool(_FILTERED.search(str(error))) and not _OVERFLOW.search(str(error))
    )


def classify(error: Exception, model: str) -> Failure:
    """Classify an exception of a model call. Its text is shortened to one line; the caller must remove secrets."""
    return replace(_classified(error, model), usd=0.0 if _rejected(error) else None)


def _classified(error: Exception, model: str) -> Failure:
    status, text = _status(error), _line(error)
    headers = getattr(error, "litellm_response_headers", None) or {}
    answered = bool(headers)
    server = f"the server of model {model!r}"
    if isinstance(error, ImportError):
        return Failure("usage", f"model {model!r} needs a package that is not installed: {text}")
    if not answered and (transport := _transport(error)):
        reason = f"{type(transport).__name__}: {transport}".rstrip(": ")
        if isinstance(transport, httpx.TimeoutException):
            return Failure("llm_timeout", f"{server} took too long: {reason}", again=True)
        return Failure("llm_network", f"{server} can't be reached or went away: {reason}", again=True)
    if status == 429:
        if _NO_CREDIT.search(text):
            return Failure("llm_budget", f"{server} has no credit left: {text}")
        return Failure("llm_rate_limit", f"{server} limits the rate: {text}", again=True, headers=headers)
    if status in (401, 403):
        return Failure("credentials", f"model {model!r}: the key was refused (HTTP {status}): {text}")
    if status == 404:
        return Failure("usage", f"model {model!r} is unknown to its server (HTTP 404): {text}")
    return _by_status(error, status, text, server, headers)


def _by_status(error: Exception, status: int, text: str, server: str, headers: Mapping[str, str]) -> Failure:
    if type(error).__name__ == "ContextWindowExceededError" or (status in (400, 413, 422) and _OVERFLOW.search(text)):
        return Failure("llm_context_overflow", f"{server} can't take a prompt of this length: {text}")
    if type(error).__name__ == "UnsupportedParamsError" or (status in (400, 422) and _NO_TEMPERATURE.search(text)):
        return Failure("usage", f"{server} does not take a parameter{_HINT * ('temperature' in text)}: {text}")
    if status == 408 or (type(error).__name__ == "Timeout" and not headers):
        return Failure("llm_timeout", f"{server} took too long: {text}", again=True, headers=headers)
    if 400 <= status < 500 and status not in (409, 425):
        return Failure("llm_server", f"{server} rejects the request (HTTP {status}): {text}")
    return Failure("llm_server", f"{server} failed (HTTP {status}): {text}", again=True, headers=headers)


def _rejected(error: Exception) -> bool:
    """Whether the server rejected the request or never got it, so that nothing is billed. A gateway's error is no
    rejection: the server behind it may have answered."""
    if isinstance(error, ImportError):
        return True
    if not getattr(error, "litellm_response_headers", None) and (transport := _transport(error)):
        return isinstance(transport, _NEVER_SENT)
    answers = (cause.response.status_code for cause in _chain(error) if isinstance(cause, httpx.HTTPStatusError))
    if (answered := next(answers, None)) is not None:
        return answered in _REJECTIONS or (400 <= answered < 500 and answered != 408)
    return 400 <= _status(error) < 500 and _status(error) != 408  # above, litellm also means what it doesn't understand


def _status(error: Exception) -> int:
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else 500


def _transport(error: BaseException) -> httpx.TransportError | None:
    """The network error in the chain of causes; litellm reports it as a server error."""
    return next((cause for cause in _chain(error) if isinstance(cause, httpx.TransportError)), None)


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__


def _line(error: Exception) -> str:
    """The message in one line, without litellm's prefixes."""
    text = " ".join(str(error).split())
    text = re.sub(r"^(litellm\.\w+: ?|\w+Error: ?|\w*Exception - ?)+", "", text)
    return text[:MAX_MESSAGE]


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
