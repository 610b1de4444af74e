"""Relay between a port of this machine and a socket file: the only connection of a process without network.

python3 relay.py tcp:8700 unix:door/agent.sock        # listens on the first, connects to the second
"""

import asyncio
import sys
from contextlib import suppress

Pair = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def connect(place: str) -> Pair:
    kind, _, where = place.partition(":")
    if kind == "unix":
        return await asyncio.open_unix_connection(where)
    return await asyncio.open_connection("127.0.0.1", int(where))


async def pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while piece := await reader.read(65536):
            writer.write(piece)
            await writer.drain()
    writer.close()


async def main(listen: str, target: str) -> None:
    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await connect(target)
        except OSError:
            writer.close()
            return
        await asyncio.gather(pour(reader, far_writer), pour(far_reader, writer))

    kind, _, where = listen.partition(":")
    if kind == "unix":
        server = await asyncio.start_unix_server(take, where)
    else:
        server = await asyncio.start_server(take, "127.0.0.1", int(where))
        where = str(server.sockets[0].getsockname()[1])
    print(where, flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
