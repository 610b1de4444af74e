"""Probe: a site with every misbehaviour that the proxy must handle, a raw client, and a server on loopback that must
not be reached."""

import asyncio
import re
import socket
import ssl
import threading
from base64 import b64encode
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from longtrail.web.sealed import SealedWeb
from longtrail.web.site import Edition
from longtrail.web.world import World

HOSTS = ("probe.test", "imdb.com", "www.imdb.com", "store.steampowered.com")


async def home(request: Request) -> Response:
    world, host = request.scope["world"].name, request.headers["host"]
    return HTMLResponse(f"<title>{host}</title><link rel=icon href='data:,'><h1>{host} in {world}</h1>")


async def note(request: Request) -> Response:
    """A list of texts in the world's database: GET shows it, POST adds a text."""
    db = request.scope["world"].db("probe")
    if request.method == "POST":
        db.execute("INSERT INTO notes (text) VALUES (?)", ((await request.body()).decode()[:100],))
    return PlainTextResponse(" ".join(text for (text,) in db.execute("SELECT text FROM notes ORDER BY id")))


async def size(request: Request) -> Response:
    return PlainTextResponse(str(len(await request.body())))


async def cookie(request: Request) -> Response:
    answer = PlainTextResponse(request.cookies.get("who", "nobody"))
    if "set" in request.query_params:
        answer.set_cookie("who", request.query_params["set"])
    return answer


async def raises(request: Request) -> Response:
    raise LookupError("the shelf is empty")


async def slow(request: Request) -> Response:
    await asyncio.sleep(float(request.query_params["seconds"]))
    return PlainTextResponse("at last")


async def breaks_off(request: Request) -> Response:
    async def parts() -> Any:
        yield b"half of "
        raise LookupError("the other half is gone")

    return StreamingResponse(parts(), media_type="text/html")


class Mute:
    """An ASGI app that returns without an answer."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        return


async def leave(request: Request) -> Response:
    return RedirectResponse(request.query_params["to"], 302)


class Probe:
    """The probe as a `Site`."""

    name = "probe"
    hosts: tuple[str, ...] = HOSTS
    app = Starlette(
        routes=[
            Route("/", home),
            Route("/note", note, methods=["GET", "POST"]),
            Route("/size", size, methods=["POST"]),
            Route("/cookie", cookie),
            Route("/raises", raises),
            Route("/slow", slow),
            Route("/breaks-off", breaks_off),
            Route("/mute", Mute()),
            Route("/leave", leave),
        ]
    )

    def build(self, db: Any, _: Edition) -> None:
        db.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)")


class Canary:
    """A server on loopback that must never be reached: it counts connections."""

    def __init__(self) -> None:
        self.hits = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._count, daemon=True).start()

    def _count(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.hits += 1
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngone")
            connection.close()

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


def client(web: SealedWeb, world: World, **options: Any) -> httpx.Client:
    """An HTTP client for one world, which checks certificates."""
    trust = ssl.create_default_context(cadata=web.authority_pem.decode())
    proxy = httpx.Proxy(web.address, auth=(world.user, world.token))
    return httpx.Client(proxy=proxy, verify=trust, timeout=60, trust_env=False, **options)


def basic(user: str, password: str) -> str:
    return "Basic " + b64encode(f"{user}:{password}".encode()).decode()


class Raw:
    """A socket to the proxy, for what no well-behaved client would send."""

    def __init__(self, web: SealedWeb, world: World) -> None:
        self.socket: socket.socket = socket.create_connection(("127.0.0.1", int(web.address.rpartition(":")[2])))
        self.socket.settimeout(60)
        self._authorization = f"Proxy-Authorization: {basic(world.user, world.token)}\r\n"

    def __enter__(self) -> "Raw":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def ask(self, line: str, *headers: str) -> bytes:
        """Send a proxy request with credentials; returns the answer up to the end of its head."""
        self.send(line, self._authorization.strip(), *headers)
        return self.head()

    def send(self, line: str, *headers: str) -> None:
        self.socket.sendall("\r\n".join([line, *headers, "", ""]).encode("latin-1"))

    def connect(self, target: str) -> bytes:
        return self.ask(f"CONNECT {target} HTTP/1.1", f"Host: {target}")

    def tunnel(self, host: str) -> None:
        """Open a tunnel and TLS in it; afterwards `send` and `head` use the tunnel."""
        assert self.connect(f"{host}:443").startswith(b"HTTP/1.1 200")
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self.socket = context.wrap_socket(self.socket, server_hostname=host)

    def head(self) -> bytes:
        data = b""
        while b"\r\n\r\n" not in data:
            part = self.socket.recv(65536)
            if not part:
                break
            data += part
        return data

    def answer(self) -> bytes:
        """A whole answer: head and body."""
        data = self.head()
        length = int(re.search(rb"content-length: (\d+)", data.lower())[1])  # type: ignore[index]
        while len(data.partition(b"\r\n\r\n")[2]) < length:
            data += self.socket.recv(65536)
        return data

    def is_cut(self) -> bool:
        """Whether the proxy closes the connection before the socket's time-out."""
        try:
            while self.socket.recv(65536):
                pass
        except TimeoutError:
            return False
        except OSError:
            return True
        return True
