"""The controller's part of a session: the run's folder, and at the end results and leaderboard.

Workers write episodes; only the controller (or the one process of a serial run) aggregates.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from longtrail.browser import resource_usage as usage
from longtrail.errors import DataError, HarnessTrouble, UsageError
from longtrail.options.run_options import Options
from longtrail.pytest_plugin.artifacts import Artifacts
from longtrail.pytest_plugin.gate_session import GateExitCode, GateSession, SequentialRun
from longtrail.pytest_plugin.live_line import LiveLine
from longtrail.pytest_plugin.played_tests import OVERRIDDEN
from longtrail.pytest_plugin.remote.engine import Cluster
from longtrail.pytest_plugin.resume import check_plan, other_software, reopen
from longtrail.pytest_plugin.terminal_summary import TerminalSummary, incomplete
from longtrail.pytest_plugin.workers import Workers
from longtrail.records.case import training_line
from longtrail.records.result import Result
from longtrail.report.build import write_site
from longtrail.report.progress import CaseLine
from longtrail.report.terminal import appeal_line, appeal_rates, mixed_models, resume_line, sharing_line
from longtrail.report.text import accept_all_characters
from longtrail.runs.baseline import Scores
from longtrail.runs.checked import CheckedRun, checked_as_written
from longtrail.runs.manifest import PlanEntry, add_overridden, new_manifest
from longtrail.runs.rescore import ScoredCases, store_tasks
from longtrail.runs.store import Run
from longtrail.runs.sums import seal, sum_of
from longtrail.runs.under_way import end_at_interrupts, record_begun_attempts
from longtrail.statistics.aggregate import summarize
from longtrail.tasks.cases import OWN, PlannedCase
from longtrail.tasks.loading import stories_checksum
from longtrail.tasks.task import DecisionTask, Task

if TYPE_CHECKING:
    from longtrail.runs.object_store import Mirror

PYTESTS_REPORTCHARS = "fE"
"""The default of pytest's `-r`."""


class Controller:
    """One session's run."""

    def __init__(
        self,
        config: Any,
        options: Options,
        cases: Sequence[PlannedCase],
        tests: Mapping[str, PlannedCase],
        folder: Path,
        engine: Cluster | int = 0,
        baseline: Scores | None = None,
    ) -> None:
        """`cases`: all of the plan; `tests`: node id of each test -> the case that it plays; `engine`: what plays them:
        a cluster, or so many workers of xdist; 0: this process, one after the other. `baseline`: what the gate compares
        with. Makes the run's folder, or opens the one to go on with."""
        end_at_interrupts()
        accept_all_characters(sys.__stdout__)
        self.options = options
        self._cases = cases
        mirror = _mirror(folder, options.address) if options.address else None
        own = {planned.task.id: planned.task for planned in cases if OWN in planned.markers}
        self.run = _open(folder, options, mirror, stories_checksum(own.values()))
        store_tasks(self.run, own.values())
        self.folder = folder
        record_begun_attempts(folder)
        self.gate = GateSession(self.run, baseline, options.rules, options.baseline_contender) if baseline else None
        self.sequential: SequentialRun | None = None
        """What chooses the repeats of a sequential run."""
        if self.gate and options.rules.sequential:
            self.sequential = SequentialRun(self.gate, tests, options.limits.budget, self._plan)
        cases_of = {nodeid: planned.case.id for nodeid, planned in tests.items()}
        self._places = max(1, engine) if isinstance(engine, int) else engine.workers
        """How many cases are played at the same time."""
        self.live = LiveLine(self.folder, cases_of, self._places, options.limits)
        self.summary = TerminalSummary(
            self.run,
            cases_of,
            self.gate,
            quiet=config.option.verbose <= 0 and not _asks_for_failures(config),
            brief=config.option.verbose < 0,
            summary_md=options.summary_md,
        )
        self.workers: Workers | None = None
        """The hooks for xdist's workers."""
        self._said = False
        self._overridden: set[str] = set()
        """The fixtures of ours that the project overrides."""
        config.pluginmanager.register(self.live, "longtrail-live-line")
        config.pluginmanager.register(self.summary, "longtrail-summary")
        if self.sequential:
            config.pluginmanager.register(self.sequential, "longtrail-sequential")
        artifacts: Artifacts | None = None
        if mirror:
            artifacts = Artifacts(mirror)
            config.pluginmanager.register(artifacts, "longtrail-artifacts")
        if not isinstance(engine, int):
            from longtrail.pytest_plugin.remote.session import RemoteSession

            remote = RemoteSession(config, self.run, options, tests, engine)
            config.pluginmanager.register(remote, "longtrail-engine")
        elif engine:
            self.workers = Workers(config, self.run, options, tests, engine)
            self.workers.repeats = self.sequential
            config.pluginmanager.register(self.workers, "longtrail-engine")
        if self.gate:
            config.pluginmanager.register(self.gate, "longtrail-gate")
            unsent = (lambda: artifacts.unsent) if artifacts else str
            config.pluginmanager.register(GateExitCode(self.gate, unsent), "longtrail-gate-exit-code")

    def plan(self, cases: Sequence[str], whole: Sequence[str] = ()) -> None:
        """Record the planned cases; of a sequential run those of its open repeats. `whole`: the cases of all shards, if
        the run is a shard. Raises UsageError if a resumed run has other cases.
        """
        try:
            check_plan(self.run, cases, grows=self.sequential is not None)
        except UsageError:
            self.run.close()
            raise
        if self.sequential is None:
            self._plan(cases, whole)
        else:
            self.sequential.plan_opened()
        self._say(set(cases))

    def _plan(self, cases: Sequence[str], whole: Sequence[str] = ()) -> None:
        self.live.begin(len(cases))
        contender = self.options.contenders[0]
        known = {
            planned.case.id: PlanEntry(case=planned.case, contender=planned.contender or contender)
            for planned in self._cases
        }
        self.run.plan(cases, [known[case] for case in cases if case in known], whole)

    def _say(self, cases: set[str]) -> None:
        """Print, once, what the plan means for this session."""
        appeals = [
            (planned.case.appeal, planned.task)
            for planned in self._cases
            if planned.case.id in cases and planned.case.appeal
        ]
        turns = [len(getattr(task.appeal, kind)) for kind, task in appeals if isinstance(task, DecisionTask)]
        lines = [appeal_line(turns, self.options.appeal_turns), self._large_run(cases)]
        if any(lines) and not self._said:
            self._said = True
            out = sys.__stdout__ or sys.stdout
            out.write("".join(f"\n{line}\n" for line in lines if line))
            out.flush()

    def _large_run(self, cases: set[str]) -> str:
        """What a large run of a model will cost, before it starts; empty for others, and when a run is resumed."""
        models = [contender.model for contender in self.options.contenders if contender.model]
        if self.options.resume or self.options.cassette or not models:
            return ""
        from longtrail.estimate.text import large_run_line

        planned = [planned for planned in self._cases if planned.case.id in cases]
        return large_run_line(planned, self.options, self._places)

    def pytest_runtest_logreport(self, report: Any) -> None:
        self._overridden |= {str(value) for name, value in report.user_properties if name == OVERRIDDEN}

    def pytest_sessionfinish(self, session: Any) -> None:
        """Collect the workers' results. A planned case without a record is always reported and never passes."""
        try:
            self._collect(session)
        except (HarnessTrouble, OSError) as error:  # disk full: the episodes are saved, --resume does the rest
            self.summary.broken = str(error)
            incomplete(session)

    def _collect(self, session: Any) -> None:
        record_begun_attempts(self.folder)  # now, because the list of checksums names them
        manifest = {"run.json": sum_of(self.folder / "run.json")}
        add_overridden(self.folder, self._overridden)
        tasks = {planned.task.id: planned.task for planned in self._cases}  # reading them again takes as long as a case
        collected = ScoredCases(self.run, tasks).collect()
        results = collected.results
        self.run.write_results(results)
        checked = checked_as_written(self.run, results, files := seal(self.run, manifest))
        missing, rows = checked.missing, summarize(checked.counted)
        mixed = mixed_models(results)
        changed = (
            *touched(self.live.progress.lines, results),
            *(
                f"{case}: its result did not match its episode: it was changed and has been scored again"
                for case in collected.changed
            ),
            *(f"{file}: it was changed after an earlier session of this run" for file in files),
        )
        self.summary.rows, self.summary.results, self.summary.tasks = rows, results, tasks
        aside = (f"set aside: {name}: {problem}" for name, problem in self.run.quarantined)
        lost = [f"{len(missing)} planned cases were not run, e.g. {missing[0]}"] if missing else []
        self.summary.alarms = (*lost, *mixed, *changed, *aside, *other_software(self.run))
        again = bool(missing) or any(row.invalid for row in rows)
        resume = resume_line(self.folder.name, results, missing=bool(missing))
        notes = (
            sharing_line(results),
            overridden_line(self.run.manifest.overridden),
            training_line(self.options.variant),
            *appeal_rates(rows),
            resume if again else "",
            *self._shard(),
            *usage.read_usage_lines(self.folder),
        )
        self.summary.notes = tuple(filter(None, notes))
        if page := self._html_page(session.config):
            page.touch()  # the run's page links to it, but pytest-html writes it last
        pages = partial(self._write_pages, tasks, checked)
        if self.gate is None:
            self.summary.page = pages()
        else:  # they show its verdict
            self.summary.page, self.gate.write_pages = self.options.reports / "leaderboard.html", pages
        if self.run.stop_reason:
            session.exitstatus = 4
        elif missing and not session.shouldfail:  # with -x, the user wanted it to end
            incomplete(session)
        elif session.exitstatus == 0 and (mixed or changed):
            session.exitstatus = 1

    def _html_page(self, config: Any) -> Path | None:
        """pytest-html's page of this session, if the run's page links to it."""
        given = config.getoption("htmlpath", None)
        page = Path(given).resolve() if given else None
        return page if page and page.parent in (self.folder, self.options.reports) else None

    def _write_pages(self, tasks: Mapping[str, Task], checked: CheckedRun) -> Path:
        """Write the leaderboard and the run's pages; returns the leaderboard's path."""
        try:
            return write_site(self.options.reports, tasks, only=self.folder.name, checked=checked)
        except DataError as error:  # a file of another run
            self.summary.notes = (*self.summary.notes, f"the pages could not be written: {error}")
            return self.options.reports / "leaderboard.html"

    def _shard(self) -> Iterable[str]:
        if shard := self.options.shard:
            yield f"shard {shard} of {len(self.run.manifest.whole)} cases; `longtrail merge` joins all {shard.of}"

    def pytest_unconfigure(self) -> None:
        self.run.close()


def _asks_for_failures(config: Any) -> bool:
    """Whether `-r` asks for lines about failures. Its default does, too, so it must have been given."""
    given = config.option.reportchars
    said = given != PYTESTS_REPORTCHARS or any(word.startswith("-r") for word in config.invocation_params.args)
    return said and not set(given).isdisjoint("fEaA")


def overridden_line(fixtures: Sequence[str]) -> str:
    """What changes the cases besides the options; empty if nothing does."""
    if not fixtures:
        return ""
    return f"this project overrides {', '.join(fixtures)}: the gate compares only with runs that do the same"


def touched(lines: Mapping[str, CaseLine], results: Iterable[Result]) -> tuple[str, ...]:
    """One line for each case whose files differ from the worker's result: something else changed the files."""
    found = []
    for result in results:
        seen, filed = lines.get(result.case.id), CaseLine.from_result(result)
        if seen is not None and (seen.outcome, seen.reason, seen.steps) != (filed.outcome, filed.reason, filed.steps):
            saw, says = f"{seen.outcome} after {seen.steps} steps", f"{filed.outcome} after {filed.steps}"
            found.append(f"{seen.id}: the worker saw {saw}, the record says {says}: it was changed")
    return tuple(found)


def _mirror(folder: Path, address: str) -> "Mirror":
    from longtrail.runs.object_store import Mirror

    return Mirror(folder, address)


def _open(folder: Path, options: Options, mirror: "Mirror | None", stories: str) -> Run:
    """A new run, or the run to resume, downloaded first if it is at an address."""
    if options.resume:
        return reopen(folder, options, stories, mirror)
    if mirror:
        mirror.claim()
    return create(folder, options, stories)


def create(folder: Path, options: Options, stories: str = "") -> Run:
    """A new run. `stories`: checksum of what the user's own tasks add to the worlds."""
    return Run.create(folder, new_manifest(folder.name, options.public(), stories))
