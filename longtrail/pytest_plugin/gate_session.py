"""The gate's part of a pytest session: it records broken fixtures, judges the finished run, and sets the exit code."""

import contextlib
from collections.abc import Callable, Generator
from typing import Any

from pluggy import HookimplMarker

from longtrail.gate.findings import GateReport
from longtrail.gate.gate_report import conflicts, gate_report, refusal
from longtrail.gate.looks import read_looks
from longtrail.options.gate_rules import GateRules
from longtrail.records.trajectory import Contender
from longtrail.report.gate_text import FILE, terminal, write_report
from longtrail.report.progress import CaseLine
from longtrail.runs.baseline import Scores, scores_of
from longtrail.runs.store import Run

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
