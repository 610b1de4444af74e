"""Connection owner: the interface of the server for its connections."""

import asyncio
from collections.abc import Coroutine, Mapping
from typing import Protocol

from longtrail.web.proxy.limits import ProxyLimits
from longtrail.web.proxy.shared import TunnelShared
from longtrail.web.proxy.tls import Certificates
from longtrail.web.site import Site
from longtrail.web.world import World


class ConnectionOwner(Protocol):
    """The server, as its connections see it."""

    sites: Mapping[str, Site]
    limits: ProxyLimits
    certificates: Certificates
    inside: TunnelShared

    def who(self, credentials: tuple[str, str] | None) -> World | None:
        """The world that these credentials open."""
        ...

    def took(self, transport: asyncio.Transport) -> bool:
        """Register a connection; False if there are too many."""
        ...

    def admits(self, world: World, transport: asyncio.Transport) -> bool:
        """Record the connection's world; False if this world has too many."""
        ...

    def lost(self, transport: asyncio.Transport) -> None:
        """A connection was closed."""
        ...

    def spawn(self, work: Coroutine[None, None, None]) -> None:
        """Run a coroutine on the server's loop."""
        ...
