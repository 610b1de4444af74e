"""Proxy server: the browser's only connection. A proxy on loopback, in its own thread, that never connects to other
machines.

Bytes flow `ProxyConnection` (proxy request, credentials) -> `Tunnel` (TLS ends, HTTP/1.1) -> `SiteResponder` (checks,
log) -> a site.
"""

import asyncio
import hmac
import secrets
import socket
import threading
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from concurrent.futures import Future

from longtrail.web.proxy.connection import ProxyConnection
from longtrail.web.proxy.limits import ProxyLimits, TunnelShared
from longtrail.web.proxy.tls import Certificates
from longtrail.web.site import Site
from longtrail.web.world import World


class ProxyServer:
    """Listens on 127.0.0.1 and serves each world to clients with its name and token.

    `start`, `stop`, `admit`, `forget` may be called from any thread; everything else only from the proxy's own.
    """

    def __init__(self, sites: Mapping[str, Site], limits: ProxyLimits, port: int = 0) -> None:
        self.sites, self.limits = sites, limits
        self.certificates = Certificates()
        self.inside = TunnelShared(limits)
        self.open_world: World | None = None
        """Clients without credentials enter this world; only for a person's browser."""
        self.on_stop: list[Callable[[], Awaitable[None]]] = []
        """Awaited in the proxy's loop after all connections were closed."""
        self._port = port
        self._worlds: dict[str, World] = {}
        self._nobody = secrets.token_urlsafe(24)
        self._connections: dict[asyncio.Transport, World | None] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopping: asyncio.Event
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._socket: socket.socket | None = None

    @property
    def port(self) -> int:
        """Where it listens."""
        if self._socket is None:
            raise RuntimeError("the front is not started")
        return int(self._socket.getsockname()[1])

    def start(self) -> None:
        """Bind, and serve from a new thread. Raises OSError if the port is taken."""
        listener = socket.create_server(("127.0.0.1", self._port), backlog=256)
        ready: Future[None] = Future()
        serve = self._serve(listener, ready)
        self._thread = threading.Thread(target=asyncio.run, args=(serve,), name="longtrail-front", daemon=True)
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
        self._worlds[world.user] = world

    def forget(self, world: World) -> None:
        """Refuse new clients of this world, and close its connections."""
        self._worlds.pop(world.user, None)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._cut, world)

    def open_port(self, world: World) -> int:
        """A port for this world alone, for a browser without credentials; closed with the world."""
        if self._loop is None:
            raise RuntimeError("the front is not started")
        listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        asyncio.run_coroutine_threadsafe(self._listen(listener, world), self._loop).result(timeout=10)
        return int(listener.getsockname()[1])

    async def _listen(self, listener: socket.socket, world: World) -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: ProxyConnection(self, world), sock=listener, backlog=256)

        def shut() -> None:
            loop.call_soon_threadsafe(server.close)

        world.on_close.append(shut)

    def world_for(self, credentials: tuple[str, str] | None) -> World | None:
        """The world that these credentials open. Takes the same time for a wrong name as for a wrong token."""
        if credentials is None:
            return self.open_world
        name, token = credentials
        world = self._worlds.get(name)
        expected = world.token if world is not None else self._nobody
        return world if hmac.compare_digest(token.encode(), expected.encode()) else None

    def register_connection(self, transport: asyncio.Transport) -> bool:
        """Register a connection; False if there are too many."""
        self._connections[transport] = None
        return len(self._connections) <= self.limits.all_connections

    def admits(self, world: World, transport: asyncio.Transport) -> bool:
        """Record the connection's world; False if this world has too many."""
        self._connections[transport] = world
        return sum(other is world for other in self._connections.values()) <= self.limits.connections

    def lost(self, transport: asyncio.Transport) -> None:
        """A connection was closed."""
        self._connections.pop(transport, None)

    def spawn(self, work: Coroutine[None, None, None]) -> None:
        """Run it on the front's loop."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, listener: socket.socket, ready: "Future[None]") -> None:
        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        server = await self._loop.create_server(lambda: ProxyConnection(self), sock=listener, backlog=256)
        ready.set_result(None)
        await self._stopping.wait()
        server.close()
        self._cut(None)
        await server.wait_closed()
        for call in self.on_stop:
            await call()

    def _cut(self, world: World | None) -> None:
        """Abort a world's connections and what is being answered, or all."""
        self.inside.stop(world)
        for transport, whose in list(self._connections.items()):
            if world is None or whose is world:
                transport.abort()
