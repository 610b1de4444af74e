"""Serving: apps on loopback ports of their own, by HTTP or, with a certificate of an unknown authority, by HTTPS."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Literal

import trustme
import uvicorn
from starlette.types import ASGIApp


def certificate_for(name: str, folder: Path) -> Path:
    """A file in this folder with a new key and its certificate."""
    file = folder / "certificate.pem"
    trustme.CA().issue_cert(name).private_key_and_cert_chain_pem.write_to_path(file)
    return file


@contextmanager
def serving(
    app: ASGIApp, certificate: Path | None = None, ws: Literal["none", "websockets-sansio"] = "none"
) -> Iterator[str]:
    """Serve an app in a thread; gives its address. At the end, what is still answered is cut off."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        scheme, file = ("https", str(certificate)) if certificate else ("http", None)
        config = uvicorn.Config(app, log_config=None, log_level="critical", lifespan="off", ws=ws, ssl_certfile=file)
        server = uvicorn.Server(config)
        thread = Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            yield f"{scheme}://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = server.force_exit = True
            thread.join(60)
