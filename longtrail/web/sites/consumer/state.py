"""State: what an episode changes on the replicas (favourites, cart, forms), in the world's SQLite."""

import json
import sqlite3
from typing import Any

SCHEMA = """
CREATE TABLE favourites (id INTEGER PRIMARY KEY, host TEXT, item TEXT, UNIQUE (host, item));
CREATE TABLE cart (id INTEGER PRIMARY KEY, host TEXT, item TEXT, quantity INTEGER, UNIQUE (host, item));
CREATE TABLE drafts (id INTEGER PRIMARY KEY, host TEXT, form TEXT, fields TEXT, UNIQUE (host, form));
CREATE TABLE submissions (id INTEGER PRIMARY KEY, host TEXT, form TEXT, fields TEXT);
"""
MOST = 99
"""The largest quantity of one item in a cart."""


class SiteState:
    """One host's rows in a world's database."""

    def __init__(self, db: sqlite3.Connection, host: str) -> None:
        self.db, self.host = db, host

    def favourites(self) -> list[str]:
        """Keys of the favourite items, oldest first."""
        rows = self.db.execute("SELECT item FROM favourites WHERE host = ? ORDER BY id", (self.host,))
        return [row["item"] for row in rows]

    def mark(self, item: str, on: bool) -> None:
        """Make an item a favourite, or stop it being one."""
        if on:
            self.db.execute("INSERT OR IGNORE INTO favourites (host, item) VALUES (?, ?)", (self.host, item))
        else:
            self.db.execute("DELETE FROM favourites WHERE host = ? AND item = ?", (self.host, item))

    def cart(self) -> dict[str, int]:
        """Item's key -> quantity, in the order they were added."""
        rows = self.db.execute("SELECT item, quantity FROM cart WHERE host = ? ORDER BY id", (self.host,))
        return {row["item"]: row["quantity"] for row in rows}

    def add(self, item: str, quantity: int) -> None:
        """Add a quantity of an item to the cart."""
        self.db.execute(
            "INSERT INTO cart (host, item, quantity) VALUES (?, ?, min(?, ?))"
            " ON CONFLICT (host, item) DO UPDATE SET quantity = min(quantity + excluded.quantity, ?)",
            (self.host, item, quantity, MOST, MOST),
        )

    def set(self, item: str, quantity: int) -> None:
        """Change the quantity of an item in the cart; 0 removes it."""
        if quantity > 0:
            self.db.execute(
                "UPDATE cart SET quantity = min(?, ?) WHERE host = ? AND item = ?", (quantity, MOST, self.host, item)
            )
        else:
            self.db.execute("DELETE FROM cart WHERE host = ? AND item = ?", (self.host, item))

    def empty_cart(self) -> None:
        """Empty the cart."""
        self.db.execute("DELETE FROM cart WHERE host = ?", (self.host,))

    def draft(self, form: str) -> dict[str, str]:
        """The values entered on a form's earlier screens."""
        row = self.db.execute("SELECT fields FROM drafts WHERE host = ? AND form = ?", (self.host, form)).fetchone()
        return _fields(row)

    def save_draft(self, form: str, fields: dict[str, str]) -> None:
        """Store the values entered so far."""
        self.db.execute(
            "INSERT INTO drafts (host, form, fields) VALUES (?, ?, ?)"
            " ON CONFLICT (host, form) DO UPDATE SET fields = excluded.fields",
            (self.host, form, json.dumps(fields, sort_keys=True)),
        )

    def submit(self, form: str, fields: dict[str, str]) -> int:
        """Store a completed form. Returns the submission's number."""
        self.db.execute("DELETE FROM drafts WHERE host = ? AND form = ?", (self.host, form))
        cursor = self.db.execute(
            "INSERT INTO submissions (host, form, fields) VALUES (?, ?, ?)",
            (self.host, form, json.dumps(fields, sort_keys=True)),
        )
        return int(cursor.lastrowid or 0)

    def submission(self, form: str, number: int) -> dict[str, str]:
        """The submitted values, or None."""
        query = "SELECT fields FROM submissions WHERE host = ? AND form = ? AND id = ?"
        return _fields(self.db.execute(query, (self.host, form, number)).fetchone())


def _fields(row: Any) -> dict[str, str]:
    return dict(json.loads(row["fields"])) if row is not None else {}
