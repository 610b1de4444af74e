"""Proxy server: the browser's only connection. A proxy on loopback, in its own thread, that never connects to other
machines.

Bytes flow `ProxyConnection` (proxy request, credentials) -> `Tunnel` (TLS ends, HTTP/1.1) -> `SiteResponder` (checks,
log) -> a site.
"""

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future

from longtrail.web.proxy.connection import ProxyConnection
from longtrail.web.proxy.state import ProxyLimits, ProxyState
from longtrail.web.site import Site
from longtrail.web.world import World


class ProxyServer:
    """Listens on 127.0.0.1 and serves each world to clients with its name and token.

    `start`, `stop`, `admit`, `forget` may be called from any thread; everything else only from the proxy's own.
    """

    def __init__(self, sites: Mapping[str, Site], limits: ProxyLimits, port: int = 0) -> None:
        self.state = ProxyState(sites, limits)
        self.on_stop: list[Callable[[], Awaitable[None]]] = []
        """Awaited in the proxy's loop after all connections were closed."""
        self._port = port
        self._stopping: asyncio.Event
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._socket: socket.socket | None = None

    @property
    def port(self) -> int:
        """Where it listens."""
        if self._socket is None:
            raise RuntimeError("the proxy is not started")
        return int(self._socket.getsockname()[1])

    def start(self) -> None:
        """Bind, and serve from a new thread. Raises OSError if the port is taken."""
        listener = socket.create_server(("127.0.0.1", self._port), backlog=256)
        ready: Future[None] = Future()
        serve = self._serve(listener, ready)
        self._thread = threading.Thread(target=asyncio.run, args=(serve,), name="longtrail-proxy", daemon=True)
        self._thread.start()
        ready.result(timeout=10)
        self._socket = listener

    def stop(self) -> None:
        """Close every connection and end the thread."""
        if self._loop is not None and self._thread is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)
            self._thread.join()
            self._loop = self._thread = self._socket = None

    def admit(self, world: World) -> None:
        """Let a world's clients in."""
        self.state.worlds[world.user] = world

    def forget(self, world: World) -> None:
        """Refuse new clients of this world, and close its connections."""
        self.state.worlds.pop(world.user, None)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self.state.cut, world)

    def open_port(self, world: World) -> int:
        """A port for this world alone, for a browser without credentials; closed with the world."""
        if self._loop is None:
            raise RuntimeError("the proxy is not started")
        listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        asyncio.run_coroutine_threadsafe(self._listen(listener, world), self._loop).result(timeout=10)
        return int(listener.getsockname()[1])

    async def _listen(self, listener: socket.socket, world: World) -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: ProxyConnection(self.state, world), sock=listener, backlog=256)

        def shut() -> None:
            loop.call_soon_threadsafe(server.close)

        world.on_close.append(shut)

    async def _serve(self, listener: socket.socket, ready: "Future[None]") -> None:
        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        server = await self._loop.create_server(lambda: ProxyConnection(self.state), sock=listener, backlog=256)
        ready.set_result(None)
        await self._stopping.wait()
        server.close()
        self.state.cut(None)
        await server.wait_closed()
        for call in self.on_stop:
            await call()
