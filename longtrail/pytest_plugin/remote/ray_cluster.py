"""Ray cluster: how one is reached, and what went wrong there in one line."""

import socket
import warnings
from typing import Any

from longtrail.errors import UsageError

CONNECT = 10.0
"""Seconds that a cluster may take to accept a connection."""


def import_ray() -> Any:
    """The package. Raises UsageError if it is not installed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import ray
    except ImportError as error:
        raise UsageError(f"--ray: needs Ray ({error}): pip install 'longtrail[ray]'") from error
    return ray


def knock(address: str) -> None:
    """Raise UsageError unless somebody takes connections there: Ray itself would try for minutes."""
    if address == "auto":
        return
    host, _, port = address.rpartition(":")
    if "://" in address or not host or not port.isdecimal():
        raise UsageError(
            f"--ray {address}: expected HOST:PORT, auto, or nothing; start pytest on a node of the cluster"
        )
    try:
        socket.create_connection((host, int(port)), timeout=CONNECT).close()
    except (OSError, OverflowError) as error:
        told = getattr(error, "strerror", None) or error
        raise UsageError(
            f"--ray {address}: nothing answers there ({told}); `ray start --head` starts a cluster"
        ) from None


def one_line(error: object) -> str:
    """What an error says first; of one in a worker, what was raised there."""
    error = getattr(error, "cause", None) or error
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)[:300]
