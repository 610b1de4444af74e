"""Websocket: an own app's websocket through a tunnel: the handshake is logged, then bytes are forwarded both ways."""

import asyncio
import contextlib
from typing import Protocol, runtime_checkable

from longtrail.checks.origin import USUAL, Origin
from longtrail.records.trajectory import Request
from longtrail.web.world import World

Headers = list[tuple[bytes, bytes]]
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
ANSWER_SECONDS = 60.0
"""Seconds for the app to answer the handshake."""
PIECE = 65_536
"""Maximum number of bytes forwarded at once."""
BAD_GATEWAY = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


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
