"""Proxy connection: reads a client's request, asks for credentials, and opens a tunnel or refuses.

Nothing in this package opens a connection to another machine.
"""

import asyncio
import base64
import binascii
import socket
from http import HTTPStatus
from urllib.parse import urlsplit

import h11

from longtrail.checks.hosts import Origin, origin_of
from longtrail.records.trajectory import Request
from longtrail.web.proxy.refusal import outside_page, why_outside
from longtrail.web.proxy.state import OUTSIDE, ProxyState, head_size
from longtrail.web.proxy.tunnel import Tunnel
from longtrail.web.site import Site
from longtrail.web.world import World

Headers = list[tuple[str, str]]
CHALLENGE: Headers = [("Proxy-Authenticate", 'Basic realm="Longtrail world", charset="UTF-8"')]
HTML: Headers = [("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store")]
CLOSE: Headers = [("Connection", "close")]


class ProxyConnection(asyncio.Protocol):
    """One connection from a client, until it becomes a tunnel or closes."""

    def __init__(self, state: ProxyState, world: World | None = None) -> None:
        """`world`: the world bound to this port; no credentials needed."""
        self._state, self._world = state, world
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=state.limits.head_bytes)
        self._request: h11.Request | None = None
        self._size = 0
        self._raw = b""
        """The raw request head read so far."""
        self._in_request = False
        self._transport: asyncio.Transport
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        connection: socket.socket = transport.get_extra_info("socket")
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # asyncio does so for some sockets only
        if not self._state.register_connection(transport):
            transport.abort()
        self._expect(self._state.limits.idle_seconds)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 (asyncio's signature)
        self._gone()

    def data_received(self, data: bytes) -> None:
        if not self._in_request:  # more bytes don't extend the time limit from here on
            self._in_request = True
            self._expect(self._state.limits.head_seconds)
        if self._http.their_state is h11.IDLE:
            self._raw += data
        try:
            self._http.receive_data(data)
            while (event := self._http.next_event()) not in (h11.NEED_DATA, h11.PAUSED):
                if isinstance(event, h11.Request) and self._becomes_tunnel(event):
                    return
                self._take(event)
        except h11.RemoteProtocolError as error:
            if self._http.our_state in (h11.IDLE, h11.SEND_RESPONSE):
                self._answer(error.error_status_hint, CLOSE)
            self._transport.close()

    def _take(self, event: object) -> None:
        if isinstance(event, h11.Request):
            self._request, self._size = event, 0
            if head_size(event.headers) > self._state.limits.head_bytes:  # h11 limits only incomplete data
                raise h11.RemoteProtocolError("head too large", error_status_hint=431)
        elif isinstance(event, h11.Data):
            self._size += len(event.data)
            if self._size > self._state.limits.body_bytes:
                raise h11.RemoteProtocolError("body too large", error_status_hint=413)
        elif isinstance(event, h11.EndOfMessage) and self._request is not None:
            self._handle(self._request)

    def _handle(self, request: h11.Request) -> None:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in request.headers}
        credentials = _credentials(headers.get("proxy-authorization"))
        world = self._world or self._state.world_for(credentials)
        if world is None and credentials is None:
            self._answer(407, CHALLENGE)
        elif world is None:  # don't ask again after wrong credentials: Chromium would wait forever
            self._answer(403, CLOSE)
        elif not self._state.admits(world, self._transport):
            self._answer(503, CLOSE)
        elif request.method == b"CONNECT":
            self._connect(world, request.target.decode("latin-1"))
        else:
            self._plain(world, request, headers)
        if self._http.our_state is h11.DONE and self._http.their_state is h11.DONE:
            self._http.start_next_cycle()
            self._raw = bytes(self._http.trailing_data[0])
            self._in_request = False
            self._expect(self._state.limits.idle_seconds)
        elif self._http.our_state is h11.MUST_CLOSE:
            self._transport.close()

    def _becomes_tunnel(self, request: h11.Request) -> bool:
        """A plain-HTTP request to one of the world's own apps: the connection becomes a tunnel to it."""
        world, origin = self._world, _origin(request.target)
        if world is None:
            names = {name: value.decode("latin-1") for name, value in request.headers}
            world = self._state.world_for(_credentials(names.get(b"proxy-authorization")))
        site = world.origins.get(origin.base) if world is not None and origin is not None else None
        if world is None or origin is None or site is None or not self._state.admits(world, self._transport):
            return False
        world.log.note_activity()
        self._settled()
        self._tunnel_in_clear(world, origin, site).data_received(self._raw)
        return True

    def _tunnel_in_clear(self, world: World, origin: Origin, site: Site) -> Tunnel:
        tunnel = Tunnel(self._state.inside, world, origin, site, self._gone)
        self._transport.set_protocol(tunnel)
        tunnel.opened(self._transport)
        return tunnel

    def _connect(self, world: World, target: str) -> None:
        """CONNECT host:port. Port 443 of any host, and the port of an own app, opens a tunnel that ends here;
        everything else is refused. Plain websockets to an own app also use CONNECT."""
        origin = _origin(f"https://{target}".encode())
        plain = f"{origin.host}:{origin.port}" if origin is not None else ""
        in_clear = _origin(f"http://{target}".encode())
        if in_clear is not None and in_clear.base not in world.origins:
            in_clear = None
        exact = target.lower().replace("[", "").replace("]", "") == plain
        if origin is None or not exact or not (origin.port == 443 or in_clear or origin.base in world.origins):
            self._refuse(
                world, Request(method="CONNECT", url=f"https://{target}/", status=403, world=world.name), target
            )
            return
        world.log.note_activity()
        self._transport.write(self._http.send(h11.Response(status_code=200, headers=[], reason=_reason(200))) or b"")
        if self._http.trailing_data[0]:  # a correct client has sent no more before the answer
            self._transport.abort()
            return
        self._settled()
        if in_clear is not None:
            self._tunnel_in_clear(world, in_clear, world.origins[in_clear.base])
            return
        self._transport.pause_reading()
        self._state.spawn(self._into_tunnel(world, origin))

    async def _into_tunnel(self, world: World, origin: Origin) -> None:
        state = self._state
        embedded = state.sites.get(origin.host) if origin.port == 443 else None
        site = world.origins.get(origin.base, embedded)
        tunnel = Tunnel(state.inside, world, origin, site, self._gone)
        try:
            inner = await asyncio.get_running_loop().start_tls(
                self._transport,
                tunnel,
                state.certificates.context(origin.host if site else OUTSIDE),
                server_side=True,
                ssl_handshake_timeout=state.limits.head_seconds,
                ssl_shutdown_timeout=1.0,
            )
        except OSError:  # the client closed the connection, or didn't speak TLS
            self._transport.abort()
            self._gone()
            return
        world.log.note_activity()
        if inner is not None:
            tunnel.opened(inner)

    def _plain(self, world: World, request: h11.Request, headers: dict[str, str]) -> None:
        """A plain-HTTP request: redirected to HTTPS if we serve the host, otherwise answered with the refusal page."""
        method, target = request.method.decode("ascii"), request.target.decode("latin-1")
        try:
            parts = urlsplit(target)
            host, port = (parts.hostname or "").lower(), parts.port
        except ValueError:
            parts, host, port = urlsplit(""), "", None
        upgrades = headers.get("upgrade-insecure-requests") == "1"  # browsers tell plain-HTTP sites no destination
        note = {
            "dest": headers.get("sec-fetch-dest", "document" if upgrades else ""),
            "mode": headers.get("sec-fetch-mode", "navigate" if upgrades else ""),
            "world": world.name,
        }
        if parts.scheme != "http" or not host:
            self._answer(400, CLOSE)
        elif host in self._state.sites and port in (None, 80) and "@" not in parts.netloc:
            world.log.add(Request(method=method, url=target, status=308, **note))
            where = f"https://{host}{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
            self._answer(308, [("Location", where)])
        else:
            self._refuse(world, Request(method=method, url=target, status=403, **note), parts.netloc.rpartition("@")[2])

    def _refuse(self, world: World, request: Request, authority: str) -> None:
        host = authority.rpartition(":")[0] or authority
        request = request.model_copy(update={"refused": True})
        world.log.add(request, "port" if host in self._state.sites else why_outside(host))
        self._answer(403, HTML, outside_page(request.url))

    def _answer(self, status: int, headers: Headers, body: bytes = b"") -> None:
        headers = [*headers, ("Content-Length", str(len(body)))]
        reply = h11.Response(status_code=status, headers=headers, reason=_reason(status))
        head = self._request is not None and self._request.method == b"HEAD"
        events = [reply, *([h11.Data(data=body)] if body and not head else []), h11.EndOfMessage()]
        self._transport.write(b"".join(self._http.send(event) or b"" for event in events))

    def _expect(self, seconds: float) -> None:
        self._settled()
        self._deadline = asyncio.get_running_loop().call_later(seconds, self._transport.abort)

    def _settled(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _gone(self) -> None:
        self._settled()
        self._state.lost(self._transport)


def _origin(url: bytes) -> Origin | None:
    """The origin of an absolute address; None for anything else."""
    try:
        return origin_of(url.decode("latin-1"))
    except ValueError:
        return None


def _reason(status: int) -> str:
    return HTTPStatus(status).phrase


def _credentials(header: str | None) -> tuple[str, str] | None:
    """User and password of `Basic ...`; None without a header; an empty user for one that can't be read."""
    if header is None:
        return None
    scheme, _, encoded = header.partition(" ")
    try:
        user, _, password = base64.b64decode(encoded.strip(), validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return "", ""
    return (user, password) if scheme.lower() == "basic" else ("", "")
