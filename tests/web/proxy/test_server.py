"""The proxy with strict clients and with clients that break the protocol."""

import re
import subprocess
import sys

import pytest

from longtrail.web.proxy.state import UNIT
from longtrail.web.sealed import SealedWeb
from longtrail.web.world import World
from tests.web.probe import HOSTS, Canary, Raw, basic, client

LOOPBACK = ["localhost", "localhost.", "LOCALHOST", "a.localhost", "127.0.0.1", "127.1", "2130706433", "0x7f.1"]
LOOPBACK += ["0x7f000001", "0177.0.0.1", "0.0.0.0", "0", "127.0.0.1.", "[::1]", "[::]", "[::ffff:127.0.0.1]"]
OUTSIDE = ["169.254.169.254", "[fd00:ec2::254]", "10.0.0.1", "192.168.0.1", "8.8.8.8", "evil.example", "imdb.com."]
OUTSIDE += ["imdb.com.evil.example", "xn--mdb-dma.com", "evilimdb.com", "metadata.google.internal"]


def test_every_host_has_a_certificate_that_holds(web: SealedWeb, world: World) -> None:
    with client(web, world) as asking:
        for host in HOSTS:
            answer = asking.get(f"https://{host}/")
            assert answer.status_code == 200
            certificate = answer.extensions["network_stream"].get_extra_info("ssl_object").getpeercert()
            assert (("organizationalUnitName", UNIT),) in certificate["subject"]
            assert f"{host} in {world.name}" in answer.text


@pytest.mark.parametrize("method", ["CONNECT imdb.com:443", "GET http://imdb.com/", "GET /"])
def test_who_has_no_credentials_is_asked_for_them_and_who_has_wrong_ones_is_turned_away(
    web: SealedWeb, world: World, other: World, method: str
) -> None:
    wrong = [
        [],
        [basic(world.user, "guess")],
        [basic(world.user, other.token)],
        [basic("nobody", world.token)],
        [basic("", "")],
        ["Basic ===="],
        ["Basic " + "A" * 200],
        [f"Bearer {world.token}"],
        [basic(world.user, world.token).replace("Basic", "Digest")],
        ["Basic /////w=="],
    ]
    for values in wrong:
        with Raw(web, world) as raw:
            raw.send(f"{method} HTTP/1.1", "Host: imdb.com", *(f"Proxy-Authorization: {value}" for value in values))
            answer = raw.head()
        assert answer.startswith(b"HTTP/1.1 403" if values else b"HTTP/1.1 407"), values
        assert (b'roxy-Authenticate: Basic realm="' in answer) == (not values)
        assert b"imdb" not in answer
    assert not world.log.requests


def test_the_connection_survives_the_challenge(web: SealedWeb, world: World) -> None:
    with Raw(web, world) as raw:
        raw.send("CONNECT imdb.com:443 HTTP/1.1", "Host: imdb.com:443")
        assert raw.head().startswith(b"HTTP/1.1 407")
        raw.tunnel("imdb.com")
        raw.send("GET / HTTP/1.1", "Host: imdb.com")
        assert raw.head().startswith(b"HTTP/1.1 200")


def test_plain_http_is_sent_to_https(web: SealedWeb, world: World) -> None:
    with client(web, world) as asking:
        answer = asking.get("http://imdb.com/title?a=1&b=%20")
        assert (answer.status_code, answer.headers["location"]) == (308, "https://imdb.com/title?a=1&b=%20")
        assert asking.get("http://www.imdb.com").headers["location"] == "https://www.imdb.com/"
        assert asking.post("http://imdb.com:80/note", content=b"x" * 100_000).status_code == 308
        assert asking.get("http://imdb.com/", follow_redirects=True).text.count(world.name) == 1
    assert [request.status for request in world.log.requests] == [308, 308, 308, 308, 200]


@pytest.mark.parametrize("host", LOOPBACK + OUTSIDE)
def test_what_is_not_served_is_refused_and_noted(web: SealedWeb, world: World, canary: Canary, host: str) -> None:
    with Raw(web, world) as raw:
        answer = raw.ask(f"GET http://{host}:{canary.port}/secret HTTP/1.1", f"Host: {host}:{canary.port}")
        assert answer.startswith(b"HTTP/1.1 403")
    with Raw(web, world) as raw:
        assert raw.connect(f"{host}:{canary.port}").startswith(b"HTTP/1.1 403")
    with Raw(web, world) as raw:
        raw.tunnel(host)
        raw.send("GET /latest/meta-data?x HTTP/1.1", f"Host: {host}")
        answer = raw.answer()
        assert answer.startswith(b"HTTP/1.1 403")
        assert b"This site can't be reached" in answer
    assert [request.status for request in world.log.requests] == [403, 403, 403]
    assert world.log.requests[2].url == f"https://{host.lower()}/latest/meta-data?x"
    assert len(world.log.violations) == 3
    expected = "loopback" if host in LOOPBACK else r"(private |)address|unknown host"
    assert all(re.match(expected, line) for line in world.log.violations), world.log.violations
    assert canary.hits == 0


@pytest.mark.parametrize("target", ["imdb.com:22", "imdb.com:80", "imdb.com:8443", "imdb.com:0443", "imdb.com", ":443"])
def test_other_ports_of_served_hosts_lead_nowhere(web: SealedWeb, world: World, target: str) -> None:
    with Raw(web, world) as raw:
        assert re.match(rb"HTTP/1.1 40[03]", raw.connect(target))
    assert all(request.status == 403 for request in world.log.requests)
    assert len(world.log.violations) == len(world.log.requests) == 1


ODD_TARGETS = """
http://imdb.com:8080/ http://imdb.com@127.0.0.1/ http://imdb.com:443@evil.example/
http://user:word@imdb.com/ https://imdb.com/ ftp://imdb.com/ file:///etc/hostname http:/// http://[::1
http://imdb.com:99999/ / * //imdb.com/
"""


@pytest.mark.parametrize("target", ODD_TARGETS.split())
def test_odd_targets_in_the_clear_are_no_way_around(web: SealedWeb, world: World, target: str) -> None:
    with Raw(web, world) as raw:
        assert re.match(rb"HTTP/1.1 40[03]", raw.ask(f"GET {target} HTTP/1.1", "Host: imdb.com"))


@pytest.mark.parametrize("named", ["www.imdb.com", "127.0.0.1", "imdb.com:8443", "imdb.com.", ""])
def test_a_host_header_must_agree_with_its_tunnel(web: SealedWeb, world: World, named: str) -> None:
    with Raw(web, world) as raw:
        raw.tunnel("imdb.com")
        raw.send("GET / HTTP/1.1", f"Host: {named}")
        assert raw.head().startswith(b"HTTP/1.1 421")
    assert world.log.requests[-1].status == 421
    assert "in a connection to 'imdb.com'" in world.log.violations[-1]


def test_host_names_know_no_case_and_may_carry_the_port(web: SealedWeb, world: World) -> None:
    with Raw(web, world) as raw:
        raw.tunnel("IMDb.com")
        raw.send("GET / HTTP/1.1", "Host: Imdb.COM:443")
        assert raw.head().startswith(b"HTTP/1.1 200")
    assert world.log.requests[-1].url == "https://imdb.com/"


def test_a_tunnel_is_no_proxy(web: SealedWeb, world: World, canary: Canary) -> None:
    for line in (
        f"CONNECT 127.0.0.1:{canary.port} HTTP/1.1",
        f"GET http://127.0.0.1:{canary.port}/ HTTP/1.1",
        "OPTIONS * HTTP/1.1",
    ):
        with Raw(web, world) as raw:
            raw.tunnel("imdb.com")
            raw.send(line, "Host: imdb.com")
            assert raw.head().startswith(b"HTTP/1.1 400"), line
    assert canary.hits == 0


def test_websockets_are_refused(web: SealedWeb, world: World) -> None:
    with Raw(web, world) as raw:
        raw.tunnel("imdb.com")
        upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: a2V5"]
        raw.send("GET /socket HTTP/1.1", "Host: imdb.com", *upgrade)
        assert raw.head().startswith(b"HTTP/1.1 403")
    assert world.log.violations == ["websocket: GET https://imdb.com/socket"]


def test_bytes_behind_a_connect_do_not_slip_through(web: SealedWeb, world: World) -> None:
    with Raw(web, world) as raw:
        head = (
            f"CONNECT imdb.com:443 HTTP/1.1\r\nHost: imdb.com\r\nProxy-Authorization: {basic(world.user, world.token)}"
        )
        raw.socket.sendall(f"{head}\r\n\r\nGET / HTTP/1.1\r\n\r\n".encode())
        assert raw.is_cut()
    assert not world.log.requests


def test_the_front_connects_nowhere_and_resolves_nothing() -> None:
    """Watched by an audit hook, which Python calls for every connection and every look-up of a name."""
    code = """
import sys, threading
seen = []
def hook(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto") \\
            and threading.current_thread().name == "longtrail-proxy":
        seen.append((event, str(args)))
sys.addaudithook(hook)
from tests.web.probe import Probe, Raw, client
from tests.web.proxy.test_server import LOOPBACK, OUTSIDE
from longtrail.web.sealed import SealedWeb
with SealedWeb([Probe()]) as web:
    world = web.open_world("watched")
    for host in [*LOOPBACK, *OUTSIDE, "imdb.com"]:
        for line in (f"GET http://{host}/ HTTP/1.1", f"CONNECT {host}:80 HTTP/1.1"):
            with Raw(web, world) as raw:
                raw.ask(line, f"Host: {host}")
        with Raw(web, world) as raw:
            raw.tunnel(host)
            raw.send("GET / HTTP/1.1", f"Host: {host}")
            raw.head()
    assert len(world.log.requests) >= 80, len(world.log.requests)
print(seen)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
