"""Replicas: the embedded consumer sites and the search engine as real sites on this machine, under their own names."""

from collections.abc import Iterator
from contextlib import contextmanager

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from longtrail.web.registry import all_sites, by_host
from longtrail.web.world import Templates, World
from tests.serving import serving


@contextmanager
def replicas(blocked: str = "") -> Iterator[str]:
    """Serve them; gives their address. The host `blocked` answers every request with 403."""
    sites = all_sites()
    hosts, world = by_host(sites), World("replicas", Templates(sites))

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        host = dict(scope["headers"]).get(b"host", b"").decode()
        refused: ASGIApp = PlainTextResponse("Access denied", 403)
        site = refused if host == blocked or host not in hosts else hosts[host].app
        await site({**scope, "world": world}, receive, send)

    with serving(app) as address:
        yield address
    world.close()
