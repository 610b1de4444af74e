"""The proxy's limits: sizes, slowness, invalid data, too many connections, and closing."""

import socket
import threading

import pytest

from longtrail.web.proxy.state import ProxyLimits
from longtrail.web.sealed import SealedWeb
from longtrail.web.world import World
from tests.web.probe import Probe, Raw, client


def test_big_bodies_up_to_the_limit(web: SealedWeb, world: World) -> None:
    def parts(number: int) -> object:
        return (b"x" * 100_000 for _ in range(number))

    with client(web, world) as asking:
        assert asking.post("https://probe.test/size", content=b"x" * 2_000_000).text == "2000000"
        assert asking.post("https://probe.test/size", content=parts(20)).text == "2000000"  # type: ignore[arg-type]
        assert asking.post("https://probe.test/size", content=b"x" * 2_000_001).status_code == 413
        assert asking.post("https://probe.test/size", content=parts(50)).status_code == 413  # type: ignore[arg-type]
        assert asking.get("https://probe.test/").status_code == 200


def test_heads_have_a_limit(web: SealedWeb, world: World) -> None:
    with Raw(web, world) as raw:
        assert raw.ask("GET http://imdb.com/ HTTP/1.1", "Host: imdb.com", f"X: {'x' * 40_000}").startswith(
            b"HTTP/1.1 431"
        )
    with Raw(web, world) as raw:
        raw.tunnel("imdb.com")
        raw.send("GET / HTTP/1.1", "Host: imdb.com", f"X: {'x' * 40_000}")
        assert raw.head().startswith(b"HTTP/1.1 431")


@pytest.fixture
def strict() -> SealedWeb:
    """A proxy with short time limits."""
    limits = ProxyLimits(head_seconds=1.5, body_seconds=0.5, answer_seconds=2, idle_seconds=2, connections=4)
    return SealedWeb([Probe()], limits=limits)


@pytest.mark.slow
def test_slow_clients_are_cut_off(strict: SealedWeb) -> None:
    with strict as web:
        world = web.open_world("slow")

        def dribble(raw: Raw, data: bytes) -> bool:
            """Send byte by byte: no byte may extend the time limit."""
            raw.socket.settimeout(0.02)
            for byte in data:
                try:
                    raw.socket.sendall(bytes([byte]))
                    if not raw.socket.recv(1):
                        return True
                except TimeoutError:
                    continue
                except OSError:
                    return True
            return False

        with Raw(web, world) as raw:
            assert dribble(raw, b"GET http://imdb.com/ HTTP/1.1\r\nX: " + b"x" * 500), "the proxy's head"
        with Raw(web, world) as raw:
            raw.tunnel("imdb.com")
            assert dribble(raw, b"GET / HTTP/1.1\r\nX: " + b"x" * 500), "a tunnel's head"
        with Raw(web, world) as raw:
            assert raw.connect("imdb.com:443").startswith(b"HTTP/1.1 200")
            assert raw.is_cut(), "a handshake that never comes"
        with Raw(web, world) as raw:
            raw.tunnel("probe.test")
            raw.send("POST /note HTTP/1.1", "Host: probe.test", "Content-Length: 10")
            assert raw.head().startswith(b"HTTP/1.1 408")
        with Raw(web, world) as raw:
            assert raw.is_cut(), "a connection that asks nothing"
        with Raw(web, world) as raw:
            raw.tunnel("probe.test")
            assert raw.is_cut(), "a tunnel that asks nothing"


def test_slow_sites_are_a_fault(strict: SealedWeb) -> None:
    with strict as web, client(web, world := web.open_world("slow")) as asking:
        assert asking.get("https://probe.test/slow?seconds=30").status_code == 504
        assert world.log.faults == ["no answer after 2 s: https://probe.test/slow?seconds=30"]
        assert asking.get("https://probe.test/").status_code == 200


def test_a_world_that_takes_too_many_connections_keeps_no_other_from_its_own(strict: SealedWeb) -> None:
    with strict as web:
        greedy, modest = web.open_world("greedy"), web.open_world("modest")
        taken = [Raw(web, greedy) for _ in range(4)]
        for raw in taken:
            raw.tunnel("imdb.com")
        with Raw(web, greedy) as raw:
            assert raw.connect("imdb.com:443").startswith(b"HTTP/1.1 503")
        with client(web, modest) as asking:
            assert asking.get("https://imdb.com/").status_code == 200
        taken.pop().socket.close()
        for raw in taken:
            raw.socket.close()


@pytest.mark.parametrize("junk", [b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x00\x05hello", b"\x00" * 5000])
def test_junk_instead_of_tls_harms_nobody(web: SealedWeb, world: World, junk: bytes) -> None:
    with Raw(web, world) as raw:
        raw.connect("imdb.com:443")
        raw.socket.sendall(junk)
        assert raw.is_cut()
    with client(web, world) as asking:
        assert asking.get("https://imdb.com/").status_code == 200


def test_stopping_cuts_everything_at_once() -> None:
    before = set(threading.enumerate())
    web = SealedWeb([Probe()]).start()
    world = web.open_world("cut")
    port = int(web.address.rpartition(":")[2])
    with Raw(web, world) as idle, Raw(web, world) as busy:
        idle.tunnel("imdb.com")
        busy.tunnel("probe.test")
        busy.send("GET /slow?seconds=50 HTTP/1.1", "Host: probe.test")
        while not world.log.pending():
            pass
        web.stop()
        assert idle.is_cut()
        assert busy.is_cut()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))
    assert set(threading.enumerate()) <= before
    web.stop()
