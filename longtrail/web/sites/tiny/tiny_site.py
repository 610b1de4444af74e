"""The tool library: its state (tools, reservations, a counter), built from `tools.yaml`."""

import sqlite3
from pathlib import Path

from pydantic import TypeAdapter
from starlette.types import ASGIApp

from longtrail.records.record import Record
from longtrail.web.site import Edition
from longtrail.web.sites.tiny.views import app
from longtrail.yaml_file import read

TOOLS = Path(__file__).parent / "tools.yaml"


class Tool(Record):
    """One tool that can be borrowed."""

    slug: str
    name: str
    kind: str
    deposit: int
    """In whole dollars."""
    days: int
    """The longest loan."""
    note: str


class Tiny:
    """A site by the protocol `longtrail.web.site.Site`."""

    name = "tiny"
    hosts: tuple[str, ...] = ("tiny.test", "www.tiny.test")
    app: ASGIApp = staticmethod(app)

    def build(self, db: sqlite3.Connection, _: Edition) -> None:
        """Tables and rows of the initial state."""
        db.execute(
            "CREATE TABLE tools (slug TEXT PRIMARY KEY, name TEXT, kind TEXT, deposit INTEGER, days INTEGER, note TEXT)"
        )
        db.execute("CREATE TABLE reservations (id INTEGER PRIMARY KEY, tool TEXT, member TEXT, day TEXT)")
        db.execute("CREATE TABLE visits (id INTEGER PRIMARY KEY CHECK (id = 1), count INTEGER)")
        db.execute("INSERT INTO visits VALUES (1, 0)")
        tools = read(TypeAdapter(tuple[Tool, ...]), TOOLS)
        rows = [tool.model_dump() for tool in tools]
        db.executemany("INSERT INTO tools VALUES (:slug, :name, :kind, :deposit, :days, :note)", rows)


def make() -> Tiny:
    """The tool library at https://tiny.test/."""
    return Tiny()
