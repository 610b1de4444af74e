"""Result table: every case and measure in a row, as CSV and as Parquet, and no cell is a formula."""

import csv
from pathlib import Path

import pytest
from pyarrow import parquet

from longtrail.commands.main import main
from longtrail.errors import UsageError
from longtrail.exporting.result_table import rows, write_table
from longtrail.records.trajectory import Contender
from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import Done
from tests.report.factory import LONG_TASKS, SHOP, decisions, long_context

RESULTS = [*list(long_context(1, LONG_TASKS[:2])), *list(decisions("shopping_admin", SHOP[:2], 1))]


def test_csv_and_parquet_hold_the_same_rows(tmp_path: Path) -> None:
    table = rows("r", RESULTS)
    for ending in ("csv", "parquet"):
        write_table(table, tmp_path / "deep" / f"results.{ending}")
    with (tmp_path / "deep" / "results.csv").open(encoding="utf-8", newline="") as file:
        as_csv = list(csv.DictReader(file))
    as_parquet = parquet.read_table(tmp_path / "deep" / "results.parquet").to_pylist()
    assert len(as_csv) == len(as_parquet) == len(RESULTS)
    for result, text, typed in zip(RESULTS, as_csv, as_parquet, strict=True):
        assert text["case"] == typed["case"] == result.case.id
        assert typed["usd"] == result.usage.usd
        for name, metric in result.metrics.items():
            assert text[name] == ("" if metric.value is None else str(metric.value))
            assert typed[name] == metric.value
    assert as_parquet[0]["proven"] is None, "a measure of the other suite"


def test_no_cell_is_a_formula(tmp_path: Path) -> None:
    evil = Contender(agent="=cmd|' /C calc'!A0", model="@SUM(1)", profile="+1", options={})
    write_table(rows("-1", [RESULTS[0].model_copy(update={"contender": evil})]), tmp_path / "x.csv")
    with (tmp_path / "x.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert [row[name][:2] for name in ("agent", "model", "profile", "run")] == ["'=", "'@", "'+", "'-"]


@pytest.mark.parametrize(("name", "table"), [("x.xlsx", rows("r", RESULTS)), ("x.csv", [])])
def test_what_can_not_be_written_is_one_line(name: str, table: list[object], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=name):
        write_table(table, tmp_path / name)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_the_command(real: tuple[Run, Done], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "results.csv"
    assert main(["export", str(real[0].folder), "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"1 results in {out}\n"
    assert "pw-025-raw-r0" in out.read_text()
    assert main(["export", str(real[0].folder)]) == 4
    assert "expected --out FILE, --atif FOLDER or --otlp URL" in capsys.readouterr().err
