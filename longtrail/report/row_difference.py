"""Row difference: one changed row of a site as the trace shows it, column by column."""

from dataclasses import dataclass

from longtrail.records.trajectory import Change


@dataclass(frozen=True, slots=True)
class RowDifference:
    """One changed row: (column, before, after) for each column that differs."""

    change: Change
    verb: str
    columns: tuple[tuple[str, str, str], ...]


def row_difference(change: Change) -> RowDifference:
    """The effect of a change on its row."""
    before, after = change.before or {}, change.after or {}
    verb = "added" if change.before is None else "deleted" if change.after is None else "changed"
    columns = tuple(
        (column, _cell(before, column), _cell(after, column))
        for column in dict.fromkeys([*before, *after])
        if before.get(column) != after.get(column)
    )
    return RowDifference(change, verb, columns)


def _cell(row: dict[str, object], column: str) -> str:
    return "" if row.get(column) is None else str(row[column])
