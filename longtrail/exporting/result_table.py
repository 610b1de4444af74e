"""Result table: the results of runs as a table, one row per case: contender, case, outcome, usage and every measure."""

import csv
from collections.abc import Iterable, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any

from longtrail.errors import UsageError
from longtrail.records.result import Result, Value
from longtrail.report.progress import trace_href
from longtrail.report.text import no_formula, plain
from longtrail.yaml_file import read_yaml

Row = dict[str, Value]
ENDINGS = (".csv", ".parquet")


COLUMNS: dict[str, str] = read_yaml(Path(__file__).with_name("columns.yaml"))
"""Column -> where a result has its value."""


def rows(run: str, results: Iterable[Result]) -> list[Row]:
    """One row per case. Measures that are not defined for it are None or missing."""
    return [_row(run, result) for result in results]


def _row(run: str, result: Result) -> Row:
    row: Row = {name: attrgetter(path)(result) for name, path in COLUMNS.items()}
    row |= {"reason": plain(result.reason), "trouble": result.trouble.kind if result.trouble else None}
    trace = f"runs/{run}/{trace_href(result.case.id)}"
    return {"run": run, **row, "trace": trace, **dict(sorted(result.values.items()))}


def write_table(table: Sequence[Row], path: Path) -> None:
    """Write it in the format of the file's extension. Raises UsageError for another extension, for no rows, or without
    pyarrow."""
    if path.suffix not in ENDINGS:
        raise UsageError(f"{path}: expected a file that ends in .csv, .parquet, .eval or .json")
    if not table:
        raise UsageError(f"{path}: there is no result to write")
    columns = list(dict.fromkeys(name for row in table for name in row))
    path.parent.mkdir(parents=True, exist_ok=True)
    (_csv if path.suffix == ".csv" else _parquet)(table, columns, path)


def _csv(table: Sequence[Row], columns: Sequence[str], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows([_cell(row.get(name)) for name in columns] for row in table)


def _cell(value: Value) -> Any:
    """Undefined values stay empty."""
    return no_formula(value) if isinstance(value, str) else "" if value is None else value


def _parquet(table: Sequence[Row], columns: Sequence[str], path: Path) -> None:
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ModuleNotFoundError as error:
        raise UsageError(f"{path}: Parquet needs pyarrow; pip install 'longtrail[parquet]'") from error
    made = {name: _column([row.get(name) for row in table]) for name in columns}
    parquet.write_table(arrow.table(made), path)


def _column(values: Sequence[Value]) -> list[Any]:
    """A column's values as one type: booleans mixed with numbers become numbers, any other mixture becomes text."""
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) < 2:
        return list(values)
    if str in kinds:
        return [None if value is None else str(value) for value in values]
    return [None if value is None else float(value) for value in values]
