"""Times: how the forum shows times, and how the world's data write them. All in UTC, relative to the world's clock."""

import re
from datetime import UTC, datetime, timedelta

UNITS = (("year", 365 * 86_400), ("month", 30 * 86_400), ("week", 7 * 86_400), ("day", 86_400), ("hour", 3_600))
OFFSET = re.compile(r"^\+(?=\d)(?:(\d+)d)?\s?(?:(\d+)h)?\s?(?:(\d+)m)?$")


def moment(seconds: int) -> datetime:
    """Seconds since the epoch as an aware datetime."""
    return datetime.fromtimestamp(seconds, UTC)


def date(seconds: int) -> str:
    """`January 16, 2026`."""
    at = moment(seconds)
    return f"{at:%B} {at.day}, {at.year}"


def absolute(seconds: int) -> str:
    """`January 16, 2026 at 09:12`."""
    return f"{date(seconds)} at {moment(seconds):%H:%M}"


def iso(seconds: int) -> str:
    """For `datetime` attributes."""
    return moment(seconds).isoformat()


def ago(seconds: int, now: int) -> str:
    """`3 days ago`, `just now`; months and years are whole 30 and 365 days."""
    passed = now - seconds
    for unit, size in UNITS:
        if passed >= size:
            count = passed // size
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    minutes = passed // 60
    return f"{minutes} minute{'s' if minutes > 1 else ''} ago" if minutes > 0 else "just now"


def parse(text: str, start: int | None = None) -> int:
    """`2026-01-16 09:12` (UTC), or `+1d4h`, `+35m` after `start`; in seconds. Raises ValueError."""
    if offset := OFFSET.match(text):
        if start is None:
            raise ValueError(f"{text!r} counts from a submission, and there is none here")
        days, hours, minutes = (int(part or 0) for part in offset.groups())
        return start + int(timedelta(days=days, hours=hours, minutes=minutes).total_seconds())
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())
