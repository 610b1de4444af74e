"""Staging: sites on this machine, by HTTP or HTTPS, that replace real sites in tests."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

SHOP = "www.staging-shop.com"
"""The public name of the shop."""


@dataclass
class Shop:
    """A shop that records its requests."""

    seen: list[tuple[str, str]] = field(default_factory=list)
    """Method and path of every request."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            self.seen.append((scope["method"], scope["path"]))
        await _shop(scope, receive, send)

    def asked(self, path: str) -> list[str]:
        """The methods of all requests for a path."""
        return [method for method, where in self.seen if where == path]


def _page(title: str, body: str, status: int = 200) -> Response:
    return HTMLResponse(f"<!doctype html><title>{title}</title><h1>{title}</h1>{body}", status)


async def _home(request: Request) -> Response:
    script = """
    const say = async (path, options) => {
      const answer = await fetch(path, options);
      out.textContent = `${path} ${answer.status} ${JSON.stringify(await answer.json())}`;
    };
    """
    host = request.headers["host"]
    form = """
    <form action=/search method=post><input name=q aria-label=Words><button>Look</button></form>
    <form action=/newsletter method=post><input name=email aria-label=Email><button>Keep me posted</button></form>
    <form action=/x/4711 method=post><button>Do it</button></form>
    <button onclick="say('/api/place-order', {method: 'POST', body: '{}'})">Order now</button>
    <button onclick="say('/api/suggest', {method: 'POST', body: '{}'})">Suggest</button>
    <a href=/offers>Offers</a> <p id=out></p>
    """
    return _page("Staging shop", f"<p>You asked {host}.</p>{form}<script>{script}</script>")


async def _search(request: Request) -> Response:
    words = (await request.form())["q"] if request.method == "POST" else request.query_params.get("q", "")
    return _page("Results", f"<p>for {words}</p>")


async def _api(_: Request) -> Response:
    return JSONResponse({"from": "site"})


async def _broken(_: Request) -> Response:
    async def pieces() -> Iterator[bytes]:  # type: ignore[misc]
        yield b"<!doctype html><title>Half</title>"
        raise ConnectionResetError

    return StreamingResponse(pieces(), media_type="text/html")


async def _slow(_: Request) -> Response:
    await asyncio.sleep(60)
    return Response()


async def _out(request: Request) -> Response:
    return RedirectResponse(request.query_params["to"], status_code=302)


async def _plain(request: Request) -> Response:
    return _page(request.url.path.strip("/").title(), "<p>text</p>")


def _fixed(title: str, body: str = "", status: int = 200) -> Route:
    async def answer(_: Request) -> Response:
        return _page(title, body, status)

    return Route(f"/{title.split()[0].lower()}", answer)


_shop = Starlette(
    routes=[
        Route("/", _home),
        Route("/offers", _plain),
        Route("/search", _search, methods=["GET", "POST"]),
        Route("/newsletter", _plain, methods=["POST"]),
        Route("/x/{number}", _plain, methods=["POST"]),
        Route("/api/{name}", _api, methods=["POST"]),
        Route("/out", _out),
        Route("/slow", _slow),
        Route("/half", _broken),
        _fixed("Forbidden", status=403),
        _fixed("Busy", status=503),
        _fixed("Just a moment...", "<script>window._cf_chl_opt = {}</script>"),
        _fixed("Contact us", "<div class=g-recaptcha></div><p>Write to us.</p>"),
    ]
)
