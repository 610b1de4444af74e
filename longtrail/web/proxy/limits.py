"""Limits: how much the proxy accepts before it closes a connection. Enough for any browser, but not for a flood of
requests."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProxyLimits:
    """Sizes in bytes, times in seconds."""

    head_bytes: int = 32_768
    body_bytes: int = 2_000_000
    connections: int = 256
    """Open connections of one world; a browser context opens at most 32 to its proxy."""
    all_connections: int = 1024
    head_seconds: float = 60.0
    """Seconds from a request's first byte to the end of its headers; also for TLS handshakes."""
    body_seconds: float = 60.0
    answer_seconds: float = 60.0
    idle_seconds: float = 300.0
    """Seconds between two requests; long, because a model may think for minutes."""


def head_size(headers: Iterable[tuple[bytes, bytes]]) -> int:
    """Size of these headers in bytes as sent."""
    return sum(len(name) + len(value) + 4 for name, value in headers)
