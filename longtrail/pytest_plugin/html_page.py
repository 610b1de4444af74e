"""HTML page: pytest-html's page of a session of ours, `report.html` in the folder of reports unless the user names one.

pytest-html makes the page's folder when it is configured, and writes the page even if nothing was played. Here, nothing
is written before a run begins.
"""

from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from typing import Any

from pluggy import HookimplMarker

from longtrail.report.session_report import SessionReport

hookimpl = HookimplMarker("pytest")
NOTHING_PLAYS = (
    *("help", "markers", "collectonly", "setuponly", "setupplan"),
    *("showfixtures", "show_fixtures_per_test", "longtrail_estimate"),
)
"""Options of sessions that play no case."""


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
