"""A cluster's address is checked before Ray connects to it; an error is one line. Needs no Ray."""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from longtrail.errors import UsageError
from longtrail.pytest_plugin.remote.ray_cluster import (
    EMPTY_SETTINGS,
    knock,
    native_messages_hidden,
    not_connected,
    one_line,
    own_token,
)


@contextmanager
def answering(said: bytes) -> Iterator[str]:
    """A server that sends this to its first client and closes the connection."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(said)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"


def test_a_server_that_speaks_as_ray_does_is_let_pass() -> None:
    with answering(EMPTY_SETTINGS) as address:
        knock(address)
    knock("auto")


@pytest.mark.parametrize("said", [b"HTTP/1.1 400 Bad request\r\n\r\n", b"", b"\x00\x00"])
def test_another_server_is_told_at_once(said: bytes) -> None:
    """Ray would try to reach it for more than five minutes."""
    with answering(said) as address, pytest.raises(UsageError, match=f"{address}: no Ray cluster answers there"):
        knock(address)


@pytest.mark.parametrize("address", ["ray://127.0.0.1:10001", "there", "there:port", ":6379", "127.0.0.1:99999"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(UsageError, match=f"--ray {address}: "):
        knock(address)


def test_an_error_of_many_lines_is_one_that_names_the_token() -> None:
    told = "Version mismatch: The cluster was started with:\n    Ray: 2.9.0\n    Python: 3.11"
    assert one_line(RuntimeError(told)) == "Version mismatch: The cluster was started with: Ray: 2.9.0 Python: 3.11"
    assert one_line(RuntimeError()) == "RuntimeError"
    assert len(one_line("x" * 1000)) == 300
    told = not_connected("10.0.0.1:6379", ConnectionError("Failed to connect\nat once"))
    assert told.startswith("--ray 10.0.0.1:6379: Failed to connect at once; if it requires a token, set RAY_AUTH_MODE=")
    assert not_connected("auto", RuntimeError("Version mismatch")) == "--ray auto: Version mismatch"


@pytest.mark.parametrize(
    ("given", "mode", "made"),
    [
        ({}, "token", True),
        ({"RAY_AUTH_TOKEN": "mine"}, "token", False),
        ({"RAY_AUTH_TOKEN_PATH": "mine"}, "token", False),
        ({"RAY_AUTH_MODE": "disabled"}, "disabled", False),
    ],
)
def test_a_cluster_of_the_session_alone_has_a_token(given: dict[str, str], mode: str, made: bool) -> None:
    environment = dict(given)
    own_token(environment)
    assert environment["RAY_AUTH_MODE"] == mode
    assert (len(environment.get("RAY_AUTH_TOKEN", "")) == 64) == made


def test_what_native_code_writes_is_hidden(capfd: pytest.CaptureFixture[str]) -> None:
    with native_messages_hidden():
        os.write(2, b"an attempt to connect")
    os.write(2, b"told")
    assert capfd.readouterr().err == "told"
