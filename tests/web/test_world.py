"""Worlds: private copies, and the changes that they report."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from longtrail.errors import HarnessTrouble
from longtrail.records.trajectory import Change
from longtrail.web.sealed import SealedWeb
from longtrail.web.site import Edition
from longtrail.web.world import Templates, World
from tests.tables import tables_of

TABLES = tables_of(__file__)

ROWS = 2_000
FIRST = "entry {} of the ledger, with a line of text beside it"
"""The text that an entry begins with."""


class Ledger:
    """A site with every kind of table: numbered, keyed by text, by two columns, without rowid, without key, indexed."""

    name = "ledger"
    hosts: tuple[str, ...] = ("ledger.test",)
    builds = 0

    async def app(self, scope: object, receive: object, send: object) -> None:
        raise AssertionError("nobody requests its pages")

    def build(self, db: sqlite3.Connection, _: Edition) -> None:
        self.builds += 1
        db.executescript(
            """
            CREATE TABLE entries (id INTEGER PRIMARY KEY, text TEXT NOT NULL, seal BLOB);
            CREATE TABLE accounts (code TEXT PRIMARY KEY, balance REAL);
            CREATE TABLE votes (voter TEXT, post INTEGER, value INTEGER, PRIMARY KEY (voter, post)) WITHOUT ROWID;
            CREATE TABLE "odd ""name" (word TEXT);
            CREATE VIRTUAL TABLE words USING fts5 (text, content = 'entries', content_rowid = 'id');
            CREATE TRIGGER entries_words AFTER INSERT ON entries
              BEGIN INSERT INTO words (rowid, text) VALUES (NEW.id, NEW.text); END;
            BEGIN;
            """
        )
        rows = ((number, FIRST.format(number)) for number in range(ROWS))
        db.executemany("INSERT INTO entries (id, text) VALUES (?, ?)", rows)
        db.execute("INSERT INTO accounts VALUES ('cash', 10.5), ('bank', 0)")
        db.execute("INSERT INTO votes VALUES ('ann', 1, 1), ('ann', 2, 1), ('bob', 10, -1)")
        db.execute("""INSERT INTO "odd ""name" VALUES ('first'), ('second')""")
        db.execute("COMMIT")


@pytest.fixture(scope="module")
def templates() -> Templates:
    return Templates([Ledger()])


@pytest.fixture
def world(templates: Templates) -> World:
    return World("one", templates)


def change(table: str, key: str, before: dict[str, object] | None, after: dict[str, object] | None) -> Change:
    return Change(site="ledger", table=table, key=key, before=before, after=after)


def test_nothing_happened(world: World) -> None:
    assert world.changes() == ()
    world.db("ledger").execute("SELECT count(*) FROM entries").fetchone()
    assert world.changes() == ()


def test_worlds_share_nothing(world: World, templates: Templates) -> None:
    other = World("two", templates)
    world.db("ledger").execute("DELETE FROM votes")
    world.db("ledger").execute("INSERT INTO accounts VALUES ('gold', 1)")
    assert other.db("ledger").execute("SELECT count(*) FROM votes").fetchone()[0] == 3
    assert other.changes() == ()
    assert len(world.changes()) == 4
    assert World("three", templates).db("ledger").execute("SELECT count(*) FROM accounts").fetchone()[0] == 2


def test_every_kind_of_change_is_told_in_order(world: World) -> None:
    db = world.db("ledger")
    db.execute("UPDATE entries SET text = 'ten' WHERE id = 10")
    db.execute("UPDATE entries SET text = 'nine' WHERE id = 9")
    db.execute("DELETE FROM entries WHERE id = 100")
    db.execute("INSERT INTO votes VALUES ('bob', 9, 1)")
    db.execute("UPDATE votes SET value = -1 WHERE voter = 'ann' AND post = 2")
    db.execute("UPDATE accounts SET code = 'till' WHERE code = 'cash'")
    db.execute("""DELETE FROM "odd ""name" WHERE word = 'second'""")
    assert world.changes() == (
        change("accounts", "cash", {"code": "cash", "balance": 10.5}, None),
        change("accounts", "till", None, {"code": "till", "balance": 10.5}),
        change("entries", "9", entry(9, FIRST.format(9)), entry(9, "nine")),
        change("entries", "10", entry(10, FIRST.format(10)), entry(10, "ten")),
        change("entries", "100", entry(100, FIRST.format(100)), None),
        change('odd "name', "2", {"word": "second"}, None),
        change("votes", "ann/2", vote("ann", 2, 1), vote("ann", 2, -1)),
        change("votes", "bob/9", None, vote("bob", 9, 1)),
    )


def entry(number: int, text: str) -> dict[str, object]:
    return {"id": number, "text": text, "seal": None}


def vote(voter: str, post: int, value: int) -> dict[str, object]:
    return {"voter": voter, "post": post, "value": value}


@pytest.mark.parametrize(("statements", "expected"), TABLES["what_counts_is_the_row_at_the_end"])
def test_what_counts_is_the_row_at_the_end(world: World, statements: list[str], expected: list[str]) -> None:
    for statement in statements:
        world.db("ledger").execute(statement)
    assert [row.key for row in world.changes()] == expected


def test_sites_don_t_notice_that_changes_are_noted(world: World) -> None:
    db = world.db("ledger")
    cursor = db.execute("INSERT INTO entries (text) VALUES ('the last of all')")
    assert (cursor.lastrowid, cursor.rowcount) == (ROWS, 1)
    assert db.execute("SELECT last_insert_rowid()").fetchone()[0] == ROWS
    assert db.execute("UPDATE entries SET text = text WHERE id < 5").rowcount == 5
    assert db.execute("SELECT rowid FROM words WHERE words MATCH 'last'").fetchone()["rowid"] == ROWS
    assert [row.table for row in world.changes()] == ["entries"]


def test_blobs_are_told_by_their_hash(world: World) -> None:
    world.db("ledger").execute("UPDATE entries SET seal = ? WHERE id = 1", (b"\x00wax",))
    after = world.changes()[0].after
    assert after is not None
    assert after["seal"].startswith("sha256:")


def test_a_site_that_alters_its_tables_is_found_out(world: World) -> None:
    world.db("ledger").execute("CREATE TABLE late (id INTEGER)")
    with pytest.raises(HarnessTrouble, match="changed its tables while serving"):
        world.changes()


def test_a_fork_goes_on_from_here_and_counts_from_the_start(world: World) -> None:
    world.db("ledger").execute("DELETE FROM accounts WHERE code = 'bank'")
    twin = world.fork("twin")
    assert twin.changes() == world.changes()
    assert (twin.log.requests, twin.token == world.token) == ([], False)
    twin.db("ledger").execute("DELETE FROM accounts WHERE code = 'cash'")
    world.close()
    assert [row.key for row in twin.changes()] == ["bank", "cash"]


def test_closing(templates: Templates) -> None:
    world, calls = World("gone", templates), []
    world.on_close.append(lambda: calls.append("closed"))
    db = world.db("ledger")
    world.close()
    world.close()
    assert calls == ["closed"]
    for attempt in (lambda: world.db("ledger"), world.changes, lambda: world.fork("twin")):
        with pytest.raises(HarnessTrouble, match="world gone is closed"):
            attempt()
    with pytest.raises(sqlite3.ProgrammingError):
        db.execute("SELECT 1")


def test_many_threads_get_one_copy_and_one_template() -> None:
    site = Ledger()
    world = World("threads", Templates([site]))
    with ThreadPoolExecutor(16) as pool:
        copies = set(pool.map(lambda _: id(world.db("ledger")), range(64)))
        list(pool.map(lambda n: world.db("ledger").execute("INSERT INTO votes VALUES ('eve', ?, 1)", (n,)), range(64)))
    assert (len(copies), site.builds) == (1, 1)
    assert len(world.changes()) == 64


def test_tokens_are_secret_and_the_clock_stands_still(templates: Templates) -> None:
    one, two = World("a", templates), World("a", templates, now=datetime(2026, 1, 1, tzinfo=UTC))
    assert len(one.token) >= 32
    assert one.token != two.token
    assert one.now.isoformat() == "2026-03-17T14:30:00+00:00"
    assert two.fork("b").now == two.now


def test_a_site_is_made_before_anybody_waits_for_it() -> None:
    """A site's state is built once, and only if its host is prepared; a new world builds none."""
    site = Ledger()
    web = SealedWeb([site])
    web.open_world("w")
    web.prepare("elsewhere.test", "")
    assert site.builds == 0
    web.prepare("LEDGER.test")
    web.prepare("ledger.test")
    assert site.builds == 1
