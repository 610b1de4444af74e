"""Terminal summary: the end of a session's output: table, most informative failures, verdict, paths.

pytest counts each case, and each of its missed key steps or funnel stages (a failed subtest). Their letters and
tracebacks are shown only with `-v` or a `-r` of the user's own, because the table and the failures say it shorter.
"""

from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pluggy import HookimplMarker

from longtrail.gate.findings import GateReport
from longtrail.options.gate_rules import INCOMPLETE
from longtrail.pytest_plugin.gate_session import GateSession
from longtrail.records.result import Result
from longtrail.report.gate_text import headline
from longtrail.report.job_summary import FailureSummary, append_to_job_page, informative_failures, job_page, summary
from longtrail.report.leaderboard.changes import changes_of
from longtrail.report.progress import CaseLine, trace_href
from longtrail.report.terminal import cause_lines, leaderboard_table
from longtrail.report.text import clip, plain, visible
from longtrail.report.trace.story import story
from longtrail.runs.store import Run
from longtrail.statistics.aggregate import ResultRow
from longtrail.tasks.task import Task

hookimpl = HookimplMarker("pytest")
LONGEST = 300
"""Maximum characters of a sentence about a failure."""


class TerminalSummary:
    """Hooks of one session's terminal output."""

    def __init__(
        self,
        run: Run,
        nodeids: Iterable[str],
        gate: GateSession | None = None,
        *,
        quiet: bool = True,
        brief: bool = False,
        summary_md: Path | None = None,
    ) -> None:
        """`nodeids`: the ids of the tests that play a case; reports of other tests are not changed. `quiet`: pytest
        prints no details of a case. `brief`: with `-q`, only the table, warnings, the verdict and the report's path.
        `summary_md`: the Markdown file for the summary."""
        self._gate = gate
        self._failed_subtests = 0
        self._quiet, self._brief = quiet, brief
        self._summary = summary_md
        self._chosen: Sequence[FailureSummary] = ()
        self._run, self._nodeids = run, frozenset(nodeids)
        self.rows: Sequence[ResultRow] = ()
        self.results: Sequence[Result] = ()
        self.tasks: Mapping[str, Task] = {}
        self.notes: Sequence[str] = ()
        """Notes below the table."""
        self.alarms: Sequence[str] = ()
        """Warnings below the table."""
        self.page: Path | None = None
        """The leaderboard; None: no results were collected."""
        self.broken = ""

    @hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: Any) -> None:
        """Terminal control codes are removed from every report of a case."""
        if self._of_a_case(report):
            _clean(report)
            self._failed_subtests += report.failed and type(report).__name__ == "SubtestReport"

    @hookimpl(wrapper=True, tryfirst=True)
    def pytest_report_teststatus(self, report: Any) -> Generator[None, Any, Any]:
        """No letters: the live line shows the progress."""
        status = yield
        return (status[0], "", status[2]) if status and self._quiet and self._of_a_case(report) else status

    @hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter: Any) -> Generator[None, Any, Any]:
        """The outermost wrapper: pytest's long tracebacks of failed cases are left out, and our summary comes last."""
        stats, kept = terminalreporter.stats, {}
        if self._quiet:
            for kind in ("failed", "error"):
                kept[kind] = stats.get(kind, [])
                stats[kind] = [report for report in kept[kind] if not self._in_our_summary(report)]
        try:
            return (yield)
        finally:
            stats.update({kind: reports for kind, reports in kept.items() if reports})
            for kind, reports in kept.items():
                if not reports:
                    stats.pop(kind, None)
            self._close(terminalreporter)

    @hookimpl(wrapper=True, trylast=True)
    def pytest_sessionfinish(self, session: Any) -> Generator[None, Any, Any]:
        """An inner wrapper: other plugins' files are written, too. A full disk must not end pytest without a summary,
        and with the exit code of a failed case."""
        try:
            return (yield)
        except OSError as error:
            self.broken = self.broken or str(error)
            incomplete(session)

    def _of_a_case(self, report: Any) -> bool:
        return report.nodeid in self._nodeids

    def _in_our_summary(self, report: Any) -> bool:
        """Whether the report is of a failed or invalid case. Broken fixtures have no record, so pytest reports them."""
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
        for line in () if self._brief else self.notes:
            reporter.write_line(line)
        if self._failed_subtests and not self._brief:
            number = f"{self._failed_subtests} missed key steps or funnel stages"
            reporter.write_line(f"pytest's number of failures below includes {number} (subtests; -v shows them)")
        failed = [result for result in self.results if result.outcome == "failed"]
        self._chosen = described_failures(self._run, failed, self.tasks)
        for line in () if self._brief else failure_lines(self._run.folder, self._chosen, len(failed), self._report()):
            reporter.write_line(line)
        for line in (*cause_lines(self.results), *invalid_lines(self.results)):
            reporter.write_line(line)
        report = self._gate.report if self._gate is not None else None
        if report is not None:
            reporter.write_line(headline(report), bold=True)
        if problem := self._write_summary(report):
            reporter.write_line(problem, red=True)
        for name, path in (("run", self._run.folder), ("report", self._report()), ("leaderboard", self.page)):
            if name == "report" or not self._brief:
                reporter.write_line(f"{name + ':':12} {path}")

    def _write_summary(self, gate: GateReport | None) -> str:
        """Write the summary as Markdown to the file of `--summary-md`, and append it to GitHub's job page after the
        gate's part. Returns an error message or nothing: a full disk must not fail the agent."""
        try:
            if self._summary is None and not job_page():
                return ""
            changes = changes_of(self._run.folder) if gate is None else None
            tell = partial(summary, self._run.folder.name, self.rows, self._chosen, changes=changes)
            if self._summary is not None:
                self._summary.parent.mkdir(parents=True, exist_ok=True)
                self._summary.write_text(tell(gate), encoding="utf-8")
            append_to_job_page(tell())
        except OSError as error:
            return f"the summary can't be written: {error.filename}: {error.strerror}"
        return ""

    def _report(self) -> Path:
        """The run's page; the leaderboard if it could not be written."""
        page = self._run.folder / "index.html"
        return page if page.is_file() or self.page is None else self.page


def incomplete(session: Any) -> None:
    """Set the exit code of a run that lacks planned cases or could not be written; pytest's codes 2 to 5 stay."""
    if session.exitstatus in (0, 1):
        session.exitstatus = INCOMPLETE


def _clean(report: Any) -> None:
    """Assertions contain agents' texts, sections their code's output. Control codes in them are made visible."""
    if report.longrepr is not None and (text := visible(shown := str(report.longrepr))) != shown:
        report.longrepr = text
    report.sections = [(visible(name), visible(text)) for name, text in report.sections]


def invalid_lines(results: Sequence[Result]) -> list[str]:
    """For each kind of trouble, the number of invalid cases and the first message. What ended the whole run is
    reported elsewhere."""
    troubled = [
        (result.trouble, result.case.id) for result in results if result.outcome == "invalid" and result.trouble
    ]
    kinds = Counter(trouble.kind for trouble, _ in troubled if trouble.kind != "cancelled")
    firsts = {
        trouble.kind: f"{plain(case)}: {clip(plain(trouble.message), LONGEST)}" for trouble, case in troubled[::-1]
    }
    return [f"invalid: {count} x {kind}, e.g. {firsts[kind]}" for kind, count in kinds.most_common()]


def described_failures(run: Run, failed: Iterable[Result], tasks: Mapping[str, Task]) -> list[FailureSummary]:
    """The most informative of these failures in words; those without an episode are left out."""
    return [failure for result in informative_failures(failed) if (failure := _described(run, result, tasks))]


def failure_lines(folder: Path, chosen: Sequence[FailureSummary], failed: int, page: Path) -> list[str]:
    """Lines to print, the last one empty; none without failures. `failed`: how many there are, `page`: lists all."""
    if not chosen:
        return []
    more = f" ({failed} in all, {page} lists them)" if failed > len(chosen) else ""
    lines = [f"The {len(chosen)} most informative failures{more}:" if len(chosen) > 1 else f"What failed{more}:"]
    for failure in chosen:
        lines.append(f"  {plain(failure.case)}: {clip(plain(failure.sentence), LONGEST)}")
        lines.append(f"    {folder / trace_href(failure.case)}{failure.anchor}")
    return [*lines, ""]


def _described(run: Run, result: Result, tasks: Mapping[str, Task]) -> FailureSummary | None:
    episode = run.valid_episode(result.case.id)
    if episode is None:
        return None
    words = story(episode, result, tasks.get(result.case.task))
    return FailureSummary(result.case.id, words.text, f"#step-{words.decisive_step}" if words.decisive_step else "")
