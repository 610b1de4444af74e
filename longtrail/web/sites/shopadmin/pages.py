"""Pages: those of the back office that only show records (`pages.yaml`), the listings, the reports, and reviews."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal

from starlette.exceptions import HTTPException
from starlette.responses import Response

from longtrail.records.record import Record
from longtrail.web.queried_page import MissingRow, PageFile, Queries
from longtrail.web.sites.shopadmin.grid import grids, iso_date
from longtrail.web.sites.shopadmin.visit import REVIEW_STATUSES, AdminVisit, Worlds, redirect, render
from longtrail.yaml_file import read

HERE = Path(__file__).parent
Handler = Callable[[AdminVisit], Response]


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


def save_review(visit: AdminVisit) -> Response:
    """Change a review's status or text."""
    key = visit.id("id")
    if visit.row("SELECT 1 FROM review WHERE review_id = ?", key) is None:
        raise HTTPException(404)
    status = visit.field("status_id")
    values = [visit.field(name) for name in ("nickname", "title", "detail")]
    if status not in REVIEW_STATUSES or not all(values):
        return redirect(f"/admin/review/product/edit/id/{key}/", "This is a required field.", "error")
    visit.db.execute(
        "UPDATE review SET status = ?, nickname = ?, title = ?, detail = ? WHERE review_id = ?", (status, *values, key)
    )
    return redirect("/admin/review/product/", "You saved the review.")


def refresh_reports(visit: AdminVisit) -> Response:
    """Let all reports count up to now."""
    visit.db.execute("UPDATE report_statistics SET updated_at = ?", (visit.stamp(),))
    name = visit.params.get("report", "")
    kind = "report_product" if name == "returned" else "report_sales"
    return redirect(f"/admin/reports/{kind}/{name}/", "Recent statistics have been updated.")


def addresses(world: Worlds) -> dict[str, Handler]:
    """Address below `/admin/` -> the page, of those that only worlds of this kind have."""
    pages = PageFile(HERE / "pages.yaml").section("pages", dict[str, AdminPage])
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
