"""Queried pages: SQL finds rows by parts of the address and by the rows before; a fault in a file is named."""

import sqlite3
from pathlib import Path

import pytest

from longtrail.errors import DataError
from longtrail.web.queried_page import MissingRow, PageFile, Queries

FILE = """
subjects:
  town:
    one: {town: SELECT * FROM town WHERE id = :id}
  street:
    of: town
    one: {street: SELECT * FROM street WHERE town = :town_id AND name = :name}
pages:
  /street:
    of: street
    rows: {others: SELECT name FROM street WHERE town = :street_town AND name != :street_name ORDER BY name}
"""


def pages(folder: Path, text: str = FILE) -> dict[str, Queries]:
    file = folder / "pages.yaml"
    file.write_text(text, encoding="utf-8")
    return PageFile(file).section("pages", dict[str, Queries])


@pytest.fixture
def db() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:")
    db.row_factory = sqlite3.Row
    db.executescript(
        "CREATE TABLE town (id, mayor); CREATE TABLE street (town, name); INSERT INTO town VALUES (7, 'Ann')"
    )
    db.executescript("INSERT INTO street VALUES (7, 'Elm'), (7, 'Oak'), (7, 'Ash'), (8, 'Fir')")
    return db


def test_a_page_shows_its_subjects_first(db: sqlite3.Connection, tmp_path: Path) -> None:
    found = pages(tmp_path)["/street"].find(db, {"id": 7, "name": "Oak"})
    assert (found["town"]["mayor"], found["street"]["name"]) == ("Ann", "Oak")
    assert [row["name"] for row in found["others"]] == ["Ash", "Elm"]


@pytest.mark.parametrize("values", [{"id": 8, "name": "Fir"}, {"id": 7, "name": "Fir"}])
def test_a_record_that_is_not_there_is_not_found(
    db: sqlite3.Connection, tmp_path: Path, values: dict[str, object]
) -> None:
    with pytest.raises(MissingRow) as missing:
        pages(tmp_path)["/street"].find(db, values)
    assert missing.value.status_code == 404


@pytest.mark.parametrize(
    ("wrong", "says"),
    [("of: streat", "of: expected one of town, street, got 'streat'"), ("off: street", "pages./street.off: ")],
)
def test_mistakes_are_named(tmp_path: Path, wrong: str, says: str) -> None:
    with pytest.raises(DataError) as caught:
        pages(tmp_path, FILE.replace("of: street", wrong))
    assert str(caught.value).startswith(f"{tmp_path / 'pages.yaml'}: {says}")
