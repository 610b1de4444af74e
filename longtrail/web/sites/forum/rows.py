"""Rows: the world's state as plain rows by table, written to a database and to the checked-in JSON."""

import json
import sqlite3
from pathlib import Path
from typing import Any

from longtrail.errors import DataError

Row = dict[str, Any]
Rows = dict[str, list[Row]]
"""Table -> rows; a row names only the columns that differ from the table's defaults."""


def insert(db: sqlite3.Connection, rows: Rows) -> None:
    """Write rows into the tables of `schema.sql`, in the order given."""
    for table, entries in rows.items():
        for columns, group in _alike(entries):
            names, marks = ", ".join(columns), ", ".join("?" * len(columns))
            values = [tuple(row[column] for column in columns) for row in group]
            db.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", values)  # noqa: S608 (constant names)


def _alike(entries: list[Row]) -> list[tuple[tuple[str, ...], list[Row]]]:
    """Group neighbouring rows with the same columns."""
    groups: list[tuple[tuple[str, ...], list[Row]]] = []
    for row in entries:
        columns = tuple(row)
        if not groups or groups[-1][0] != columns:
            groups.append((columns, []))
        groups[-1][1].append(row)
    return groups


def load(path: Path) -> Rows:
    """Read the rows that `workshop/crowds/forum.py` has written. Raises DataError."""
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        rows: Rows = {table: entries for table, entries in held.items() if table != "canary"}
    except (OSError, ValueError) as error:
        raise DataError(path, "", f"is not the forum's crowd: {error}") from error
    return rows
