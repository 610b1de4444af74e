"""Sequential runs (`--gate sequential`): all repeats are collected, and played one after the other while the gate's
verdict can still change.

The controller looks when the open repeats have ended, and writes its decision into the run's folder. Tests of repeats
that are not needed are deselected. The plan of the run has only open repeats, so the others are not missing.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from longtrail.gate.findings import Look
from longtrail.gate.gate_report import gate_report
from longtrail.gate.looks import FILE, baseline_repeats, look, most_changed, open_repeats, read_looks
from longtrail.gate.pairing import contender_cases
from longtrail.llm.call_book import FILE as CALLS
from longtrail.llm.call_book import CallBook
from longtrail.runs.atomic_file import write_whole
from longtrail.runs.baseline import scores_from
from longtrail.runs.checked import CheckedRun
from longtrail.runs.rescore import ScoredCases

if TYPE_CHECKING:
    from longtrail.pytest_plugin.gate_session import GateSession
    from longtrail.tasks.cases import PlannedCase


@dataclass(eq=False)
class SequentialRun:
    """In the controller: which tests are played."""

    gate: "GateSession"
    tests: Mapping[str, "PlannedCase"]
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
        """Plan the cases of the open repeats."""
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
        content = [each.model_dump(mode="json") for each in (*looks, this)]
        write_whole(run.folder / FILE, json.dumps(content, indent=1).encode() + b"\n")
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
