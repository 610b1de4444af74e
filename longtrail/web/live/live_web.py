"""Live web: real sites behind the same proxy as the embedded ones. It replaces SealedWeb.

    with LiveWeb(hold=True) as web:
        world = web.open_world("ikea_favorites-0-r0")   # has no state, only a log and faults
        world.home_domains = frozenset({"ikea.com"})           # a block there ends the episode
        ...                                             # browser, proxy and log as in the sealed web

Every request goes through this process, which resolves and checks names, holds requests with real-world effects, and
writes the log. It terminates the browser's TLS and opens connections of its own: sites see HTTP/1.1 over Python's
TLS, which some of them take for a robot.
"""

from collections.abc import Collection, Iterator, Mapping

from longtrail.web.live.forward import LiveSite
from longtrail.web.live.upstream import ANSWER_SECONDS, Upstream, local_name, mapped
from longtrail.web.proxy.state import ProxyLimits
from longtrail.web.sealed import SealedWeb
from longtrail.web.site import Site

LIMITS = ProxyLimits(answer_seconds=600.0)
"""Longer than usual, because streams stay open; `upstream` has deadlines of its own."""


class LiveHosts(Mapping[str, Site]):
    """Every public name leads to the same site; local addresses and names are refused. `own`: the user's own sites."""

    def __init__(self, site: Site, own: Collection[str]) -> None:
        self._site, self._own = site, own

    def __getitem__(self, host: str) -> Site:
        if host not in self._own and local_name(host):
            raise KeyError(host)
        return self._site

    def __iter__(self) -> Iterator[str]:
        return iter(self._own)

    def __len__(self) -> int:
        return len(self._own)


class LiveWeb(SealedWeb):
    """`own`: names of the user's own sites on loopback; `hold`: whether requests with real-world effects are held;
    `patience`: seconds within which a site must answer. Real sites keep their state themselves: the parts of a task
    share it through the browser's cookies."""

    sealed = False

    def __init__(
        self, own: Mapping[str, str] | None = None, *, hold: bool = True, patience: float = ANSWER_SECONDS
    ) -> None:
        own_hosts = {name.lower(): mapped(name, address) for name, address in (own or {}).items()}
        upstream = Upstream(own_hosts, patience)
        hosts = LiveHosts(LiveSite(upstream, hold=hold), own_hosts)
        super().__init__((), limits=LIMITS, hosts=hosts)
        self._front.on_stop.append(upstream.close)

    @property
    def reach(self) -> tuple[str, ...] | None:
        """None: every public name."""
        return None
