"""SealedWeb: the embedded sites behind one proxy, and a private world of them for every episode.

    with SealedWeb(all_sites()) as web:
        world = web.open_world("ikea_favorites-150k-r0")
        context = browser.new_context(proxy=web.proxy(world), ignore_https_errors=True, service_workers="block")
        ...                  # the browser goes to https://www.ikea.com/; there is no other internet
        world.log.requests     # requests to the sites, `Request` records; only grows: keep an index and slice
        world.log.violations   # attempts to leave, one line each; only grows
        world.log.faults       # how sites failed by themselves: the episode is invalid
        world.log.crashes      # tracebacks of sites that raised because of a request
        world.log.pending()    # requests being answered now; `world.log.wait_quiet(0.05, 2.0)` waits for none
        world.changes()        # rows that differ from the initial state
        world.close()          # frees the state, refuses clients, closes connections

The credentials of every world are random. Nothing that a browser sends leaves the process.
"""

import threading
from collections.abc import Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import Self

from longtrail.clock import NOW
from longtrail.web.proxy.server import ProxyServer
from longtrail.web.proxy.state import ProxyLimits
from longtrail.web.registry import by_host
from longtrail.web.site import Edition, Site
from longtrail.web.world import Templates, World


class SealedWeb:
    """Starts in milliseconds; sites' templates are built at first use and shared by all worlds.

    `hosts` maps hosts to sites, if they differ from the sites' own hosts.
    """

    sealed = True
    """Whether the pages come from the embedded sites: then their clock and their answers are ours."""

    def __init__(
        self,
        sites: Sequence[Site],
        *,
        limits: ProxyLimits | None = None,
        port: int = 0,
        hosts: Mapping[str, Site] | None = None,
    ) -> None:
        self._hosts = by_host(sites) if hosts is None else hosts
        self._templates = Templates(sites)
        self._front = ProxyServer(self._hosts, limits or ProxyLimits(), port)
        self._worlds: set[World] = set()
        self._lock = threading.Lock()

    def start(self) -> Self:
        """Listen on 127.0.0.1. Raises OSError if an explicit port is taken."""
        self._front.start()
        return self

    def stop(self) -> None:
        """Close every world, every connection, and the proxy."""
        for world in list(self._worlds):
            world.close()
        self._front.stop()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def address(self) -> str:
        """The proxy's address: `http://127.0.0.1:PORT`."""
        return f"http://127.0.0.1:{self._front.port}"

    @property
    def authority_pem(self) -> bytes:
        """The authority's certificate, which signs those of all served hosts, for clients that verify."""
        return self._front.state.certificates.authority_pem

    @property
    def hosts(self) -> tuple[str, ...]:
        """Every host name that is served, sorted."""
        return tuple(sorted(self._hosts))

    @property
    def reach(self) -> tuple[str, ...] | None:
        """The hosts that exist for an agent; None: every public name."""
        return self.hosts

    def serves(self, host: str) -> bool:
        """Whether this exact host name (any case, no port) is part of the sealed web."""
        return host.lower() in self._hosts

    def prepare(self, *hosts: str, edition: Edition = "usual") -> None:
        """Build the sites at these hosts in advance: on a busy machine that can take longer than a browser waits. Other
        sites are built at their first request."""
        for host in hosts:
            site = self._hosts.get(host.lower())
            if site is not None and site.name in self._templates.sites:
                self._templates.of(site.name, edition)

    def open_world(self, name: str, *, like: World | None = None, now: datetime = NOW) -> World:
        """A world in its initial state, or in that of another. Raises ValueError if an open one has the name."""
        with self._lock:
            if any(world.name == name for world in list(self._worlds)):
                raise ValueError(f"a world named {name!r} is open already")
            world = self._new(name)
            world.now = now
        if like is not None:
            world.continue_from(like)
        return world

    def _new(self, name: str) -> World:
        world = World(name, self._templates)
        world.sealed = self.sealed
        self._front.admit(world)
        self._worlds.add(world)
        world.on_close += [lambda: self._front.forget(world), lambda: self._worlds.discard(world)]
        return world

    def open_to_all(self, world: World) -> None:
        """Let clients without credentials into this world: for a person's browser, never in a run."""
        self._front.state.open_world = world

    def own_proxy(self, world: World) -> str:
        """The address of a proxy that leads into this world alone, without credentials: for a separate browser."""
        return f"http://127.0.0.1:{self._front.open_port(world)}"

    def proxy(self, world: World) -> dict[str, str]:
        """The value for Playwright's `new_context(proxy=...)`, so that the context uses this world."""
        return {"server": self.address, "username": world.user, "password": world.token}
