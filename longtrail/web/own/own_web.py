"""Own web: a front that leads only to the user's own apps. It replaces SealedWeb.

with OwnWeb() as web:
    world = web.open_world("refund-r0", origins=[origin_of("http://127.0.0.1:8000")])
    ...                                     # browser, proxy and log as in the sealed web
"""

from collections.abc import Iterable
from datetime import datetime

from longtrail.checks.origin import Origin
from longtrail.clock import NOW
from longtrail.web.own.own_site import OwnSite
from longtrail.web.proxy.limits import ProxyLimits
from longtrail.web.sealed import SealedWeb
from longtrail.web.world import World

LIMITS = ProxyLimits(answer_seconds=600.0, body_bytes=50_000_000)
"""Higher than usual, because streams stay open and files are uploaded; the connection to the app has deadlines of its
own."""


class OwnWeb(SealedWeb):
    """Every world lists the addresses that it can reach."""

    def __init__(self) -> None:
        super().__init__((), limits=LIMITS)
        self._sites: dict[str, OwnSite] = {}
        self._front.on_stop.append(self._close)

    def open_world(
        self, name: str, *, like: World | None = None, now: datetime = NOW, origins: Iterable[Origin] = ()
    ) -> World:
        """A world that can reach these addresses, each with exactly this scheme and port."""
        world = super().open_world(name, like=like, now=now)
        world.sealed = False
        for origin in origins:
            world.origins[origin.base] = self._sites.setdefault(origin.base, OwnSite(origin))
        return world

    async def _close(self) -> None:
        for site in self._sites.values():
            await site.close()
