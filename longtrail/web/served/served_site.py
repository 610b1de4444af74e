"""Served site: one embedded site as an ASGI app for plain HTTP on its own port.

Addresses of the sealed web (`https://shopadmin.test/...`) become addresses of the ports in pages, redirects and forms;
the log keeps the sealed web's addresses. `/__longtrail__/` has what a harness needs: a reset, the episode's cookie,
the log.
"""

import hashlib
import json
import secrets
import threading
from collections import OrderedDict
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qs, quote

from starlette.types import Message, Receive, Scope, Send

from longtrail.checks.hosts import Origin
from longtrail.tasks.task import Task
from longtrail.web.proxy.exchange import SiteResponder
from longtrail.web.proxy.state import TunnelShared
from longtrail.web.served.log_in import LogIn
from longtrail.web.site import Site
from longtrail.web.world import Templates, World

KEPT = 64
"""Maximum number of open worlds; the least recently used one is closed first."""
SHARED = "shared"
"""The token of the world that answers requests without a token."""


class Episodes:
    """Worlds by token. Safe to use from several threads."""

    def __init__(self, templates: Templates) -> None:
        self._templates = templates
        self._worlds: OrderedDict[str, World] = OrderedDict()
        self._signed_in: dict[str, set[str]] = {}
        self._tasks: dict[str, Task | None] = {}
        self._lock = threading.Lock()

    def begin(self, token: str = "", task: Task | None = None) -> str:
        """Make a world in its initial state and return its token: the given one, or a new one.

        An open world of this token is replaced. The initial state is the one in which the task begins: the given task,
        or else the token's last task. If there was none, it is the usual state.
        """
        name = token or secrets.token_urlsafe(18).replace("-", "x").replace("_", "y")
        with self._lock:
            if old := self._worlds.pop(name, None):
                old.close()
            self._worlds[name] = World(name, self._templates)
            self._tasks[name] = task or self._tasks.get(name)
            if begun := self._tasks[name]:
                self._worlds[name].stage(begun)
            self._signed_in[name] = set()
            while len(self._worlds) > KEPT:
                gone, world = self._worlds.popitem(last=False)
                self._signed_in.pop(gone)
                self._tasks.pop(gone)
                world.close()
        return name

    def world(self, token: str) -> World | None:
        """The world of a token; None for an unknown or expired one."""
        if token == SHARED and token not in self._worlds:
            self.begin(SHARED)
        with self._lock:
            if token in self._worlds:
                self._worlds.move_to_end(token)
            return self._worlds.get(token)

    def sign_in(self, token: str) -> str:
        """A new session after a log-in."""
        session = secrets.token_urlsafe(18)
        self._signed_in[token].add(session)
        return session

    def signed_in(self, token: str, session: str) -> bool:
        """Whether this session began with a log-in in this episode."""
        return session in self._signed_in.get(token, ())

    def close(self) -> None:
        """Close all worlds."""
        with self._lock:
            while self._worlds:
                self._worlds.popitem()[1].close()


CONTROL = "/__longtrail__/"
COOKIE, HEADER = "longtrail_episode", b"x-longtrail-episode"
"""The cookie and the header with which a request names its episode; the header has priority."""
TEXT = ("text/", "application/json", "application/javascript", "application/xml", "image/svg+xml")
Headers = list[tuple[bytes, bytes]]


class ServedSite:
    """One host of a site. `addresses`: host of the sealed web -> address on loopback, for all served sites."""

    def __init__(
        self,
        site: Site,
        host: str,
        addresses: Mapping[str, str],
        episodes: Episodes,
        inside: TunnelShared,
        log_in: LogIn | None = None,
        tasks: Mapping[str, Task] = MappingProxyType({}),
    ) -> None:
        self._site, self._host, self._addresses = site, host, addresses
        self._episodes, self._inside, self._log_in, self._tasks = episodes, inside, log_in, tasks
        self._key = hashlib.sha256(f"form of {host}".encode()).hexdigest()[:16]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        cookies = _cookies(headers.get(b"cookie", ""))
        if headers.get(b"host", "") not in self._names():
            await _answer(send, 421, b"this server answers only requests for its own address (the `Host` header)")
            return
        token = headers.get(HEADER) or cookies.get(COOKIE) or SHARED
        if scope["path"].startswith(CONTROL):
            await self._control(scope, token, send)
            return
        world = self._episodes.world(token)
        if world is None:
            await _answer(send, 410, f"there is no episode {token!r}: POST {CONTROL}reset begins one".encode())
            return
        if self._log_in is not None and not self._episodes.signed_in(token, cookies.get(self._log_in.cookie, "")):
            await self._answer_log_in(self._log_in, scope, receive, send, token)
            return
        await self._serve(scope, receive, send, world)

    async def _serve(self, scope: Scope, receive: Receive, send: Send, world: World) -> None:
        rewritten = [(name, self._sealed(value)) for name, value in scope["headers"] if name != b"host"]
        inner = {**scope, "headers": [(b"host", self._host.encode()), *rewritten]}
        outwards = _Rewritten(send, self._open)
        origin = Origin("https", self._host, 443)
        await SiteResponder(self._inside, world, origin, self._site, lambda: None)(inner, receive, outwards.send)
        await outwards.finish()

    async def _answer_log_in(self, form: LogIn, scope: Scope, receive: Receive, send: Send, token: str) -> None:
        """The log-in form, or the answer to a sent one."""
        path = scope["path"]
        if scope["method"] == "POST" and form.is_target(path):
            if form.accepts(await _body(receive), self._key):
                session = self._episodes.sign_in(token)
                cookie = f"{form.cookie}={session}; Path=/; HttpOnly; SameSite=Lax"
                await _answer(send, 302, b"", (b"location", form.home.encode()), (b"set-cookie", cookie.encode()))
                return
            await _answer(send, 200, form.page(self._key, "wrong", form.target))
        elif form.is_form(path):
            await _answer(send, 200, form.page(self._key, action=form.target))
        else:
            await _answer(send, 302, b"", (b"location", form.leads(path).encode()))

    async def _control(self, scope: Scope, token: str, send: Send) -> None:
        command, _, session = scope["path"].removeprefix(CONTROL).partition("/")
        query = {name: values[-1] for name, values in parse_qs(scope["query_string"].decode("latin-1")).items()}
        token = query.get("episode", token)
        if command == "reset" and scope["method"] == "POST":
            await self._reset(send, query.get("episode", ""), query.get("task", ""))
        elif command == "enter" and self._episodes.world(session) is not None:
            cookie = f"{COOKIE}={session}; Path=/; HttpOnly; SameSite=Lax"
            where = query.get("next", "/")
            where = where if where.startswith("/") and not where.startswith("//") else "/"
            await _answer(
                send, 302, b"", (b"location", quote(where, safe="/?=&%#").encode()), (b"set-cookie", cookie.encode())
            )
        elif command == "health":
            await _json(send, {"ok": True, "sites": dict(self._addresses)})
        elif command in ("requests", "changes") and (world := self._episodes.world(token)) is not None:
            rows = world.requests if command == "requests" else world.changes()
            await _json(send, [row.model_dump(mode="json") for row in rows])
        else:
            await _json(send, {"problem": "expected POST reset; GET enter/EPISODE, health, requests, changes"}, 404)

    async def _reset(self, send: Send, token: str, name: str) -> None:
        task = self._tasks.get(name)
        if name and task is None:
            await _json(send, {"problem": f"there is no task {name!r}"}, 404)
            return
        begun = self._episodes.begin(token, task)
        enter = {host: f"{base}{CONTROL}enter/{begun}" for host, base in self._addresses.items()}
        start = {"start": self._open(task.start.encode()).decode()} if task else {}
        await _json(send, {"episode": begun, "sites": dict(self._addresses), "enter": enter, **start})

    def _names(self) -> set[str]:
        authority = self._addresses[self._host].removeprefix("http://")
        return {authority, authority.replace("127.0.0.1", "localhost")}

    def _open(self, text: bytes) -> bytes:
        for host, address in self._addresses.items():
            text = text.replace(f"https://{host}".encode(), address.encode())
        return text

    def _sealed(self, text: bytes) -> bytes:
        for host, address in self._addresses.items():
            for name in (address, address.replace("127.0.0.1", "localhost")):
                text = text.replace(name.encode(), f"https://{host}".encode())
        return text


class _Rewritten:
    """Buffers an answer until it is complete, then rewrites and sends it."""

    def __init__(self, send: Send, rewrite: Any) -> None:
        self._send, self._rewrite = send, rewrite
        self._start: Message | None = None
        self._body = bytearray()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = message
        else:
            self._body += message.get("body", b"")

    async def finish(self) -> None:
        """Send the rewritten answer."""
        if self._start is None:
            await _answer(self._send, 502, b"the site gave no answer")
            return
        headers: Headers = [
            (name, self._rewrite(_plain_cookie(value) if name.lower() == b"set-cookie" else value))
            for name, value in self._start.get("headers", [])
            if name.lower() not in (b"content-length", b"strict-transport-security", b"connection")
        ]
        kind = next((value.decode("latin-1") for name, value in headers if name.lower() == b"content-type"), "")
        body = self._rewrite(bytes(self._body)) if kind.startswith(TEXT) else bytes(self._body)
        headers.append((b"content-length", str(len(body)).encode()))
        await self._send({**self._start, "headers": headers})
        await self._send({"type": "http.response.body", "body": body})


def _plain_cookie(value: bytes) -> bytes:
    """A cookie in a form that works over plain HTTP."""
    attributes = (part for part in value.split(b";") if not part.strip().lower().startswith((b"secure", b"domain=")))
    return b";".join(attributes)


def _cookies(header: str) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(header).items()}
    except CookieError:
        return {}


async def _body(receive: Receive) -> bytes:
    body, more = b"", True
    while more and len(body) < 100_000:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return body


async def _json(send: Send, data: object, status: int = 200) -> None:
    await _answer(send, status, json.dumps(data).encode(), kind=b"application/json")


async def _answer(
    send: Send, status: int, body: bytes, *headers: tuple[bytes, bytes], kind: bytes = b"text/html; charset=utf-8"
) -> None:
    base = [(b"content-type", kind), (b"content-length", str(len(body)).encode()), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": [*base, *headers]})
    await send({"type": "http.response.body", "body": body})
