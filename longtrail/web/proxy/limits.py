"""Limits: how much the proxy accepts before it closes a connection, and what all its tunnels share. The limits are
enough for any browser, but not for a flood of requests."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from uvicorn.config import Config
from uvicorn.server import ServerState

from longtrail.web.world import World


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


class TunnelShared:
    """What all tunnels of a front share: uvicorn's settings, its state, and the limits."""

    def __init__(self, limits: ProxyLimits) -> None:
        self.limits = limits
        self.state = ServerState()
        self.answering: dict[asyncio.Task[Any], World] = {}
        """Requests being answered now, by the task that does it."""
        self.config = Config(
            app=_nothing,
            http="h11",
            ws="none",
            lifespan="off",
            loop="asyncio",
            log_config=None,
            proxy_headers=False,
            timeout_keep_alive=max(1, round(limits.idle_seconds)),
            h11_max_incomplete_event_size=limits.head_bytes,
        )
        self.config.load()

    def stop(self, world: World | None) -> None:
        """Cancel the pending answers of a world, or of all worlds."""
        for task, whose in self.answering.items():
            if world is None or whose is world:
                task.cancel()


async def _nothing(scope: object, receive: object, send: object) -> None:
    """Never called: every tunnel has its own app, but uvicorn's settings require one."""
