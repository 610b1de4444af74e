"""Ray cluster: connects to a cluster, and reports its errors in one line."""

import os
import secrets
import socket
import sys
import time
import warnings
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from longtrail.errors import UsageError
from longtrail.records.record import Record
from longtrail.yaml_file import read

CONNECT = 10.0
"""Seconds within which a cluster must answer."""
LONGEST = 300
"""Maximum characters of an error that are shown."""
EMPTY_SETTINGS = bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
"""A frame of HTTP/2: its length, its type, flags and stream."""
AUTH_MODE, TOKEN, TOKEN_FILE = "RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"
"""Variables that Ray reads."""
SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_OVERRIDE_RUNTIME_ENV_DEFAULT_EXCLUDES": "",
    "RAY_worker_niceness": "0",
}
"""Ray's usage statistics are off, and so are its warnings about graphics cards and folders that are not sent. If we
start Ray, workers have normal priority, as with `-n`: Ray's own is so low that a busy machine starves them."""


def import_ray() -> Any:
    """The package. Raises UsageError if it is not installed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import ray
    except ImportError as error:
        raise UsageError(f"--ray: needs Ray ({error}): pip install 'longtrail[ray]'") from error
    return ray


def connect(ray: Any, address: str, root: Path | None, runtime_env: Mapping[str, Any]) -> None:
    """Connect to a cluster. `root`: the project's folder, of which nodes get a copy; `runtime_env`: what else Ray gives
    them. None: a cluster of this machine alone, which is started. Raises UsageError."""
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR", "configure_logging": False}
    if root is None:
        options |= {"include_dashboard": False}
    else:
        knock(address)
        options |= {"runtime_env": {**runtime_env, "working_dir": str(root)}}
    try:
        with warnings.catch_warnings(), native_messages_hidden():
            warnings.simplefilter("ignore")
            ray.init(address=address, **options)
    except Exception as error:
        raise UsageError(not_connected(address, error)) from error


def own_token(environment: MutableMapping[str, str]) -> None:
    """Give a cluster of this session alone a token, before Ray is imported. Ray would leave one in the user's folder,
    and every cluster that is started later would require it."""
    if AUTH_MODE in environment:
        return
    environment[AUTH_MODE] = "token"
    if TOKEN not in environment and TOKEN_FILE not in environment:
        environment[TOKEN] = secrets.token_hex(32)


@contextmanager
def native_messages_hidden() -> Iterator[None]:
    """Ray's native code writes a line for every attempt to connect; what went wrong is raised besides."""
    sys.stderr.flush()
    stderr_copy = os.dup(2)
    try:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(stderr_copy, 2)
        os.close(stderr_copy)


def not_connected(address: str, error: object) -> str:
    """Why the connection to a cluster failed, in one line. Ray doesn't say that a token was missing."""
    message = f"--ray {address}: {one_line(error)}"
    if not isinstance(error, ConnectionError):
        return message
    return f"{message}; if it requires a token, set {AUTH_MODE}=token, with the token in ~/.ray/auth_token or {TOKEN}"


def knock(address: str) -> None:
    """Raise UsageError unless a server like Ray's answers there: Ray itself would try for minutes."""
    if address == "auto":
        return
    host, _, port = address.rpartition(":")
    if "://" in address or not host or not port.isdecimal():
        raise UsageError(
            f"--ray {address}: expected HOST:PORT, auto, or nothing; start pytest on a node of the cluster"
        )
    try:
        with socket.create_connection((host, int(port)), timeout=CONNECT) as connection:
            if os.environ.get("RAY_USE_TLS", "0") == "0":
                _greet(connection)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(
            f"--ray {address}: no Ray cluster answers there ({reason}); `ray start --head` starts one"
        ) from None


def _greet(connection: socket.socket) -> None:
    """Raise OSError unless the server answers an HTTP/2 preface, which gRPC uses, with one (RFC 9113, 3.4)."""
    connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + EMPTY_SETTINGS)
    answer = b""
    while len(answer) < len(EMPTY_SETTINGS) and (more := connection.recv(len(EMPTY_SETTINGS) - len(answer))):
        answer += more
    if len(answer) < len(EMPTY_SETTINGS) or answer[3] != EMPTY_SETTINGS[3]:
        raise OSError("something else does")


def one_line(error: object) -> str:
    """The message of an error; for an error in a worker, that of the original exception."""
    error = getattr(error, "cause", None) or error
    return " ".join(str(error).split())[:LONGEST] or type(error).__name__


ANSWER = 5.0
"""Seconds within which a machine must accept a connection."""
CHECK_INTERVAL = 10.0
"""Seconds between two checks of the head node. Ray ends a process that has not reached it for a minute."""
SILENT = 3
"""After so many checks without an answer, the head node counts as lost."""


class RayNodes:
    """The nodes of the cluster that this process is connected to."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._head = str(ray.get_runtime_context().gcs_address)
        self._last_check = time.monotonic()
        self._silent = 0

    def alive(self) -> list[dict[str, Any]]:
        """The nodes that Ray counts as alive."""
        return [node for node in self._ray.nodes() if node["Alive"]]

    def lost(self, node: str) -> bool:
        """Whether the machine with this id is lost: by what Ray knows, or because nothing answers there."""
        node_info = next((info for info in self.alive() if info["NodeID"] == node), None)
        return node_info is None or not _answers(node_info["NodeManagerAddress"], int(node_info["NodeManagerPort"]))

    def check_head(self) -> None:
        """Raises UsageError if the head node does not answer any more. Ray itself would end this process at once."""
        if time.monotonic() - self._last_check < CHECK_INTERVAL:
            return
        host, _, port = self._head.rpartition(":")
        self._silent = 0 if _answers(host, int(port)) else self._silent + 1
        self._last_check = time.monotonic()
        if self._silent >= SILENT:
            raise UsageError(
                f"--ray: the cluster's head node at {self._head} does not answer any more: the run was ended"
            )


def _answers(host: str, port: int) -> bool:
    try:
        socket.create_connection((host.strip("[]"), port), timeout=ANSWER).close()
    except OSError:
        return False
    return True


class RuntimeEnv(Record):
    """The parts of Ray's `runtime_env` that a file may set. Longtrail itself sets `working_dir` and `excludes`."""

    pip: tuple[str, ...] = ()
    """Requirements that Ray installs on each node, beside the packages that are there."""
    uv: tuple[str, ...] = ()
    """The same, installed with uv."""
    py_modules: tuple[str, ...] = ()
    """Folders of packages, and wheels, that are sent to the nodes."""
    env_vars: dict[str, str] = {}
    """Variables of the workers' environment."""


def read_runtime_env(path: Path | None) -> dict[str, Any]:
    """The file's content in Ray's form. Raises DataError that names the field."""
    if path is None:
        return {}
    runtime_env = read(RuntimeEnv, path)
    return {name: list(value) if isinstance(value, tuple) else value for name, value in runtime_env if value}
