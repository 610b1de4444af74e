"""Retries: how often a model call is tried again, and how long to wait before."""

import email.utils
import math
from collections.abc import Mapping
from datetime import UTC, datetime

from pydantic import Field

from longtrail.records.record import Record


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
