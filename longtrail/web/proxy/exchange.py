"""Exchange: checks a tunnel's requests, passes them to the site in its world, and logs them.

The ASGI app behind every tunnel. An exception in a site is noted in the world's log; it never crashes the proxy.
"""

import asyncio
import time
import traceback
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from starlette.types import Message, Receive, Scope, Send

from longtrail.checks.hosts import USUAL, Origin
from longtrail.records.trajectory import Request
from longtrail.web.proxy.refusal import CONTROL_PATH, notice_page, outside_page, why_outside
from longtrail.web.proxy.state import TunnelShared, head_size
from longtrail.web.request_log import ServedBody
from longtrail.web.site import Site
from longtrail.web.world import World

HTML = (b"content-type", b"text/html; charset=utf-8")
NO_STORE = (b"cache-control", b"no-store")
"""Pages are requested again at every visit; otherwise the log would miss the second visit."""


class RefusedRequest(Exception):
    """The request is not for a site: the proxy answers it."""

    def __init__(
        self,
        status: int,
        page: bytes,
        violation: str = "",
        *,
        held: str = "",
        headers: tuple[tuple[bytes, bytes], ...] = (HTML,),
    ) -> None:
        self.status, self.page, self.violation, self.held, self.headers = status, page, violation, held, headers
        super().__init__(status)


class BrokenUpstream(Exception):
    """A live site's answer was cut off, so ours is, too."""


class SiteResponder:
    """Answers the requests of one tunnel, in its world and for the tunnel's origin."""

    def __init__(
        self, inside: TunnelShared, world: World, origin: Origin, site: Site | None, abort: Callable[[], None]
    ) -> None:
        self._inside, self._limits, self._abort = inside, inside.limits, abort
        self._world, self._origin, self._host, self._site = world, origin, origin.host, site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        log = self._world.log
        task = asyncio.current_task()
        assert task is not None
        self._inside.answering[task] = self._world
        log.begin()
        scope = self._without_proxy(scope)
        exchange = Exchange(scope, self._origin, self._world, send)
        try:
            async with asyncio.timeout(self._limits.answer_seconds):
                await self._serve(scope, receive, exchange)
        except TimeoutError:
            log.fault(f"no answer after {self._limits.answer_seconds} s: {exchange.url}")
            await self._give_up(exchange, 504, "The site took too long to answer.")
        except RefusedRequest as refusal:
            await exchange.refuse(refusal)
        finally:
            del self._inside.answering[task]
            log.end()

    def _without_proxy(self, scope: Scope) -> Scope:
        """A plain-HTTP request in the form that the app expects: without the whole address and the credentials that a
        client sends to a proxy."""
        base = self._origin.base.encode()
        if self._origin.scheme != "http" or not scope["raw_path"].startswith(base):
            return scope
        raw = scope["raw_path"].removeprefix(base) or b"/"
        headers = [(name, value) for name, value in scope["headers"] if not name.startswith(b"proxy-")]
        return {**scope, "raw_path": raw, "path": unquote(raw.decode("latin-1")), "headers": headers}

    async def _serve(self, scope: Scope, receive: Receive, exchange: "Exchange") -> None:
        site = self._check(scope, exchange.url)
        body = await self._body(receive)
        connection = {
            "world": self._world,
            "notes": exchange.notes,
            "client": None,
            "server": (self._host, self._origin.port),
        }
        inner = {**scope, **connection}
        try:
            await site.app(inner, _replay(body, receive), exchange.send)
            await exchange.finish()
        except RefusedRequest:
            raise
        except BrokenUpstream:
            self._abort()
        except Exception:  # noqa: BLE001 (the boundary between a site and the proxy: the request failed)
            self._world.log.crashes.append(traceback.format_exc())
            await self._give_up(exchange, 500, "The site failed while making it.")

    async def _give_up(self, exchange: "Exchange", status: int, text: str) -> None:
        if exchange.sent:
            self._abort()  # a page that is cut off is better than one that looks complete
        else:
            await exchange.page(status, notice_page("This page could not be shown", text))

    def _check(self, scope: Scope, url: str) -> Site:
        """The site that must answer. Raises RefusedRequest."""
        headers = dict(scope["headers"])
        named = headers.get(b"host", b"").decode("latin-1").lower().removesuffix(f":{USUAL[self._origin.scheme]}")
        if b"upgrade" in headers:
            page = notice_page("Not available", "WebSockets can't be used here.")
            if self._site and not self._world.sealed:  # pages of real sites open websockets by themselves
                raise RefusedRequest(403, page, held="a websocket: its content can't be checked")
            raise RefusedRequest(403, page, "websocket" if self._site else why_outside(self._host))
        if named != self._origin.authority:
            page = notice_page("Misdirected request", "This connection does not lead to the requested host.")
            raise RefusedRequest(421, page, f"host {named!r} in a connection to {self._origin.authority!r}")
        if head_size(scope["headers"]) > self._limits.head_bytes:
            raise RefusedRequest(431, notice_page("Too large", "The request's headers are too long."))
        if self._site is None:
            raise RefusedRequest(403, outside_page(url), why_outside(self._host))
        if not scope["raw_path"].startswith(b"/"):
            raise RefusedRequest(400, notice_page("Bad request", "A path was expected."), "malformed target")
        return self._site

    async def _body(self, receive: Receive) -> bytes:
        """The whole body, within the limits: a site never waits for a slow client. Raises RefusedRequest."""
        limit, body, size, more = self._limits.body_bytes, bytearray(), 0, True
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                while more and size <= 16 * limit:  # the excess is read anyway, so that the client reads the answer
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise RefusedRequest(400, b"")
                    part = message.get("body", b"")
                    size += len(part)
                    more = message.get("more_body", False)
                    if size <= limit:
                        body += part
        except TimeoutError as error:
            raise RefusedRequest(408, notice_page("Too slow", "The rest of the request did not arrive.")) from error
        if size > limit:
            raise RefusedRequest(413, notice_page("Too large", f"At most {limit} bytes can be sent."))
        return bytes(body)


class Exchange:
    """One request and its answer: adds it to the log before the first byte is sent. Answers with status 500 and above
    are delayed until the site has finished, because if it then raises, the proxy's own page replaces them.
    """

    def __init__(self, scope: Scope, origin: Origin, world: World, send: Send) -> None:
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        path = scope["raw_path"].decode("latin-1")
        query = scope["query_string"].decode("latin-1")
        self.url = f"{origin.base}{path}{'?' + query if query else ''}"
        self.sent = False
        self._arrived = time.time()
        self.notes: dict[str, Any] = {}
        """What the site reports to the log about its page: `listed`."""
        # browsers don't send `sec-fetch` headers to plain-HTTP sites on another machine
        upgrades_insecure = origin.scheme == "http" and headers.get(b"upgrade-insecure-requests") == "1"
        self._head = {
            "method": scope["method"],
            "url": self.url,
            "dest": headers.get(b"sec-fetch-dest", "document" if upgrades_insecure else ""),
            "mode": headers.get(b"sec-fetch-mode", "navigate" if upgrades_insecure else ""),
            "purpose": headers.get(b"sec-purpose", headers.get(b"purpose", "")),
            "world": world.name,
        }
        self._path, self._world, self._send = scope["path"], world, send
        self._held: list[Message] = []
        self._body: ServedBody | None = None

    async def send(self, message: Message) -> None:
        """The site's answer, message by message."""
        if self._held or (message["type"] == "http.response.start" and message["status"] >= 500):
            self._held.append(message)
            return
        await self._pass(message)

    async def finish(self) -> None:
        """The site has finished. Raises RuntimeError if it never answered."""
        for message in self._held:
            await self._pass(message)
        if not self.sent:
            raise RuntimeError("the site returned without an answer")

    async def page(self, status: int, page: bytes, violation: str = "") -> None:
        """Answer with the proxy's own page and close the connection: the rest of the request is not read."""
        await self.refuse(RefusedRequest(status, page, violation))

    async def refuse(self, refusal: RefusedRequest) -> None:
        """The same for a refusal."""
        length = (b"content-length", str(len(refusal.page)).encode())
        headers = [*refusal.headers, NO_STORE, length, (b"connection", b"close")]
        self._note(refusal.status, headers, refusal.violation, refusal.held, refused=True)
        self._keep(refusal.page)
        await self._send({"type": "http.response.start", "status": refusal.status, "headers": headers})
        await self._send({"type": "http.response.body", "body": refusal.page})

    async def _pass(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers: list[tuple[bytes, bytes]] = list(message.get("headers", []))
            if not any(name.lower() == b"cache-control" for name, _ in headers) and _is_page(headers):
                message = {**message, "headers": [*headers, NO_STORE]}
            control = self._world.sealed and message["status"] == 404 and CONTROL_PATH.search(self._path)
            self._note(message["status"], headers, "control path" if control else "")
        else:
            self._keep(message.get("body", b""))
        await self._send(message)

    def _note(
        self, status: int, headers: list[tuple[bytes, bytes]], violation: str, held: str = "", *, refused: bool = False
    ) -> None:
        self.sent = True
        log, request = self._world.log, Request(status=status, held=held, refused=refused, **self._head, **self.notes)
        index = log.add(request, violation, self._arrived)
        if log.bodies is not None:
            self._body = log.bodies.open(index, request, headers)

    def _keep(self, piece: bytes) -> None:
        """Add it to the log before it is sent, so that everyone who gets it finds it there."""
        if self._body is not None and self._world.log.bodies is not None:
            self._world.log.bodies.add(self._body, piece)


def _is_page(headers: list[tuple[bytes, bytes]]) -> bool:
    return any(name.lower() == b"content-type" and value.startswith(b"text/html") for name, value in headers)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Pass on a body that was already read; after it, the connection's own messages."""
    left = [body]

    async def inner() -> dict[str, Any]:
        if left:
            return {"type": "http.request", "body": left.pop(), "more_body": False}
        return dict(await receive())

    return inner
