"""Live web: real sites behind the same proxy as the embedded ones. It replaces SealedWeb.

    with LiveWeb(hold=True) as web:
        world = web.open_world("ikea_favorites-0-r0")   # has no state, only a log and faults
        world.home_domains = frozenset({"ikea.com"})           # a block there ends the episode
        ...                                             # browser, proxy and log as in the sealed web

Every request goes through this process, which resolves and checks names, holds requests with real-world effects, and
writes the log. It terminates the browser's TLS and opens connections of its own: sites see HTTP/1.1 over Python's
TLS, which some of them take for a robot.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from datetime import datetime

from starlette.types import ASGIApp

from longtrail.clock import NOW
from longtrail.web.live.forward import Forwarder
from longtrail.web.live.upstream import ANSWER_SECONDS, OwnHosts, Upstream, local_name, mapped
from longtrail.web.proxy.state import ProxyLimits
from longtrail.web.sealed import SealedWeb
from longtrail.web.site import Edition, Site
from longtrail.web.world import World

LIMITS = ProxyLimits(answer_seconds=600.0)
"""Longer than usual, because streams stay open; `upstream` has deadlines of its own."""


class LiveSite:
    """Represents any site of the real web for the proxy."""

    name = "live"
    hosts: tuple[str, ...] = ()

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    def build(self, db: sqlite3.Connection, _: Edition) -> None:
        """Does nothing: the site has no local state."""


class LiveHosts(Mapping[str, Site]):
    """Every public name leads to the same app; local addresses and names are refused."""

    def __init__(self, own: Mapping[str, OwnHosts], *, hold: bool, patience: float) -> None:
        self._own = own
        self._patience = patience
        self._hold = hold
        self._site: LiveSite | None = None
        self._upstream: Upstream | None = None

    def __getitem__(self, host: str) -> Site:
        if host not in self._own and local_name(host):
            raise KeyError(host)
        if self._site is None:  # made in the proxy's loop, to which its connections belong
            self._upstream = Upstream(self._own, self._patience)
            self._site = LiveSite(Forwarder(self._upstream, hold=self._hold))
        return self._site

    async def close(self) -> None:
        """Close every connection."""
        if self._upstream is not None:
            await self._upstream.close()

    def __iter__(self) -> Iterator[str]:
        return iter(self._own)

    def __len__(self) -> int:
        return len(self._own)


class LiveWeb(SealedWeb):
    """`own`: names of the user's own sites on loopback; `hold`: whether requests with real-world effects are held;
    `patience`: seconds within which a site must answer."""

    def __init__(
        self, own: Mapping[str, str] | None = None, *, hold: bool = True, patience: float = ANSWER_SECONDS
    ) -> None:
        own_hosts = {name.lower(): mapped(name, address) for name, address in (own or {}).items()}
        hosts = LiveHosts(own_hosts, hold=hold, patience=patience)
        super().__init__((), limits=LIMITS, hosts=hosts)
        self._front.on_stop.append(hosts.close)

    @property
    def reach(self) -> tuple[str, ...] | None:
        """None: every public name."""
        return None

    def open_world(self, name: str, *, like: World | None = None, now: datetime = NOW) -> World:
        """A world with its own log. Real sites keep their state themselves: the parts of a task share it through
        the browser's cookies."""
        world = super().open_world(name, like=like, now=now)
        world.sealed = False
        return world
