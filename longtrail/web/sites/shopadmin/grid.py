"""Grid: a listing with keyword search, filters, sorting and paging. Its state is only in the address. The listings
are in `grids.yaml`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlencode

from pydantic import BeforeValidator
from starlette.datastructures import QueryParams
from starlette.responses import Response

from longtrail.records.record import Record
from longtrail.web.request_values import whole_number
from longtrail.web.sites.shopadmin.visit import AdminVisit, Worlds, labels, render
from longtrail.yaml_file import read

SIZES = (20, 30, 50, 100, 200)


def _options(given: Any) -> Any:
    """Value -> label, from a name of `labels.yaml` or from values that are their own labels."""
    return labels()[given] if isinstance(given, str) else dict(zip(given, given, strict=True))


class GridColumn(Record):
    """A column: its label, SQL expression, format and filter."""

    key: str
    label: str
    sql: str = ""
    """Empty: the key."""
    form: str = "text"
    """A display filter: text, money, moment, day, status."""
    filter: str = ""
    """`text` (contains), `range` (from, to), `dates` (from, to), or `options`; empty: can't be filtered."""
    options: Annotated[Mapping[str, str], BeforeValidator(_options)] = {}

    @property
    def expression(self) -> str:
        """What SQL selects."""
        return self.sql or self.key


@dataclass(frozen=True)
class GridState:
    """The listing's state in the address."""

    search: str
    filters: dict[str, str]
    """`status`, `created_at][from` ... as in `filters[created_at][from]`, only those that are set."""
    page: int
    size: int
    sort: str
    descending: bool

    def link(self, path: str, **changes: object) -> str:
        """The address of the same listing with changes."""
        state = {**self.__dict__, **changes}
        pairs: list[tuple[str, object]] = [("search", state["search"])] if state["search"] else []
        pairs += [(f"filters[{key}]", value) for key, value in state["filters"].items()]
        pairs += [("sorting[field]", state["sort"]), ("sorting[direction]", "desc" if state["descending"] else "asc")]
        pairs += [("paging[pageSize]", state["size"]), ("paging[current]", state["page"])]
        return f"{path}?{urlencode(pairs)}"


class AdminGrid(Record):
    """A listing of one table (or join) of the shop."""

    name: str
    title: str
    path: str
    source: str
    """The FROM clause; fixed text, never from a request."""
    columns: tuple[GridColumn, ...]
    search: tuple[str, ...]
    """Expressions that the keyword search uses."""
    sort: str
    link: str
    """Address of a row's page; `{id}` is the row's id."""
    id: str = "entity_id"
    action: str = "View"
    descending: bool = True
    label: str = ""
    """Expression that names a row for its action's link; empty: the first column."""
    within: str = ""
    """A column that must have the `id` in the address, which stands in the path as `{}`; empty: all rows."""
    only: Worlds = "usual"
    """Worlds that have it; `usual`: all."""

    def state(self, query: QueryParams) -> GridState:
        """The listing's state from the address; invalid values are ignored."""
        allowed = {f.key: f for f in self.columns if f.filter}
        filters = {}
        for key, value in query.items():
            name = key[8:-1] if key.startswith("filters[") and key.endswith("]") else ""
            if name.split("][")[0] in allowed and value.strip():
                filters[name] = value.strip()
        columns = {column.key for column in self.columns}
        sort = query.get("sorting[field]", self.sort)
        size = whole_number(query.get("paging[pageSize]", ""), 20)
        return GridState(
            search=query.get("search", "").strip()[:200],
            filters=filters,
            page=max(1, whole_number(query.get("paging[current]", ""), 1)),
            size=size if size in SIZES else 20,
            sort=sort if sort in columns else self.sort,
            descending=query.get("sorting[direction]", "desc" if self.descending else "asc") == "desc",
        )

    def handle(self, visit: AdminVisit) -> Response:
        """The page of the listing."""
        return render(visit, "grid.html", sizes=SIZES, **self.listing(visit))

    def listing(self, visit: AdminVisit) -> dict[str, Any]:
        """What templates need to show the listing: the rows of the requested page (the last one if the number is too
        high), and how many there are in all."""
        state = self.state(visit.query)
        condition, bound = self._condition(state)
        path = self.path
        if self.within:
            condition, bound = f"{condition} AND {self.within} = ?", [*bound, visit.id("id")]
            path = path.format(visit.id("id"))
        total = visit.value(f"SELECT COUNT(*) FROM {self.source} WHERE {condition}", *bound)  # noqa: S608
        pages = max(1, -(-total // state.size))
        sort = next(column.expression for column in self.columns if column.key == state.sort)
        way = "DESC" if state.descending else "ASC"
        names = ", ".join(f"{column.expression} AS c_{column.key}" for column in self.columns)
        label = self._sql(self.label) or self.columns[0].expression
        found = visit.rows(
            f"SELECT {self.id} AS id, {label} AS label, {names} FROM {self.source} WHERE {condition}"  # noqa: S608
            f" ORDER BY {sort} {way}, {self.id} {way} LIMIT ? OFFSET ?",
            *bound, state.size, (min(state.page, pages) - 1) * state.size,
        )  # fmt: skip
        rows = [
            {"link": self.link.format(id=row["id"]), "label": row["label"],
             "cells": [(column.form, row[f"c_{column.key}"]) for column in self.columns]}
            for row in found
        ]  # fmt: skip
        return {"grid": self, "grid_path": path, "state": state, "total": total, "rows": rows, "pages": pages}

    def _condition(self, state: GridState) -> tuple[str, list[object]]:
        """The WHERE clause: fixed expressions, every value bound."""
        parts, bound = ["1"], list[object]()
        for word in state.search.split():
            searched = (f"{self._sql(text)} LIKE ? ESCAPE '!'" for text in self.search)
            parts.append("(" + " OR ".join(searched) + ")")
            bound += [_like(word)] * len(self.search)
        columns = {column.key: column for column in self.columns}
        for name, value in state.filters.items():
            key, _, end = name.partition("][")
            clause = _CLAUSES.get((columns[key].filter, end))
            if clause:
                parts.append(clause[0].format(columns[key].expression))
                bound.append(clause[1](value))
        return " AND ".join(parts), bound

    def _sql(self, text: str) -> str:
        """SQL, or the SQL of the column that `@KEY` names."""
        named = {f"@{column.key}": column.expression for column in self.columns}
        return named.get(text, text)

    def active(self, state: GridState) -> list[tuple[str, str]]:
        """The active filters as text."""
        columns = {column.key: column for column in self.columns}
        words = [("Keyword", state.search)] if state.search else []
        for name, value in state.filters.items():
            key, _, end = name.partition("][")
            label = f"{columns[key].label} {end}".strip()
            words.append((label, columns[key].options.get(value, value)))
        return words


def _like(text: str) -> str:
    for special in "!%_":
        text = text.replace(special, f"!{special}")
    return f"%{text}%"


def _amount(text: str) -> float:
    try:
        return float(text.replace("$", "").replace(",", ""))
    except ValueError:
        return -1.0


def iso_date(text: str) -> str:
    """A typed date (2026-03-04 or 03/04/2026) in ISO format, to compare with the database."""
    parts = text.replace("-", "/").split("/")
    if len(parts) == 3 and all(part.isascii() and part.isdigit() and len(part) < 5 for part in parts):
        year, month, day = parts if len(parts[0]) == 4 else (parts[2], parts[0], parts[1])
        return f"{int(year):04d}-{int(month):02d}-{int(day):02d}"
    return text


_CLAUSES: dict[tuple[str, str], tuple[str, Callable[[str], object]]] = {
    ("text", ""): ("{} LIKE ? ESCAPE '!'", _like),
    ("options", ""): ("{} = ?", str),
    ("range", "from"): ("{} >= ?", _amount),
    ("range", "to"): ("{} <= ?", _amount),
    ("dates", "from"): ("{} >= ?", iso_date),
    ("dates", "to"): ("{} <= ? || ' 23:59:59'", iso_date),
}


@cache
def grids() -> dict[str, AdminGrid]:
    """All listings. Raises DataError."""
    return read(dict[str, AdminGrid], Path(__file__).with_name("grids.yaml"))
