"""`sql` key steps query a SQLite file, or any database address that the user's SQLAlchemy accepts."""

import sqlite3
from pathlib import Path

import pytest

from longtrail.checks.app_steps import SqlStep
from longtrail.episode.open_app import OpenApp
from longtrail.errors import HarnessTrouble, UsageError
from longtrail.tasks.app_task import App

STEP = SqlStep(kind="sql", name="status", query="SELECT status FROM orders WHERE number = 12")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with sqlite3.connect(tmp_path / "app.db") as db:
        db.execute("CREATE TABLE orders (number, status)")
        db.execute("INSERT INTO orders VALUES (12, 'refunded')")
    db.close()
    return tmp_path


def read(folder: Path, database: str) -> object:
    app = App(address="http://127.0.0.1:9", database=database)
    (reading,) = OpenApp(app, app.address, folder).read([STEP])
    return reading.value


@pytest.mark.parametrize("database", ["app.db", "sqlite:///app.db", "sqlite+pysqlite:///{folder}/app.db"])
def test_addresses_that_work(folder: Path, database: str) -> None:
    if "+" in database:
        pytest.importorskip("sqlalchemy")
    assert read(folder, database.replace("{folder}", str(folder))) == "refunded"


@pytest.mark.parametrize("database", ["sqlite+nosuchdriver://u:secret@h/x", "nonsense://u:secret@h/x", "://u:secret@h"])
def test_an_address_that_can_not_be_used_is_told_without_its_password(folder: Path, database: str) -> None:
    pytest.importorskip("sqlalchemy")
    with pytest.raises(UsageError, match=r"app\.database: .*can't be used") as told:
        read(folder, database)
    assert "secret" not in str(told.value)
    assert "\n" not in str(told.value)


def test_a_missing_driver_is_named(folder: Path) -> None:
    pytest.importorskip("sqlalchemy")
    with pytest.raises(UsageError, match=r"its driver is missing \(\w+\)"):
        read(folder, "oracle+cx_oracle://u:secret@h/x")


def test_a_query_that_fails_is_trouble_of_the_app(folder: Path) -> None:
    pytest.importorskip("sqlalchemy")
    with pytest.raises(HarnessTrouble, match="no such table"):
        read(folder, f"sqlite+pysqlite:///{folder}/empty.db")
