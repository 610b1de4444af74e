"""Step changes: each step lists the rows that it changed; only steps that sent data are checked."""

import sqlite3
from collections.abc import Iterator

import pytest

from longtrail.episode.phase_loop import StepChanges, since
from longtrail.records.trajectory import Change, Request
from longtrail.web.site import Edition
from longtrail.web.world import Templates, World


class Orders:
    """A site with one table."""

    name = "orders"
    hosts: tuple[str, ...] = ("orders.test",)

    async def app(self, scope: object, receive: object, send: object) -> None:
        """Never called: the test writes to the database itself."""
        raise AssertionError("nobody requests its pages")

    def build(self, db: sqlite3.Connection, _: Edition) -> None:
        """Four orders."""
        db.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, n INTEGER)")
        db.executemany("INSERT INTO orders VALUES (?, 0)", [(1,), (2,), (3,), (4,)])


@pytest.fixture
def world() -> Iterator[World]:
    world = World("one", Templates([Orders()]))
    yield world
    world.close()


def row(key: str, before: int | None, after: int | None) -> Change:
    """A change of an order."""
    both = [None if value is None else {"id": int(key), "n": value} for value in (before, after)]
    return Change(site="orders", table="orders", key=key, before=both[0], after=both[1])


def sent(method: str) -> Request:
    """A request."""
    return Request(method=method, url="https://orders.test/", status=200)


def test_each_step_tells_its_own_changes(world: World) -> None:
    db = world.db("orders")
    db.execute("UPDATE orders SET n = 9 WHERE id = 4")  # in an earlier phase
    changes = StepChanges(world)
    db.execute("UPDATE orders SET n = 1 WHERE id = 1")
    db.execute("DELETE FROM orders WHERE id = 2")
    assert changes.of([sent("GET"), sent("POST")]) == (row("1", 0, 1), row("2", 0, None))
    assert changes.of([sent("POST")]) == ()
    db.execute("UPDATE orders SET n = 2 WHERE id = 1")
    db.execute("UPDATE orders SET n = 0 WHERE id = 4")
    db.execute("INSERT INTO orders VALUES (5, 3)")
    assert changes.of([sent("GET"), sent("HEAD")]) == (), "such a step is not checked"
    assert changes.of([sent("POST")]) == (row("1", 1, 2), row("5", None, 3), row("4", 9, 0))
    assert since((), world.changes()) == world.changes()
