"""A site of unusual pages on loopback, and browser sessions that can reach only it."""

import asyncio
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PIL import Image
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from longtrail.browser.launcher import Launch
from longtrail.browser.session import Browser, Session, ViewSettings
from longtrail.browser.url_policy import UrlPolicy
from longtrail.browser.view import NOTHING, Permissions
from tests.serving import serving

PAGES = Path(__file__).parent / "pages"
MADE: list[str] = []
REPORT = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length 43>>stream
BT /F 12 Tf 9 99 Td (Invoice 12, paid)Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
startxref
0
%%EOF
"""


async def page(request: Request) -> Response:
    return HTMLResponse((PAGES / f"{request.path_params['name']}.html").read_text("utf-8"))


async def made(request: Request) -> Response:
    """A page that a test has written."""
    return HTMLResponse(f"<!doctype html><title>Made</title>{MADE[request.path_params['number']]}")


async def slow(request: Request) -> Response:
    await asyncio.sleep(float(request.query_params["seconds"]))
    return HTMLResponse("<!doctype html><title>Slow</title><p>Here at last")


async def late(request: Request) -> Response:
    await asyncio.sleep(float(request.query_params.get("seconds", "0.3")))
    return PlainTextResponse("late words")


async def never(request: Request) -> Response:
    await asyncio.sleep(600)
    return PlainTextResponse("")


async def drip(request: Request) -> Response:
    async def body() -> object:
        yield b"<!doctype html><title>Drip</title><p>The first words"
        for _ in range(600):
            await asyncio.sleep(1)
            yield b" "

    return StreamingResponse(body(), media_type="text/html")


async def cookie(request: Request) -> Response:
    answer = HTMLResponse(f"<!doctype html><p>seen before: {request.cookies.get('seen', 'no')}")
    answer.set_cookie("seen", "yes")
    return answer


def drawn() -> bytes:
    """A picture of 400 x 200 pixels."""
    out = io.BytesIO()
    Image.new("RGB", (400, 200), "teal").save(out, "PNG")
    return out.getvalue()


def named(name: str) -> dict[str, str]:
    return {"content-disposition": f"attachment; filename={name}"}


ALWAYS_THE_SAME = {
    "/again": RedirectResponse("/again"),
    "/moved": RedirectResponse("/page/links"),
    "/nothing": Response(status_code=204),
    "/file": Response(b"a,b\n1,2\n", headers=named("orders.csv")),
    "/escape": Response(b"x", headers=named('"../../etc/passwd"')),
    "/picture.png": Response(drawn(), media_type="image/png"),
    "/report.pdf": Response(REPORT, media_type="application/pdf"),
    "/pdf": Response(b"%PDF-1.4\n%%EOF", media_type="application/pdf"),
    "/zipped": Response(b"<h1>Plain</h1>", media_type="text/html", headers={"content-encoding": "gzip"}),
    "/login": Response("who are you?", 401, {"www-authenticate": 'Basic realm="staff"'}),
}
"""Among them a download whose name leads out of its folder, and a page that says it is packed and is not."""
ROUTES = [
    Route("/page/{name}", page, methods=["GET", "POST"]),
    *(Route(f"/{view.__name__}", view) for view in (slow, late, never, drip, cookie)),
    Route("/made/{number:int}", made),
    *(Route(path, answer) for path, answer in ALWAYS_THE_SAME.items()),
]


@dataclass(frozen=True)
class OddSite:
    """Where the site is."""

    address: str

    @property
    def authority(self) -> str:
        return self.address.removeprefix("http://")


@pytest.fixture(scope="session")
def site() -> Iterator[OddSite]:
    with serving(Starlette(routes=ROUTES)) as address:
        yield OddSite(address)


@pytest.fixture(scope="session")
def chrome() -> Iterator[Browser]:
    with Browser(launch=Launch(proxied=False)) as chrome:
        yield chrome


def made_page(body: str) -> str:
    """The path of a page with this body."""
    MADE.append(body)
    return f"/made/{len(MADE) - 1}"


@pytest.fixture
def open_page(chrome: Browser, site: OddSite) -> Iterator[Callable[..., Session]]:
    """Opens a page in a fresh session, by its path (`/page/x`) or body: `open_page(path, permissions, **settings)`."""
    opened: list[Session] = []

    def open_(page: str, permissions: Permissions = NOTHING, **settings: object) -> Session:
        view = ViewSettings.model_validate(settings)
        session = chrome.session(url_policy=UrlPolicy([site.authority]), settings=view, permissions=permissions)
        opened.append(session)
        session.goto(site.address + (page if page.startswith("/") else made_page(page)))
        return session

    yield open_
    for session in opened:
        session.close()
