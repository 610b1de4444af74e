"""What the proxy answers and logs: requests, faults of sites, and the number of pending requests."""

import asyncio
import ssl
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from longtrail.web.sealed import SealedWeb
from longtrail.web.world import World
from tests.web.probe import Raw, client

MACHINERY = """
.git/config .git/HEAD .env .htaccess .ssh/id_rsa debug debug/vars health healthz reset control __control metrics
actuator/env graphql openapi.json swagger.json server-status phpinfo.php proc/self proc/self/environ __debug__/
state.sqlite3 tasks.yaml app.py app.js.map main.js.map %2egit/config
"""


def test_paths_of_a_machinery_are_not_there_and_noted(web: SealedWeb, world: World) -> None:
    with client(web, world) as asking:
        for number, path in enumerate(MACHINERY.split(), 1):
            assert asking.get(f"https://imdb.com/{path}").status_code == 404
            assert len(world.log.violations) == number, path
        assert all("control path" in line for line in world.log.violations)
        for path in ["/reset-password", "/title/tt0111161", "/.well-known/security.txt", "/healthy-recipes"]:
            assert asking.get(f"https://imdb.com{path}").status_code == 404
    assert len(world.log.violations) == len(MACHINERY.split())


def test_requests_are_noted_as_they_were_asked(web: SealedWeb, world: World) -> None:
    headers = {"sec-fetch-dest": "document", "sec-fetch-mode": "navigate", "sec-purpose": "prefetch"}
    with client(web, world) as asking:
        asking.get("https://imdb.com/a%2Fb/%C3%A9?q=%22x%22&q=2", headers=headers)
    (request,) = world.log.requests
    assert request.url == "https://imdb.com/a%2Fb/%C3%A9?q=%22x%22&q=2"
    assert (request.method, request.status, request.world) == ("GET", 404, world.name)
    assert (request.dest, request.mode, request.purpose) == ("document", "navigate", "prefetch")


def test_a_site_that_raises_is_noted(web: SealedWeb, world: World) -> None:
    with client(web, world) as asking:
        answer = asking.get("https://probe.test/raises")
        assert answer.status_code == 500
        assert "could not be shown" in answer.text
        assert "LookupError" not in answer.text
        assert asking.get("https://probe.test/mute").status_code == 500
        with pytest.raises(httpx.RemoteProtocolError):
            asking.get("https://probe.test/breaks-off")
        assert asking.get("https://probe.test/").status_code == 200
    assert [request.status for request in world.log.requests] == [500, 500, 200, 200]
    raised, mute, broke = world.log.crashes
    assert not world.log.faults
    assert "LookupError: the shelf is empty" in raised
    assert "without an answer" in mute
    assert "the other half is gone" in broke
    assert world.log.wait_quiet(0, 5)


def test_connections_are_kept_and_answer_at_once(web: SealedWeb, world: World) -> None:
    ports, seconds = set(), []
    with client(web, world) as asking:
        for number in range(20):
            begun = time.perf_counter()
            answer = asking.post("https://probe.test/note", content=str(number).encode())
            seconds.append(time.perf_counter() - begun)
            ports.add(answer.extensions["network_stream"].get_extra_info("client_addr")[1])
    assert len(ports) == 1
    assert answer.text.split() == [str(number) for number in range(20)]
    assert sorted(seconds)[5] < 0.03, "40 ms and more: small packets wait for acknowledgements (TCP_NODELAY is lost)"


def test_a_hundred_requests_at_once(web: SealedWeb, world: World) -> None:
    async def ask() -> list[int]:
        trust = ssl.create_default_context(cadata=web.authority_pem.decode())
        proxy = httpx.Proxy(web.address, auth=(world.user, world.token))
        limits = httpx.Limits(max_connections=100)
        async with httpx.AsyncClient(proxy=proxy, verify=trust, timeout=60, limits=limits, trust_env=False) as asking:
            posts = (asking.post("https://probe.test/note", content=b"word") for _ in range(100))
            return [answer.status_code for answer in await asyncio.gather(*posts)]

    assert asyncio.run(ask()) == [200] * 100
    assert world.db("probe").execute("SELECT count(*) FROM notes").fetchone()[0] == 100
    assert len(world.log.requests) == 100
    assert world.log.wait_quiet(0, 5)


def test_pending_counts_what_is_being_answered(web: SealedWeb, world: World) -> None:
    def ask() -> str:
        with client(web, world) as asking:
            return asking.get("https://probe.test/slow?seconds=0.3").text

    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(ask)
        while not world.log.pending():
            assert not answer.done()
        assert not world.log.wait_quiet(0, 0.05)
        assert world.log.wait_quiet(0.05, 10)
        assert world.log.pending() == 0
        assert answer.result() == "at last"


def test_a_connection_in_the_making_is_no_quiet(web: SealedWeb, world: World) -> None:
    before = world.log.last_activity()
    with Raw(web, world) as raw:
        raw.connect("imdb.com:443")
        assert world.log.last_activity() > before
    assert world.log.pending() == 0
