"""The gate's part of a pytest session: it records broken fixtures, judges the finished run, and sets the exit code.

Sequential runs (`--gate sequential`): all repeats are collected, and played one after the other while the gate's
verdict can still change. The controller looks when the open repeats have ended, and writes its decision into the run's
folder. Tests of repeats that are not needed are deselected. The run's plan has only open repeats, so that the others
are not missing.
"""

import contextlib
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from pluggy import HookimplMarker

from longtrail.gate.findings import GateReport, Look
from longtrail.gate.gate_report import conflicts, gate_report, refusal
from longtrail.gate.looks import baseline_repeats, look, most_changed, open_repeats, read_looks, write_looks
from longtrail.gate.pairing import contender_cases
from longtrail.llm.call_book import FILE as CALLS
from longtrail.llm.call_book import CallBook
from longtrail.options.gate_rules import GateRules
from longtrail.records.trajectory import Contender
from longtrail.report.gate_text import terminal
from longtrail.report.job_summary import FILE, write_report
from longtrail.report.progress import CaseLine
from longtrail.runs.baseline import Scores, scores_from, scores_of
from longtrail.runs.checked import CheckedRun
from longtrail.runs.rescore import ScoredCases
from longtrail.runs.store import Run
from longtrail.tasks.cases import PlannedCase

hookimpl = HookimplMarker("pytest")
PYTESTS_OWN = frozenset({2, 3, 4, 5})
"""Interrupted, internal error, wrong usage, no tests collected: the gate keeps these exit codes."""


class GateSession:
    """The gate's hooks."""

    def __init__(self, run: Run, baseline: Scores, rules: GateRules, chosen: str) -> None:
        self.run, self.baseline, self.rules, self.chosen = run, baseline, rules, chosen
        self.errors: dict[str, None] = {}
        """Cases whose fixtures broke, in order. Invalid cases are not included: their records show them."""
        self.report: GateReport | None = None
        self.unwritten = ""
        self.write_pages: Callable[[], object] = lambda: None
        """Writes the pages that show the verdict; set when the results are written."""

    def refuse(self, contender: Contender) -> str:
        """Why this run can't be gated, or an empty text. Checked before any case is played, to waste no model calls."""
        reasons = conflicts(self.baseline, self.run.manifest, contender, self.chosen, variants=self.rules.variants)
        if reasons:
            self._tell(refusal(reasons, self.rules, self.baseline.name, self.run.folder.name))
        return "; ".join(reasons)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Remember broken fixtures: they leave no record, and pytest's exit code for them is that of a failed case."""
        if report.failed and report.when in ("setup", "teardown"):
            line = CaseLine.of(report.user_properties)
            if report.when == "teardown" or line is None or line.outcome != "invalid":
                self.errors[report.nodeid] = None

    @hookimpl(wrapper=True, trylast=True)
    def pytest_sessionfinish(self) -> Generator[None, Any, Any]:
        """The innermost wrapper: at this point the results are written, and the summary is not yet printed."""
        done = yield
        report = gate_report(self.baseline, self._scores(), self.rules, chosen=self.chosen, errors=tuple(self.errors))
        self._tell(report.model_copy(update={"looks": read_looks(self.run.folder)}))
        with contextlib.suppress(OSError):  # the pages show the verdict, but the verdict doesn't depend on them
            self.write_pages()
        return done

    def _scores(self) -> Scores:
        if self.run.results_file.is_file():
            return scores_of(self.run)
        return Scores(manifest=self.run.manifest, contenders=(), provenances=(), cases=())

    def _tell(self, report: GateReport) -> None:
        self.report, self.unwritten = report, write_report(report, self.run.folder)

    @hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the verdict below the run's summary."""
        if self.report is None:
            return
        terminalreporter.section(f"Gate: {self.report.verdict}")
        terminalreporter.write_line(terminal(self.report))
        terminalreporter.write_line(f"gate:     {self.run.folder / FILE}")
        if self.unwritten:
            terminalreporter.write_line(self.unwritten, red=True)


class GateExitCode:
    """Set the exit code last: syrupy adds bits to it, and `--max-warnings` uses its own code."""

    def __init__(self, gate: GateSession, unsent: Callable[[], str]) -> None:
        """`unsent`: why the run's copy at an address is not complete; empty if it is or there is none."""
        self.gate, self._unsent = gate, unsent

    @hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: Any, exitstatus: int) -> Generator[None, Any, Any]:
        """The outermost wrapper."""
        done = yield
        if self._unsent():
            session.exitstatus = 4
        elif int(exitstatus) in PYTESTS_OWN:
            session.exitstatus = exitstatus
        elif self.gate.run.stop_reason:
            session.exitstatus = 4
        elif self.gate.report is not None:
            session.exitstatus = self.gate.report.exit_code
        return done


@dataclass(eq=False)
class SequentialRun:
    """In the controller: which tests are played."""

    gate: GateSession
    tests: Mapping[str, PlannedCase]
    """Node id of each test -> the case that it plays."""
    budget: float | None
    """Of all model calls, in USD."""
    plan: Callable[[Sequence[str]], None]
    """Called with the cases of the open repeats before they are played."""
    not_needed: list[str] = field(default_factory=list)
    """The tests of repeats that will not be played."""

    @property
    def opened(self) -> frozenset[str]:
        """The tests of open repeats."""
        opened = open_repeats(self.gate.run.folder)
        return frozenset(nodeid for nodeid, planned in self.tests.items() if planned.case.repeat < opened)

    def plan_opened(self) -> None:
        opened = self.opened
        cases = (planned.case.id for nodeid, planned in self.tests.items() if nodeid in opened)
        self.plan(tuple(dict.fromkeys(cases)))

    def next_repeat(self) -> list[str]:
        """Look, as the open repeats have ended: the tests of the next repeat, those of the tasks that changed most
        first; empty if no further repeat is played."""
        run, before = self.gate.run, self.opened
        tasks = {planned.task.id: planned.task for planned in self.tests.values()}
        results = ScoredCases(run, tasks).collect().results
        scores = scores_from(run.manifest, CheckedRun(results))
        errors = tuple(self.gate.errors)
        report = gate_report(self.gate.baseline, scores, self.gate.rules, chosen=self.gate.chosen, errors=errors)
        repeats = open_repeats(run.folder)
        if report.suites:
            baseline = contender_cases(self.gate.baseline, self.gate.chosen or scores.contenders[0].label)
            this = look(report, baseline_repeats(baseline), repeats, self._unaffordable(repeats))
        else:
            this = Look(repeats=repeats, verdict="INVALID", p=1, level=0, go_on=False, reason="nothing can be decided")
        looks = [each for each in read_looks(run.folder) if each.repeats < repeats]
        write_looks(run.folder, (*looks, this))
        if not this.go_on:
            self.not_needed = [nodeid for nodeid in self.tests if nodeid not in before]
            return []
        self.plan_opened()
        changed = most_changed(report)
        opened = self.opened - before
        return sorted(
            (nodeid for nodeid in self.tests if nodeid in opened),
            key=lambda nodeid: -changed.get(self.tests[nodeid].task.id, 0.0),
        )

    def _unaffordable(self, repeats: int) -> str:
        """Why the budget does not pay for another repeat, or an empty text."""
        if self.budget is None or not (self.gate.run.folder / CALLS).exists():
            return ""
        spent = CallBook(self.gate.run.folder).spent
        each = spent / repeats
        if spent + each <= self.budget:
            return ""
        return (
            f"the budget does not pay for another repeat: ${spent:.2f} of ${self.budget:g} is spent, ${each:.2f} each"
        )

    def pytest_sessionfinish(self, session: Any) -> None:
        """Tell pytest which tests were deselected while they ran."""
        reporter = session.config.pluginmanager.getplugin("terminalreporter")
        if reporter is not None and self.not_needed:
            reporter.stats.setdefault("deselected", []).extend(
                SimpleNamespace(nodeid=nodeid) for nodeid in self.not_needed
            )


class SerialRepeats:
    """Hooks of a process that plays all tests itself: it removes those that are not needed."""

    def __init__(self, sequential: SequentialRun, session: Any) -> None:
        self._sequential, self._session = sequential, session
        self._left = set(sequential.opened)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """After the last test of the open repeats, look. pytest goes through the list of tests by index, so the rest of
        it can be replaced."""
        if nodeid not in self._left:
            return
        self._left.discard(nodeid)
        if self._left:
            return
        following = self._sequential.next_repeat()
        self._left = set(following)
        items = self._session.items
        here = 1 + next(index for index, item in enumerate(items) if item.nodeid == nodeid)
        rest = {item.nodeid: item for item in items[here:]}
        others = [item for item in items[here:] if item.nodeid not in self._sequential.tests]
        gone = {*following, *self._sequential.not_needed}
        later = [item for item in items[here:] if item.nodeid in self._sequential.tests and item.nodeid not in gone]
        items[here:] = [*others, *(rest[test] for test in following), *later]
