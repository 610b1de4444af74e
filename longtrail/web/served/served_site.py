"""Served site: one embedded site as an ASGI app for plain HTTP on its own port.

Addresses of the sealed web (`https://shopadmin.test/...`) become addresses of the ports in pages, redirects and forms;
the log keeps the sealed web's addresses. `/__longtrail__/` has what a harness needs: a reset, the episode's cookie,
the log. The log-in forms are those of Magento's admin and of Postmill.
"""

import hashlib
import secrets
import threading
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from longtrail.checks.hosts import Origin
from longtrail.records.record import Record
from longtrail.tasks.task import Task
from longtrail.web.page_templates import environment, page
from longtrail.web.proxy.exchange import SiteResponder
from longtrail.web.proxy.state import TunnelShared
from longtrail.web.request_values import read_form
from longtrail.web.site import Site
from longtrail.web.world import Templates, World, whole_answer
from longtrail.yaml_file import read

KEPT = 64
"""Maximum number of open worlds; the least recently used one is closed first."""
SHARED = "shared"
"""The token of the world that answers requests without a token."""
CONTROL = "/__longtrail__/"
COOKIE, HEADER = "longtrail_episode", "x-longtrail-episode"
"""The cookie and the header with which a request names its episode; the header has priority."""
TEXT = ("text/", "application/json", "application/javascript", "application/xml", "image/svg+xml")
TEMPLATES = environment(Path(__file__).parent / "templates")


class LogIn(Record):
    """The log-in form of one site."""

    user: str
    password: str
    cookie: str
    fields: tuple[str, str]
    """Names of the fields of user and password."""
    token: str
    """Name of the hidden field with the form's token."""
    prefix: str
    """Paths that the form protects."""
    form_path: str = ""
    """The form's path; empty: shown at every protected address."""
    target: str = ""
    """The path that the form is sent to; empty: to its own address."""
    home: str
    """The path after a log-in."""
    title: str
    button: str
    wrong: str

    def shows_form(self, path: str) -> bool:
        """Whether the form is shown at an address to a visitor who is not signed in."""
        return path == self.form_path if self.form_path else path.startswith(self.prefix)

    def takes_form(self, path: str) -> bool:
        """Whether the form is sent there."""
        return path == self.target if self.target else path.startswith(self.prefix)


def log_ins() -> dict[str, LogIn]:
    """Site -> its form. Raises DataError."""
    return read(dict[str, LogIn], Path(__file__).with_name("log_ins.yaml"))


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
        request = Request(scope, receive)
        token = request.headers.get(HEADER) or request.cookies.get(COOKIE) or SHARED
        world = self._episodes.world(token)
        response = await self._own_answer(request, token, world)
        if response is not None:
            response.headers["cache-control"] = "no-store"
            await response(scope, receive, send)
        elif world is not None:
            await self._serve(scope, receive, send, world)

    async def _own_answer(self, request: Request, token: str, world: World | None) -> Response | None:
        """The answer if the request is not for the site; otherwise None."""
        path, form = request.scope["path"], self._log_in
        if request.headers.get("host", "") not in self._names(self._addresses[self._host]):
            return PlainTextResponse("this server answers only requests for its own address (the `Host` header)", 421)
        if path.startswith(CONTROL):
            return self._control(request, token)
        if world is None:
            return PlainTextResponse(f"there is no episode {token!r}: POST {CONTROL}reset begins one", 410)
        if form is None or self._episodes.signed_in(token, request.cookies.get(form.cookie, "")):
            return None
        if request.method == "POST" and form.takes_form(path):
            sent = await read_form(request)
            wanted = {form.fields[0]: form.user, form.fields[1]: form.password, form.token: self._key}
            if any(sent.getlist(name) != [value] for name, value in wanted.items()):
                return page(TEMPLATES, "log_in.html", form=form, key=self._key, wrong=True)
            response = RedirectResponse(form.home, 302)
            response.set_cookie(form.cookie, self._episodes.sign_in(token), httponly=True)
            return response
        if form.shows_form(path):
            return page(TEMPLATES, "log_in.html", form=form, key=self._key, wrong=False)
        return RedirectResponse(f"{form.form_path}?return={quote(path, safe='')}", 302)

    def _control(self, request: Request, token: str) -> Response:
        command, _, session = request.scope["path"].removeprefix(CONTROL).partition("/")
        query = request.query_params
        if command == "reset" and request.method == "POST":
            return self._reset(query.get("episode", ""), query.get("task", ""))
        if command == "enter" and self._episodes.world(session) is not None:
            where = query.get("next", "/")
            response = RedirectResponse(where if where.startswith("/") and not where.startswith("//") else "/", 302)
            response.set_cookie(COOKIE, session, httponly=True)
            return response
        if command == "health":
            return JSONResponse({"ok": True, "sites": dict(self._addresses)})
        world = self._episodes.world(query.get("episode", token))
        if command in ("requests", "changes") and world is not None:
            rows = world.log.requests if command == "requests" else world.changes()
            return JSONResponse([row.model_dump(mode="json") for row in rows])
        return JSONResponse({"problem": "expected POST reset; GET enter/EPISODE, health, requests, changes"}, 404)

    def _reset(self, token: str, name: str) -> Response:
        task = self._tasks.get(name)
        if name and task is None:
            return JSONResponse({"problem": f"there is no task {name!r}"}, 404)
        begun = self._episodes.begin(token, task)
        enter = {host: f"{base}{CONTROL}enter/{begun}" for host, base in self._addresses.items()}
        start = {"start": self._open(task.start.encode()).decode()} if task else {}
        return JSONResponse({"episode": begun, "sites": dict(self._addresses), "enter": enter, **start})

    async def _serve(self, scope: Scope, receive: Receive, send: Send, world: World) -> None:
        """Pass the request on to the site, and its answer back once it is complete; both with addresses rewritten."""
        rewritten = [(name, self._sealed(value)) for name, value in scope["headers"] if name != b"host"]
        inner = {**scope, "headers": [(b"host", self._host.encode()), *rewritten]}
        responder = SiteResponder(self._inside, world, Origin("https", self._host, 443), self._site, lambda: None)
        start, body = await whole_answer(responder, inner, receive)
        if not start:
            await PlainTextResponse("the site gave no answer", 502)(scope, receive, send)
            return
        headers = [
            (name, self._open(_plain_cookie(value) if name.lower() == b"set-cookie" else value))
            for name, value in start["headers"]
            if name.lower() not in (b"content-length", b"strict-transport-security", b"connection")
        ]
        kind = next((value.decode("latin-1") for name, value in headers if name.lower() == b"content-type"), "")
        content = self._open(body) if kind.startswith(TEXT) else body
        headers.append((b"content-length", str(len(content)).encode()))
        await send({**start, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    def _names(self, address: str) -> tuple[str, str]:
        """The authorities that lead to an address on loopback."""
        authority = address.removeprefix("http://")
        return authority, authority.replace("127.0.0.1", "localhost")

    def _open(self, text: bytes) -> bytes:
        for host, address in self._addresses.items():
            text = text.replace(f"https://{host}".encode(), address.encode())
        return text

    def _sealed(self, text: bytes) -> bytes:
        for host, address in self._addresses.items():
            for name in self._names(address):
                text = text.replace(f"http://{name}".encode(), f"https://{host}".encode())
        return text


def _plain_cookie(value: bytes) -> bytes:
    """A cookie in a form that works over plain HTTP."""
    attributes = (part for part in value.split(b";") if not part.strip().lower().startswith((b"secure", b"domain=")))
    return b";".join(attributes)
