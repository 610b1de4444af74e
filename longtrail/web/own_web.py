"""Own web: a proxy that leads only to the user's own apps. It replaces SealedWeb.

with OwnWeb() as web:
    world = web.open_world("refund-r0", origins=[origin_of("http://127.0.0.1:8000")])
    ...                                     # browser, proxy and log as in the sealed web
"""

import asyncio
from collections.abc import Iterable
from datetime import datetime
from typing import Any

import httpcore
from starlette.types import Receive, Scope, Send

from longtrail.checks.hosts import Origin
from longtrail.clock import NOW
from longtrail.web.live.forward import UNREACHABLE, ForwardedSite, onward, pass_on, target_of, unreachable
from longtrail.web.live.upstream import own_pool, unchecked_tls
from longtrail.web.proxy.state import ProxyLimits
from longtrail.web.sealed import SealedWeb
from longtrail.web.world import World

CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 60.0
"""Seconds from the request to the first byte, and between two pieces of the answer."""
IDLE_SECONDS = 5.0
"""Idle connections are closed after this short time, because an app may be restarted between two episodes."""


class OwnSite(ForwardedSite):
    """One origin. The address in the browser, the `Host` header and the connected address are the same."""

    def __init__(self, origin: Origin) -> None:
        super().__init__(origin.base)
        self._origin = origin
        self._timeout = {"connect": CONNECT_SECONDS, **dict.fromkeys(("read", "write", "pool"), ANSWER_SECONDS)}
        self._pool = own_pool(IDLE_SECONDS, retries=1)

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection for a websocket. Raises OSError, TimeoutError."""
        async with asyncio.timeout(CONNECT_SECONDS):
            tls = unchecked_tls() if self._origin.scheme == "https" else None
            return await asyncio.open_connection(self._origin.host, self._origin.port, ssl=tls)

    async def close(self) -> None:
        """Close every connection."""
        await self._pool.aclose()

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request. If a page can't be loaded, that is a fault of the site, not of the agent."""
        body, target = (await receive()).get("body", b""), target_of(scope)
        headers = dict(scope["headers"])
        document = headers.get(b"upgrade-insecure-requests") == b"1" or headers.get(b"sec-fetch-dest") == b"document"
        try:
            stream = self._stream(scope["method"], target, onward(scope["headers"], document), body)
            await pass_on(stream, send, document=document)
        except UNREACHABLE as error:
            url = f"{self._origin.base}{target.decode('latin-1')}"
            raise unreachable(error, url, scope["world"], home=document) from error

    def _stream(self, method: str, target: bytes, headers: list[tuple[bytes, bytes]], body: bytes) -> Any:
        scheme, host, port = self._origin
        url = httpcore.URL(scheme=scheme.encode(), host=host.encode(), port=port, target=target)
        return self._pool.stream(method, url, headers=headers, content=body, extensions={"timeout": self._timeout})


LIMITS = ProxyLimits(answer_seconds=600.0, body_bytes=50_000_000)
"""Higher than usual, because streams stay open and files are uploaded; the connection to the app has deadlines of its
own."""


class OwnWeb(SealedWeb):
    """Every world lists the addresses that it can reach."""

    sealed = False

    def __init__(self) -> None:
        super().__init__((), limits=LIMITS)
        self._sites: dict[str, OwnSite] = {}
        self._front.on_stop.append(self._close_sites)

    def open_world(
        self, name: str, *, like: World | None = None, now: datetime = NOW, origins: Iterable[Origin] = ()
    ) -> World:
        """A world that can reach these addresses, each with exactly this scheme and port."""
        world = super().open_world(name, like=like, now=now)
        for origin in origins:
            world.origins[origin.base] = self._sites.setdefault(origin.base, OwnSite(origin))
        return world

    async def _close_sites(self) -> None:
        for site in self._sites.values():
            await site.close()
