"""The shop, served for each test, with a database of its own."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import app as orders
import pytest
from werkzeug.serving import make_server


@dataclass(frozen=True)
class Shop:
    """Where it is served, and its database."""

    url: str
    database: Path

    def status(self, number: int) -> str:
        """The status of an order."""
        with closing(sqlite3.connect(self.database)) as db:
            return str(db.execute("SELECT status FROM orders WHERE number = ?", [number]).fetchone()[0])


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    """The shop in its first state."""
    database = tmp_path / "orders.sqlite3"
    orders.fill(database)
    server = make_server("127.0.0.1", 0, orders.make(database), threaded=True)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield Shop(f"http://127.0.0.1:{server.port}", database)
    server.shutdown()
    thread.join()
    server.server_close()
