"""Closing: what a session says at its end, after everything else: table, the most telling failures, verdict, addresses.

Of each case pytest itself only counts whether it failed; with `-v` it tells of subtests and tracebacks, too.
"""

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pluggy import HookimplMarker

from longtrail.records.result import Result
from longtrail.report.case_line import CaseLine, trace_href
from longtrail.report.story import story
from longtrail.report.telling import Telling, telling_failures
from longtrail.report.terminal import leaderboard_table
from longtrail.report.text import clip, plain
from longtrail.runs.store import Run
from longtrail.statistics.aggregate import ResultRow
from longtrail.tasks.cases import case_name
from longtrail.tasks.task import Task

hookimpl = HookimplMarker("pytest")
LONGEST = 300
"""Characters of one failure's sentence."""


class Closing:
    """Hooks of one session's terminal."""

    def __init__(self, run: Run, cases: Sequence[str]) -> None:
        """`cases`: ids of all that may be played; reports of other tests stay as pytest makes them."""
        self._run, self._cases = run, frozenset(cases)
        self.rows: Sequence[ResultRow] = ()
        self.results: Sequence[Result] = ()
        self.tasks: Mapping[str, Task] = {}
        self.notes: Sequence[str] = ()
        """Plain lines below the table."""
        self.alarms: Sequence[str] = ()
        """Lines that something is wrong."""
        self.page: Path | None = None
        """The leaderboard; None: nothing was collected."""
        self.broken = ""

    @hookimpl(wrapper=True, tryfirst=True)
    def pytest_report_teststatus(self, report: Any, config: Any) -> Generator[None, Any, Any]:
        """No dots, as the live line says more; and a case counts once, whatever becomes of its subtests."""
        status = yield
        if not status or config.option.verbose > 0 or not self._of_a_case(report):
            return status
        return ("", "", "") if type(report).__name__ == "SubtestReport" else (status[0], "", status[2])

    @hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter: Any) -> Generator[None, Any, Any]:
        """Around everybody else's: pytest's long accounts of failed cases are left out, and ours comes last."""
        stats, kept = terminalreporter.stats, {}
        if terminalreporter.config.option.verbose <= 0:
            for kind in ("failed", "error"):
                kept[kind] = stats.get(kind, [])
                stats[kind] = [report for report in kept[kind] if not self._told_by_us(report)]
        try:
            return (yield)
        finally:
            stats.update({kind: reports for kind, reports in kept.items() if reports})
            for kind, reports in kept.items():
                if not reports:
                    stats.pop(kind, None)
            self._close(terminalreporter)

    def _of_a_case(self, report: Any) -> bool:
        return report.nodeid.endswith("]") and case_name(report.nodeid) in self._cases

    def _told_by_us(self, report: Any) -> bool:
        """A case that failed or is invalid. A fixture that broke is told by pytest: no record tells it."""
        return self._of_a_case(report) and CaseLine.of(report.user_properties) is not None and report.when != "teardown"

    def _close(self, reporter: Any) -> None:
        if self.broken:
            reporter.section("Longtrail")
            reporter.write_line(f"the results could not be written: {self.broken}", red=True)
        if self.page is None:
            return
        reporter.section("Longtrail")
        reporter.write_line(leaderboard_table(self.rows))
        reporter.write_line("")
        for line in self.alarms:
            reporter.write_line(line, red=True)
        for line in self.notes:
            reporter.write_line(line)
        self._failures(reporter)
        for line in invalid_lines(self.results):
            reporter.write_line(line)
        gate = reporter.config.pluginmanager.getplugin("longtrail-gate")
        if gate is not None and gate.report is not None:
            from longtrail.gate.formatting import headline

            reporter.write_line(headline(gate.report), bold=True)
        reporter.write_line(f"run:         {self._run.folder}")
        reporter.write_line(f"report:      {self._report()}")
        reporter.write_line(f"leaderboard: {self.page}")

    def _failures(self, reporter: Any) -> None:
        failed = [result for result in self.results if result.outcome == "failed"]
        chosen = [told for result in telling_failures(failed) if (told := self._told(result))]
        if not chosen:
            return
        more = f" ({len(failed)} in all, {self._report()} lists them)" if len(failed) > len(chosen) else ""
        reporter.write_line(f"The {len(chosen)} most telling failures{more}:" if len(chosen) > 1 else "What failed:")
        for told in chosen:
            reporter.write_line(f"  {plain(told.case)}: {clip(plain(told.sentence), LONGEST)}")
            reporter.write_line(f"    {self._run.folder / trace_href(told.case)}{told.anchor}")
        reporter.write_line("")

    def _told(self, result: Result) -> Telling | None:
        episode = self._run.recorded(result.case.id)
        if episode is None:
            return None
        found = story(episode, result, self.tasks.get(result.case.task))
        return Telling(result.case.id, found.text, f"#step-{found.telling}" if found.telling else "")

    def _report(self) -> Path:
        """The run's page, or pytest-html's where there is none."""
        page = self._run.folder / "index.html"
        return page if page.is_file() else self._run.folder / "report.html"


def invalid_lines(results: Sequence[Result]) -> list[str]:
    """Of each kind of trouble how many cases it made invalid, and the first one's message."""
    troubled = [result for result in results if result.outcome == "invalid" and result.trouble is not None]
    kinds = Counter(result.trouble.kind for result in troubled if result.trouble)
    firsts = {result.trouble.kind: result for result in reversed(troubled) if result.trouble}
    return [
        f"invalid: {count} x {kind}, e.g. {plain(firsts[kind].case.id)}: {clip(plain(firsts[kind].reason), LONGEST)}"
        for kind, count in kinds.most_common()
    ]
