"""State: the proxy's limits, and what its connections and tunnels share. The limits are enough for any browser, but not
for a flood of requests."""

import asyncio
import hmac
import secrets
import ssl
from collections.abc import Coroutine, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import trustme
from uvicorn.config import Config
from uvicorn.server import ServerState

from longtrail.web.site import Site
from longtrail.web.world import World

ORGANIZATION, UNIT = "Longtrail", "Stands in for the host named; not affiliated with it"
"""The organisation named in certificates."""
OUTSIDE = "outside.invalid"
"""The certificate's name for refusals; browsers are told to ignore certificate errors."""


class Certificates:
    """One authority, and one certificate per host (about 2 ms each, on first use)."""

    def __init__(self) -> None:
        self._authority = trustme.CA(organization_name=ORGANIZATION, organization_unit_name="Sealed web")
        self._contexts: dict[str, ssl.SSLContext] = {}

    @property
    def authority_pem(self) -> bytes:
        """The authority's certificate, for clients that verify."""
        return self._authority.cert_pem.bytes()

    def context(self, host: str) -> ssl.SSLContext:
        """The server's TLS settings for a host; HTTP/1.1 only."""
        if host not in self._contexts:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.set_alpn_protocols(["http/1.1"])
            certificate = self._authority.issue_cert(host, organization_name=ORGANIZATION, organization_unit_name=UNIT)
            certificate.configure_cert(context)
            self._contexts[host] = context
        return self._contexts[host]


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
    """What all tunnels of a proxy share: uvicorn's settings, its state, and the limits."""

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


class ProxyState:
    """What the proxy's connections share: the sites, the worlds with their credentials, and what is open. `worlds` is
    used by several threads, everything else only by the proxy's own."""

    def __init__(self, sites: Mapping[str, Site], limits: ProxyLimits) -> None:
        self.sites, self.limits = sites, limits
        self.certificates = Certificates()
        self.inside = TunnelShared(limits)
        self.worlds: dict[str, World] = {}
        """The worlds that clients may enter, by user name."""
        self.open_world: World | None = None
        """Clients without credentials enter this world; only for a person's browser."""
        self._nobody = secrets.token_urlsafe(24)
        self._connections: dict[asyncio.Transport, World | None] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def world_for(self, credentials: tuple[str, str] | None) -> World | None:
        """The world that these credentials open. Takes the same time for a wrong name as for a wrong token."""
        if credentials is None:
            return self.open_world
        name, token = credentials
        world = self.worlds.get(name)
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
        """Run a coroutine on the proxy's loop."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def cut(self, world: World | None) -> None:
        """Abort the connections of a world and what is being answered there, or all."""
        self.inside.stop(world)
        for transport, whose in list(self._connections.items()):
            if world is None or whose is world:
                transport.abort()
