"""The controller's side of a session: the run's folder, the live line, and at the end results and leaderboard.

Workers write episodes; only the controller (or the one process of a serial run) aggregates.
"""

import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pluggy import HookimplMarker

from longtrail.browser import resource_usage as usage
from longtrail.errors import HarnessTrouble, UsageError
from longtrail.options.run_options import Options
from longtrail.pytest_plugin.resume import check_plan, reopen
from longtrail.records.result import Result
from longtrail.report.all_runs import write_page
from longtrail.report.case_line import CaseLine
from longtrail.report.session_report import SessionReport
from longtrail.report.terminal import (
    RunProgress,
    appeal_line,
    appeal_rates,
    leaderboard_table,
    progress_line,
    sharing_line,
)
from longtrail.runs.checked import lost_results
from longtrail.runs.manifest import PlannedCase
from longtrail.runs.own_tasks import keep_tasks
from longtrail.runs.scored_cases import ScoredCases
from longtrail.runs.store import Run, new_manifest
from longtrail.runs.sums import edited, seal
from longtrail.statistics.aggregate import ResultRow, summarize
from longtrail.tasks.cases import OWN, Planned
from longtrail.tasks.loading import stories_checksum
from longtrail.tasks.task import DecisionTask

hookimpl = HookimplMarker("pytest")
EVERY_SECONDS = 10.0
"""How often the line is printed where there is no terminal to redraw it on."""


class Controller:
    """One session's run."""

    def __init__(
        self, config: Any, options: Options, cases: Sequence[Planned], nodeids: Sequence[str], folder: Path
    ) -> None:
        """`cases`: all of the plan; `nodeids`: of the tests that carry those that are played. Makes the run's folder,
        or opens the one to go on with."""
        self.options = options
        self._cases = cases
        own = {one.task.id: one.task for one in cases if OWN in one.markers}
        stories = stories_checksum(own.values())
        self.run = reopen(folder, options, stories) if options.resume else create(folder, options, stories)
        keep_tasks(self.run, own.values())
        self.folder = folder
        self.progress = RunProgress()
        self.rows: tuple[ResultRow, ...] = ()
        self.mixed: tuple[str, ...] = ()
        self.sharing = ""
        self.touched: tuple[str, ...] = ()
        self.page: Path | None = None
        self.broken = ""
        self._said = False
        self._started = self._printed = time.monotonic()
        config.pluginmanager.register(SessionReport(self.run, options.contenders), "longtrail-html")
        if config.getoption("tx", None) and config.option.dist != "no":
            from longtrail.pytest_plugin.workers import Workers

            config.pluginmanager.register(Workers(config, self.run, options, cases, nodeids), "longtrail-workers")

    def plan(self, cases: Sequence[str]) -> None:
        """These are played. Raises UsageError if they are not those that a resumed run was planned with."""
        self.progress.total = len(cases)
        try:
            check_plan(self.run, cases)
        except UsageError:
            self.run.close()
            raise
        who = self.options.contenders[0]
        known = {one.case.id: PlannedCase(case=one.case, contender=one.contender or who) for one in self._cases}
        self.run.plan(cases, [known[case] for case in cases if case in known])
        self._say_turns(set(cases))

    def _say_turns(self, cases: set[str]) -> None:
        appeals = [(one.case.appeal, one.task) for one in self._cases if one.case.id in cases and one.case.appeal]
        turns = [len(getattr(task.appeal, kind)) for kind, task in appeals if isinstance(task, DecisionTask)]
        if (line := appeal_line(turns, self.options.appeal_turns)) and not self._said:
            self._said = True
            out = sys.__stdout__ or sys.stdout
            out.write(f"\n{line}\n")
            out.flush()

    def pytest_runtest_logreport(self, report: Any) -> None:
        line = CaseLine.of(report.user_properties)
        if line is not None and line.id not in self.progress.lines:
            self.progress.add(line)
            self._show(last=len(self.progress.lines) == self.progress.total)

    def _show(self, *, last: bool) -> None:
        now = time.monotonic()
        text = progress_line(self.progress, now - self._started)
        out = sys.__stdout__ or sys.stdout
        if out.isatty():
            out.write(f"\r\x1b[2K{text}" + ("\n" if last else ""))
        elif last or now - self._printed >= EVERY_SECONDS:
            self._printed = now
            out.write(f"\n{text}\n")
        out.flush()

    def pytest_sessionfinish(self, session: Any) -> None:
        """Collect what the workers scored. A planned case without a record is never silent, and never green."""
        try:
            self._collect(session)
        except (HarnessTrouble, OSError) as error:  # no space; the episodes are there, and --resume makes the rest
            self.broken = str(error)
            session.exitstatus = session.exitstatus or 1

    def _collect(self, session: Any) -> None:
        tasks = {planned.task.id: planned.task for planned in self._cases}  # reading them anew takes as long as a case
        collected = ScoredCases(self.run, tasks).collect()
        results = collected.results
        self.run.write_results(results)
        seal(self.run)
        counted = (*results, *lost_results(self.run.manifest, self.run.missing()))
        self.rows, self.mixed, self.sharing = summarize(counted), mixed_models(results), sharing_line(results)
        self.touched = (
            *touched(self.progress.lines, results),
            *map(_rescored, collected.changed),
            *(f"{file}: it was changed after an earlier session of this run" for file in edited(self.run)),
        )
        self.page = write_page(self.options.reports)
        if self.run.stop_reason:
            session.exitstatus = 4
        elif session.exitstatus == 0 and (self.run.missing() or self.mixed or self.touched):
            session.exitstatus = 1

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.broken:
            terminalreporter.section("Longtrail")
            terminalreporter.write_line(f"the results could not be written: {self.broken}", red=True)
        if self.page is None:
            return
        missing = self.run.missing()
        terminalreporter.section("Longtrail")
        terminalreporter.write_line(leaderboard_table(self.rows))
        terminalreporter.write_line("")
        if missing:
            terminalreporter.write_line(f"{len(missing)} planned cases were not run, e.g. {missing[0]}", red=True)
        for line in filter(None, (self.sharing, *appeal_rates(self.rows))):
            terminalreporter.write_line(line)
        if missing or any(row.invalid for row in self.rows):
            terminalreporter.write_line(f"The same command with --resume={self.folder.name} runs what is missing.")
        for line in (*self.mixed, *self.touched):
            terminalreporter.write_line(line, red=True)
        for name, problem in self.run.quarantined:
            terminalreporter.write_line(f"put aside: {name}: {problem}", red=True)
        for line in usage.lines(self.folder):
            terminalreporter.write_line(line)
        terminalreporter.write_line(f"run:         {self.folder}")
        terminalreporter.write_line(f"leaderboard: {self.page}")

    def pytest_unconfigure(self) -> None:
        self.run.close()


def touched(lines: Mapping[str, CaseLine], results: Iterable[Result]) -> tuple[str, ...]:
    """A line for each case whose files say something else than its worker did: somebody else wrote there, too."""
    found = []
    for result in results:
        told, filed = lines.get(result.case.id), CaseLine.from_result(result)
        if told is not None and (told.outcome, told.reason, told.steps) != (filed.outcome, filed.reason, filed.steps):
            saw, says = f"{told.outcome} after {told.steps} steps", f"{filed.outcome} after {filed.steps}"
            found.append(f"{told.id}: the worker saw {saw}, the record says {says}: it was changed")
    return tuple(found)


def _rescored(case: str) -> str:
    return f"{case}: its result did not fit its episode and was made again: it was changed"


def mixed_models(results: Iterable[Result]) -> tuple[str, ...]:
    """A line for each contender whose cases were answered by several models: such a run compares with nothing."""
    told: dict[str, set[str]] = {}
    for result in results:
        if result.contender.model and result.provenance.model_reported:  # agents of the user's may use several
            told.setdefault(result.contender.label, set()).add(result.provenance.model_reported)
    return tuple(
        f"{label}: the server ran several models in this run: {', '.join(sorted(models))}"
        for label, models in told.items()
        if len(models) > 1
    )


def create(folder: Path, options: Options, stories: str = "") -> Run:
    """A new run. `stories`: checksum of what one's own tasks add to the worlds."""
    return Run.create(folder, new_manifest(folder.name, options.public(), stories))
