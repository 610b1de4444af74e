"""HTML page: pytest-html's page of a session of ours, `report.html` in the folder of reports unless the user names one.

pytest-html makes the page's folder when it is configured, and writes the page even if nothing was played. Here, nothing
is written before a run begins. pytest-html escapes neither test ids nor cells from plugins, so a template renders every
cell again.
"""

import os
from collections.abc import Generator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pluggy import HookimplMarker

from longtrail.records.trajectory import Contender
from longtrail.report.progress import CaseLine
from longtrail.report.template_page import render, templates
from longtrail.runs.store import Run
from longtrail.statistics.aggregate import summarize

hookimpl = HookimplMarker("pytest")
NOTHING_PLAYS = (
    *("help", "markers", "collectonly", "setuponly", "setupplan"),
    *("showfixtures", "show_fixtures_per_test", "longtrail_estimate"),
)
"""Options of sessions that play no case."""
COLUMNS = ("task", "agent", "model", "outcome", "stage", "steps", "tokens", "cost", "reason")
LINKS = "Links"
"""Heading of pytest-html's last column, which our rows leave empty."""
TEST_ID = 1
"""Index of pytest-html's column of the test's id: after its result."""


class SessionReport:
    """The hooks of one run's report."""

    def __init__(self, run: Run | None = None, contenders: Sequence[Contender] = (), page: Path | None = None) -> None:
        """`run` may be set later: pytest-html begins its page before a run has begun. `page`: where it is written;
        by default into the run's folder."""
        self._page = page
        self.run = run
        self.contenders = tuple(contenders)

    @hookimpl(optionalhook=True)
    def pytest_html_report_title(self, report: Any) -> None:
        """Name the page after the run, and show one row per line, ordered by task."""
        report.set_data("initialSort", "task")
        report.set_data("renderCollapsed", ["all"])
        if self.run is not None:
            report.title = render("session_title.txt", run=self.run.folder.name, contenders=self.contenders).strip()

    @hookimpl(optionalhook=True)
    def pytest_html_results_summary(self, prefix: list[str]) -> None:
        """Put the run's leaderboard above the table of tests, if any result was written."""
        run = self.run
        rows = summarize(run.results()) if run is not None and run.results_file.exists() else ()
        prefix.append(render("session_summary.html", rows=rows))

    @hookimpl(optionalhook=True)
    def pytest_html_results_table_header(self, cells: list[str]) -> None:
        """Columns after the test's id; no links."""
        cells[:] = [cell for cell in cells if LINKS not in cell]
        cells[TEST_ID + 1 : TEST_ID + 1] = [self._cell("head", name) for name in COLUMNS]

    @hookimpl(optionalhook=True)
    def pytest_html_results_table_row(self, report: Any, cells: list[str]) -> None:
        """Cells after the test's id, which is escaped here; empty for a test that plays no case. Subtests get no rows.
        A case is shown by its id, which links to its trace."""
        if type(report).__name__ == "SubtestReport":
            cells.clear()
        if len(cells) <= TEST_ID:
            return  # another plugin dropped the row
        line = CaseLine.of(getattr(report, "user_properties", ()))
        cells[:] = [cell for cell in cells if "col-links" not in cell]
        if line is not None and self.run is not None and line.trace:
            trace = self.run.folder / line.trace
            start = self._page.resolve().parent if self._page else self.run.folder
            line = line.model_copy(update={"trace": Path(os.path.relpath(trace, start)).as_posix()})
        cells[TEST_ID] = self._cell("case", line) if line else self._cell("test_id", report.nodeid)
        cells[TEST_ID + 1 : TEST_ID + 1] = [self._cell(name, line) for name in COLUMNS]

    @hookimpl(optionalhook=True)
    def pytest_html_results_table_html(self, report: Any, data: list[str]) -> None:
        """A case's row has no log below it: its trace has all details."""
        if CaseLine.of(getattr(report, "user_properties", ())) is not None:
            data.clear()

    @staticmethod
    def _cell(macro: str, value: object) -> str:
        return str(getattr(templates().get_template("session_cells.html").module, macro)(value))


def choose_page(config: Any) -> SessionReport | None:
    """Before pytest-html is configured: give it a page, if it has none. Returns our columns of the page; None: there is
    no page. `config`: pytest's."""
    option = config.option
    if option.htmlpath:
        return SessionReport(page=Path(option.htmlpath))
    if any(getattr(option, name) for name in NOTHING_PLAYS):
        return None
    given = option.longtrail_reports
    folder = (given if isinstance(given, Path) else config.rootpath / "reports").resolve()
    if not next(path for path in (folder, *folder.parents) if path.exists()).is_dir():
        return None  # the folder can't be made: the run's start says so in one line
    report = SessionReport(page=folder / "report.html")
    config.pluginmanager.register(DefaultPage(folder, report, config.pluginmanager), "longtrail-html-page")
    option.htmlpath, option.self_contained_html = str(folder / "report.html"), True
    return report


class DefaultPage:
    """Hooks of a session whose page we chose."""

    def __init__(self, folder: Path, report: SessionReport, plugins: Any) -> None:
        self._folder, self._report, self._plugins = folder, report, plugins
        self._missing = [path for path in (folder, *folder.parents) if not path.exists()]

    @hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Remove the folders that pytest-html has made."""
        with suppress(OSError):
            for path in self._missing:
                path.rmdir()

    @hookimpl(wrapper=True, trylast=True)
    def pytest_sessionfinish(self) -> Generator[None, Any, Any]:
        """If no run began, remove the page; pytest-html then does not mention it either."""
        if self._report.run is not None:
            return (yield)
        self._folder.mkdir(parents=True, exist_ok=True)
        page = self._folder / "report.html"
        earlier = page.read_bytes() if page.exists() else None
        try:
            return (yield)
        finally:
            page.unlink(missing_ok=True)
            if earlier is not None:
                page.write_bytes(earlier)
            self.pytest_sessionstart()
            for plugin in self._plugins.get_plugins():
                if type(plugin).__module__.startswith("pytest_html."):
                    self._plugins.unregister(plugin)
