"""The own web at the level of HTTP: who may reach what, what is logged, and what the app receives."""

from collections.abc import Iterator

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from longtrail.checks.hosts import Origin, origin_of
from longtrail.web.own_web import OwnWeb
from longtrail.web.world import World
from tests.serving import serving


async def echo(request: Request) -> PlainTextResponse:
    """Answers with the request that it received."""
    path, query = request.scope["raw_path"].decode(), request.scope["query_string"].decode()
    sent = (await request.body()).decode()
    names = ",".join(sorted(request.headers.keys()))
    return PlainTextResponse(f"{request.method} {path}?{query} {request.headers['host']} {names} {sent}")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(Starlette(routes=[Route("/{path:path}", echo, methods=["GET", "POST"])])) as address:
        yield address


@pytest.fixture
def web() -> Iterator[OwnWeb]:
    with OwnWeb() as web:
        yield web


def client(web: OwnWeb, world: World) -> httpx.Client:
    proxy = httpx.Proxy(web.address, auth=(world.user, world.token))
    return httpx.Client(proxy=proxy, trust_env=False)


def test_requests_reach_the_named_address_as_they_are(web: OwnWeb, address: str) -> None:
    """Several requests on one connection: without the headers for the proxy, and logged with their addresses."""
    world = web.open_world("one", origins=[origin_of(address)])
    with client(web, world) as browser:
        first = browser.get(f"{address}/a%20b?q=1&r=%2F", headers={"Upgrade-Insecure-Requests": "1"}).text
        second = browser.post(f"{address}/form", data={"x": "1"}).text
    assert first.startswith(f"GET /a%20b?q=1&r=%2F {address.removeprefix('http://')} ")
    assert "proxy" not in first
    assert second.startswith("POST /form? ")
    assert second.endswith("x=1")
    assert [(r.method, r.url, r.status, r.dest) for r in world.log.requests] == [
        ("GET", f"{address}/a%20b?q=1&r=%2F", 200, "document"),
        ("POST", f"{address}/form", 200, ""),
    ]
    assert world.log.violations == []


def test_nobody_else_reaches_it(web: OwnWeb, address: str) -> None:
    """No world that doesn't list it reaches it, no client without credentials; its own world reaches nothing else."""
    host, port = "127.0.0.1", origin_of(address).port
    mine = web.open_world("mine", origins=[origin_of(address)])
    other = web.open_world("other", origins=[Origin("http", "app.test", 80)])
    with client(web, other) as browser:
        assert browser.get(f"{address}/").status_code == 403
    with httpx.Client(proxy=web.address, trust_env=False) as nobody:
        assert nobody.get(f"{address}/").status_code == 407
    with client(web, mine) as browser:
        assert browser.get(f"http://{host}:{port + 1}/").status_code == 403
        assert browser.get(f"http://localhost:{port}/").status_code == 403
        spoofed = browser.get(f"{address}/", headers={"Host": "evil.test"})
        assert spoofed.status_code == 421
        with pytest.raises(httpx.TransportError):
            browser.get(f"https://{host}:{port}/")  # another scheme: the app speaks plain HTTP
    assert any("loopback" in line for line in mine.log.violations)


def test_an_app_that_is_gone_is_a_fault_of_its_own(web: OwnWeb) -> None:
    world = web.open_world("gone", origins=[origin_of("http://127.0.0.1:9")])
    with client(web, world) as browser:
        page = browser.get("http://127.0.0.1:9/", headers={"Upgrade-Insecure-Requests": "1"})
    assert page.status_code == 502
    assert world.log.fault_kind == "site_error"
    assert len(world.log.faults) == 1
