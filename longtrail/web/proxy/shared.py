"""Shared by tunnels: what all tunnels of a front share."""

import asyncio
from typing import Any

from uvicorn.config import Config
from uvicorn.server import ServerState

from longtrail.web.proxy.limits import ProxyLimits
from longtrail.web.world import World


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
