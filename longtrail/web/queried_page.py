"""Queried page: what a page shows, as SQL in a site's `pages.yaml`.

The SQL names its values: parts of the address (`:order_id`), and the columns of rows that were found before
(`:order_status` is the column `status` of the row `order`).
"""

import sqlite3
from pathlib import Path
from typing import Any, TypeVar

from starlette.exceptions import HTTPException

from longtrail.errors import DataError
from longtrail.records.record import Record
from longtrail.yaml_file import read_yaml, validate


class MissingRow(HTTPException):
    """A record that the address names does not exist."""

    def __init__(self) -> None:
        super().__init__(404)


class Queries(Record):
    """Names of a template, and the SQL that finds their rows."""

    of: str = ""
    """What it is about: one of the file's `subjects`, whose queries come first."""
    one: dict[str, str] = {}
    """Name -> SQL of a row that must exist."""
    rows: dict[str, str] = {}
    """Name -> SQL of any number of rows."""

    def find(self, db: sqlite3.Connection, values: dict[str, Any]) -> dict[str, Any]:
        """Name -> row or rows. Adds the columns of the former to the values. Raises MissingRow."""
        found: dict[str, Any] = {}
        for name, sql in self.one.items():
            row = db.execute(sql, values).fetchone()
            if row is None:
                raise MissingRow
            found[name] = row
            values |= {f"{name}_{column}": row[column] for column in row.keys()}  # noqa: SIM118 (a Row)
        return found | {name: db.execute(sql, values).fetchall() for name, sql in self.rows.items()}


Page = TypeVar("Page", bound=Queries)


class PageFile:
    """A site's `pages.yaml`. Raises DataError."""

    def __init__(self, file: Path) -> None:
        self._file, self._data = file, read_yaml(file)
        self.subjects: dict[str, Queries] = {}
        """Name -> its queries. A subject may be `of` another one before it."""
        for name, subject in validate(dict[str, Queries], self._data["subjects"], file, "subjects").items():
            self.subjects[name] = self._with_subject(subject)

    def section(self, name: str, form: type[dict[str, Page]]) -> dict[str, Page]:
        """The entries of a section by address, each with the queries of its subject."""
        entries = validate(form, self._data[name], self._file, name)
        return {address: self._with_subject(entry) for address, entry in entries.items()}

    def _with_subject(self, entry: Page) -> Page:
        if not entry.of:
            return entry
        if entry.of not in self.subjects:
            raise DataError(self._file, "of", f"expected one of {', '.join(self.subjects)}, got {entry.of!r}")
        subject = self.subjects[entry.of]
        return entry.model_copy(update={"one": {**subject.one, **entry.one}, "rows": {**subject.rows, **entry.rows}})
