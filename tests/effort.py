"""Effort: counts a page's database work. Unlike times, the counts don't depend on how busy the machine is."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

GRAIN = 100
"""Instructions between two calls of SQLite's progress handler: the count of a statement may be too low by this many."""


@dataclass
class Effort:
    """Statements run, and instructions of SQLite's virtual machine that they took."""

    statements: int = 0
    instructions: int = 0


@contextmanager
def counted(db: sqlite3.Connection) -> Iterator[Effort]:
    """Count the work of a database within this context; read the counts afterwards."""
    effort = Effort()

    def statement(_: str) -> None:
        effort.statements += 1

    def instructions() -> int:
        effort.instructions += GRAIN
        return 0

    db.set_trace_callback(statement)
    db.set_progress_handler(instructions, GRAIN)
    try:
        yield effort
    finally:
        db.set_trace_callback(None)
        db.set_progress_handler(None, 0)
