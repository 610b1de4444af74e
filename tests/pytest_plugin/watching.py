"""A pytest plugin for runs (`-p tests.pytest_plugin.watching`): records which heavy packages each process has imported
by its end. With `WATCHING_SEALED` set, it also blocks and records connections that leave this machine."""

import json
import os
import socket
import sys
from pathlib import Path
from typing import Any

HEAVY = ("litellm", "openai", "playwright", "starlette", "scipy")
_tried: list[str] = []


def pytest_sessionfinish(session: Any) -> None:
    folder, name = os.environ.get("WATCHING"), os.environ.get("PYTEST_XDIST_WORKER", "main")
    if folder:
        told = {"imported": [module for module in HEAVY if module in sys.modules], "tried": _tried}
        Path(folder).mkdir(parents=True, exist_ok=True)
        (Path(folder) / f"{name}.json").write_text(json.dumps(told), encoding="utf-8")


def _seal() -> None:
    connect, look_up = socket.socket.connect, socket.getaddrinfo

    def local(host: object) -> bool:
        return str(host) in ("127.0.0.1", "::1", "localhost")

    def only_here(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX and not local(address[0]):
            _tried.append(str(address))
            raise OSError("the network is blocked")
        return connect(self, address)

    def names_of_here(host: Any, *args: Any, **more: Any) -> Any:
        if not local(host):
            _tried.append(str(host))
            raise OSError("the network is blocked")
        return look_up(host, *args, **more)

    socket.socket.connect = only_here  # type: ignore[method-assign,assignment]
    socket.getaddrinfo = names_of_here


if os.environ.get("WATCHING_SEALED"):
    _seal()
