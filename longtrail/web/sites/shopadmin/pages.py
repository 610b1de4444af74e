"""Pages: those of the back office that only show records and its buttons (`pages.yaml`), the listings, the reports."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal

from starlette.responses import Response

from longtrail.records.record import Record
from longtrail.web.queried_page import MissingRow, PageFile, Queries
from longtrail.web.sites.shopadmin.grid import grids, iso_date
from longtrail.web.sites.shopadmin.orders import abilities
from longtrail.web.sites.shopadmin.visit import AdminVisit, Worlds, redirect, render
from longtrail.yaml_file import read

HERE = Path(__file__).parent
Handler = Callable[[AdminVisit], Response]
_FILE = PageFile(HERE / "pages.yaml")


class AdminPage(Queries):
    """A page that shows records."""

    template: str
    panel: str = ""
    """The template of its tab's content, which the page's script asks for alone."""
    tab: str = ""
    also: tuple[str, ...] = ()
    """Further addresses."""
    only: Worlds = "usual"
    """Worlds that have it; `usual`: all."""
    missing: tuple[str, str] | None = None
    """Where the address of an unknown record leads, and the message there; otherwise the page is not found."""
    grid: str = ""
    """The listing in it."""
    texts: dict[str, Any] = {}
    """Names of the template with fixed values."""
    opened: str = ""
    """SQL that notes that the page was opened."""

    def handle(self, visit: AdminVisit) -> Response:
        """The page; for its script, only the content of its tab."""
        values = visit.values()
        try:
            found = self.find(visit.db, values)
        except MissingRow:
            if self.missing is None:
                raise
            return redirect(*self.missing, "error")
        if self.opened:
            visit.db.execute(self.opened, values)
        listing = grids()[self.grid].listing(visit) if self.grid else {}
        template = self.panel if self.panel and visit.ajax else self.template
        return render(visit, template, panel=self.panel, tab=self.tab, **self.texts, **found, **listing)


class AdminAction(Queries):
    """What a button does, or a form with required fields."""

    needs: str = ""
    """What must be possible with the order (`abilities`)."""
    fields: dict[str, tuple[str, ...]] = {}
    """Required field -> its possible values; none: any text."""
    refusal: str = ""
    """The message if it is not possible, or a field is wrong."""
    refused_to: str = ""
    """Where that leads; empty: as otherwise."""
    sql: tuple[str, ...]
    to: str
    """Where it leads, with names of rows."""
    done: str

    def handle(self, visit: AdminVisit) -> Response:
        """Do it, or say why not."""
        values = visit.values()
        found = self.find(visit.db, values)
        sent = {name: visit.field(name) for name in self.fields}
        possible = not self.needs or abilities(found["order"])[self.needs]
        if not possible or not all(text and text in (self.fields[name] or (text,)) for name, text in sent.items()):
            return redirect((self.refused_to or self.to).format_map(found), self.refusal, "error")
        values.update(sent)
        for sql in self.sql:
            visit.db.execute(sql, values)
        return redirect(self.to.format_map(found), self.done)


class Report(Record):
    """A report: its columns with their formats, the filter beside the period, and the statement that counts."""

    title: str
    address: str
    columns: dict[str, Literal["", "money", "percent"]]
    wanted: str
    """The label of the filter; it narrows by the beginning of a code."""
    sql: str
    """Named values: first, last, until, code."""


@cache
def reports() -> Mapping[str, Report]:
    """Name -> the report. Raises DataError."""
    return read(dict[str, Report], HERE / "reports.yaml")


def _report(name: str, visit: AdminVisit) -> Response:
    """The form, and the rows once a period is given. It counts what happened up to the last refresh."""
    report = reports()[name]
    first, last = (iso_date(visit.query.get(end, "").strip()) for end in ("from", "to"))
    until = visit.value("SELECT updated_at FROM report_statistics WHERE report = ?", name)
    code = visit.query.get("code", "").strip()
    values = {"first": first, "last": f"{last} 23:59:59", "until": until or "", "code": code}
    rows = visit.db.execute(report.sql, values).fetchall() if first and last else None
    return render(
        visit, "report.html", form=report, report=name, first=first, last=last, code=code, until=until, rows=rows
    )


def refresh_reports(visit: AdminVisit) -> Response:
    """Let all reports count up to now."""
    visit.db.execute("UPDATE report_statistics SET updated_at = ?", (visit.stamp(),))
    name = visit.params.get("report", "")
    kind = "report_product" if name == "returned" else "report_sales"
    return redirect(f"/admin/reports/{kind}/{name}/", "Recent statistics have been updated.")


def addresses(world: Worlds) -> dict[str, Handler]:
    """Address below `/admin/` -> the page, of those that only worlds of this kind have."""
    pages = _FILE.section("pages", dict[str, AdminPage])
    handlers: dict[str, Handler] = {
        each: page.handle for address, page in pages.items() if page.only == world for each in (address, *page.also)
    }
    for grid in grids().values():
        if grid.only == world and not grid.within:
            parts = grid.path.strip("/").split("/")[1:]
            handlers["/".join([*parts, "index"][:3])] = grid.handle
    if world == "hard":
        for name, report in reports().items():
            handlers[report.address] = partial(_report, name)
    return handlers


def actions() -> dict[str, Handler]:
    """Address below `/admin/` -> what a button there does."""
    declared = _FILE.section("actions", dict[str, AdminAction])
    return {address: action.handle for address, action in declared.items()}
