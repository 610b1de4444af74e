"""Server: embedded sites on loopback ports, in a separate thread.

with ServedSites(all_sites(), ["shopadmin", "forum"], port=7780) as served:
    served.addresses        # {"shopadmin.test": "http://127.0.0.1:7780", "forum.test": "http://127.0.0.1:7781"}
"""

import asyncio
import socket
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from types import MappingProxyType, TracebackType
from typing import Self

import uvicorn

from longtrail.errors import UsageError
from longtrail.tasks.task import Task
from longtrail.web.proxy.state import ProxyLimits, TunnelShared
from longtrail.web.registry import by_host
from longtrail.web.served.served_site import Episodes, ServedSite, log_ins
from longtrail.web.site import Site
from longtrail.web.world import Templates


class ServedSites:
    """`names`: sites or hosts; the first listens on `port`, the others on the following ports (0: any free ones).
    `tasks`: those that a reset may name."""

    def __init__(
        self,
        sites: Sequence[Site],
        names: Sequence[str],
        port: int = 0,
        *,
        log_in: bool = False,
        tasks: Mapping[str, Task] = MappingProxyType({}),
    ) -> None:
        self._hosts = [_host(sites, name) for name in names]
        self._known = by_host(sites)
        self._port, self._log_in, self._tasks = port, log_in, tasks
        self.episodes = Episodes(Templates(sites))
        self.addresses: dict[str, str] = {}
        self._servers: list[uvicorn.Server] = []
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        listeners = [self._listen(number) for number in range(len(self._hosts))]
        for host, listener in zip(self._hosts, listeners, strict=True):
            self.addresses[host] = f"http://127.0.0.1:{listener.getsockname()[1]}"
        inside = TunnelShared(ProxyLimits())
        for host in self._hosts:
            site = self._known[host]
            log_in = log_ins().get(site.name) if self._log_in else None
            app = ServedSite(site, host, self.addresses, self.episodes, inside, log_in, self._tasks)
            settings = uvicorn.Config(
                app, http="h11", ws="none", lifespan="off", log_config=None, access_log=False, server_header=False
            )
            self._servers.append(uvicorn.Server(settings))
        ready: Future[None] = Future()
        work = self._serve(listeners, ready)
        self._thread = threading.Thread(target=asyncio.run, args=(work,), name="longtrail-served", daemon=True)
        self._thread.start()
        ready.result(timeout=30)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for server in self._servers:
            server.should_exit = True
        if self._thread is not None:
            self._thread.join()
        self.episodes.close()

    def _listen(self, number: int) -> socket.socket:
        port = self._port + number if self._port else 0
        try:
            return socket.create_server(("127.0.0.1", port), backlog=256)
        except OSError as error:
            raise UsageError(f"port {port} can't be used: {error.strerror}; choose another with --port") from error

    async def _serve(self, listeners: Sequence[socket.socket], ready: "Future[None]") -> None:
        running = [
            asyncio.create_task(server.serve(sockets=[listener]))
            for server, listener in zip(self._servers, listeners, strict=True)
        ]
        while not all(server.started for server in self._servers):
            await asyncio.sleep(0.01)
        ready.set_result(None)
        await asyncio.gather(*running)


def _host(sites: Sequence[Site], name: str) -> str:
    """The host of a name, which is a host or a site with one host. Raises UsageError."""
    for site in sites:
        if name.lower() in site.hosts:
            return name.lower()
        if name == site.name and len(site.hosts) == 1:
            return site.hosts[0]
    known = ", ".join(site.name for site in sites if len(site.hosts) == 1)
    raise UsageError(
        f"serve: there is no site {name!r}; known are {known}, and every host that `longtrail browse` knows"
    )
