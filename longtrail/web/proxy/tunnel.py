"""Tunnel: handles the content of a CONNECT. It terminates TLS, and uvicorn's protocol answers the HTTP/1.1 requests."""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Protocol, runtime_checkable

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from longtrail.checks.hosts import USUAL, Origin
from longtrail.records.trajectory import Request
from longtrail.web.proxy.exchange import SiteResponder
from longtrail.web.proxy.state import TunnelShared
from longtrail.web.site import Site
from longtrail.web.world import World

Headers = list[tuple[bytes, bytes]]
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
ANSWER_SECONDS = 60.0
"""Seconds for the app to answer the handshake."""
PIECE = 65_536
"""Maximum number of bytes forwarded at once."""
BAD_GATEWAY = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

QUIET = logging.getLogger("longtrail.web.proxy.tunnel")
QUIET.disabled = True
"""Errors of a connection are in its world's log; they are not printed to the terminal too."""


class Tunnel(H11Protocol):
    """One tunnel of one world to one origin; without TLS if that is an own app over plain HTTP."""

    def __init__(
        self, inside: TunnelShared, world: World, origin: Origin, site: Site | None, lost: Callable[[], None]
    ) -> None:
        super().__init__(inside.config, inside.state, {})
        self.logger = QUIET
        self.access_log = False
        self.app = SiteResponder(inside, world, origin, site, self._abort)
        self._limits, self._on_lost = inside.limits, lost
        self._world, self._origin, self._site = world, origin, site
        self._early = b""
        self._is_lost = self._in_head = False
        self._deadline: asyncio.TimerHandle | None = None

    def opened(self, transport: asyncio.Transport) -> None:
        """The handshake is done. Also handles bytes that arrived in its last packet."""
        if self._is_lost:
            return
        self.connection_made(transport)
        self._expect_head(self._limits.idle_seconds)
        if self._early:
            self.data_received(self._early)

    def data_received(self, data: bytes) -> None:
        """Decrypted bytes of requests."""
        if self.transport is None:
            self._early += data
            return
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._in_head = False
            self._cancel()
        elif not self._in_head:
            self._in_head = bool(self.conn.trailing_data[0])
            if self._in_head:  # more bytes don't extend the time limit from here on
                self._expect_head(self._limits.head_seconds)

    def _should_upgrade_to_ws(self) -> bool:
        """Called by uvicorn. Any other websocket is refused as a request."""
        return isinstance(self._site, WebsocketSite) and fits(self.headers, self._origin)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """From now on the connection is a websocket of an own app."""
        assert isinstance(self._site, WebsocketSite)
        self._is_lost = True  # for HTTP
        self._cancel()
        self.connections.discard(self)
        work = relay(self._site, self._world, self._origin, event.target, self.headers, self.transport)
        task = self.loop.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self.tasks.discard(task)
        self._on_lost()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection was closed."""
        self._is_lost = True
        self._cancel()
        if self.transport is not None:
            super().connection_lost(exc)
        self._on_lost()

    def _expect_head(self, seconds: float) -> None:
        self._cancel()
        self._deadline = self.loop.call_later(seconds, self._abort)

    def _cancel(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _abort(self) -> None:
        if self.transport is not None:
            self.transport.abort()


@runtime_checkable
class WebsocketSite(Protocol):
    """A site whose pages may use websockets."""

    async def connect(self) -> Streams:
        """A connection to it. Raises OSError."""
        ...


def fits(headers: Headers, origin: Origin) -> bool:
    """Whether the handshake is for the origin that the tunnel leads to."""
    named = dict(headers).get(b"host", b"").decode("latin-1").lower()
    return named.removesuffix(f":{USUAL[origin.scheme]}") == origin.authority


async def relay(
    site: WebsocketSite, world: World, origin: Origin, target: bytes, headers: Headers, client: asyncio.Transport
) -> None:
    """Forward the handshake, log the answer, and forward both sides' bytes until one of them closes the connection."""
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    client.set_protocol(protocol)
    protocol.connection_made(client)
    writer = asyncio.StreamWriter(client, protocol, reader, asyncio.get_running_loop())
    target = target.removeprefix(origin.base.encode())
    headers_sent = [(name, value) for name, value in headers if not name.startswith(b"proxy-")]
    head = b"".join([b"GET ", target, b" HTTP/1.1\r\n", *(b"%b: %b\r\n" % pair for pair in headers_sent), b"\r\n"])
    app: asyncio.StreamWriter | None = None
    try:
        status, answer = 502, BAD_GATEWAY
        world.log.begin()
        try:
            with contextlib.suppress(
                OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError
            ):
                async with asyncio.timeout(ANSWER_SECONDS):
                    app_reader, app = await site.connect()
                    app.write(head)
                    answer_head = await app_reader.readuntil(b"\r\n\r\n")
                    status, answer = int(answer_head.split(b" ", 2)[1]), answer_head
            note = {"dest": "websocket", "mode": "websocket", "world": world.name}
            world.log.add(Request(method="GET", url=f"{origin.base}{target.decode('latin-1')}", status=status, **note))
        finally:
            world.log.end()
        writer.write(answer)
        if app is not None and status != 502:
            await _both(reader, writer, app_reader, app)
    finally:
        for writer_to_close in filter(None, (app, writer)):
            writer_to_close.close()


async def _both(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    app_reader: asyncio.StreamReader,
    app: asyncio.StreamWriter,
) -> None:
    pumps = [asyncio.create_task(_pump(reader, app)), asyncio.create_task(_pump(app_reader, writer))]
    try:
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for pump in pumps:
            pump.cancel()
        await asyncio.gather(*pumps, return_exceptions=True)


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while piece := await source.read(PIECE):
            sink.write(piece)
            await sink.drain()
