"""Remote session: the controller's test loop where the workers of a cluster play the cases.

It assigns units, writes the workers' files into the one run folder, and passes their reports on to pytest, which counts
them as if the tests had run here. A finished test's files and reports come in one message: if a worker is lost, a case
is either complete or absent. Tests without a case run here.
"""

import contextlib
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from pluggy import HookimplMarker

from longtrail.errors import HarnessTrouble, LongtrailError
from longtrail.llm.call_book import CallBook
from longtrail.options.plan import unit_of
from longtrail.options.run_options import Options
from longtrail.pytest_plugin.remote.engine import Cluster, Event, Unit, WorkerMessage
from longtrail.pytest_plugin.remote.outbox import attempts_of, put
from longtrail.pytest_plugin.remote.setup import setup_for
from longtrail.pytest_plugin.workers import CrashTracker
from longtrail.records.grouping import grouped
from longtrail.report.progress import PROPERTY, CaseLine
from longtrail.runs.store import Run
from longtrail.runs.under_way import no_longer_under_way
from longtrail.tasks.cases import PlannedCase

hookimpl = HookimplMarker("pytest")
LOOK = 1.0
"""Seconds of one wait for the cluster."""
IDLE = 600.0
"""The run ends after this many seconds without a running case while workers start. Long, because clusters may add
machines."""


class RemoteSession:
    """Hooks of one session."""

    def __init__(
        self, config: Any, run: Run, options: Options, tests: Mapping[str, PlannedCase], cluster: Cluster
    ) -> None:
        """`config`: pytest's. `tests`: node id of each test that plays a case -> the case."""
        self._config, self._run, self._options = config, run, options
        self._cases, self._cluster = tests, cluster
        self._crashes = CrashTracker(self._run, self._options, self._cases, cluster.workers)
        self._under_way: dict[Unit, str] = {}
        """A worker's unit -> its running test, if any."""
        self._heard: dict[Unit, float] = {}
        """When something was last heard of a unit."""
        self._finished: set[str] = set()
        self._todo: deque[tuple[str, ...]] = deque()
        self._locations: dict[str, Any] = {}
        if terminal := config.pluginmanager.getplugin("terminalreporter"):
            terminal.showfspath = False  # cases of many files run at once

    @hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool | None:
        """Run all tests: those without a case here, the others on the cluster."""
        if session.testsfailed and not session.config.option.continue_on_collection_errors:
            return None  # pytest says so
        self._locations |= {item.nodeid: item.location for item in session.items}
        cases = [item.nodeid for item in session.items if item.nodeid in self._cases]
        groups = grouped(cases, lambda test: unit_of(self._cases[test]))
        self._todo.extend(tuple(tests) for tests in groups.values())
        self._play_here(session, [item for item in session.items if item.nodeid not in self._cases])
        reason = "the session ended"
        try:
            self._cluster.start(setup_for(self._config, self._run), CallBook(self._run.folder, self._options.limits))
            self._play(session)
        except LongtrailError as error:  # it concerns the whole run
            reason = str(error)
            self._stop(reason)
        finally:
            for message in self._cluster.close(reason if self._under_way else ""):
                # only resource usage: an interrupted case gets no record, so that `--resume` plays it
                self._save_files({name: data for name, data in message.files.items() if name.startswith("workers/")})
            for nodeid in self._under_way.values():
                self._ended(nodeid)
        return True

    def _play_here(self, session: Any, items: Sequence[Any]) -> None:
        for number, item in enumerate(items, 1):
            after = items[number] if number < len(items) else None
            session.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            _end_if_asked(session)

    def _play(self, session: Any) -> None:
        since = time.monotonic()
        while self._todo or self._under_way:
            while self._todo and self._cluster.idle:
                tests = self._todo.popleft()
                files: dict[str, bytes] = {}
                for nodeid in tests:
                    files |= attempts_of(self._run, self._cases[nodeid].case.id)
                self._under_way[unit := Unit(tests, files)] = ""
                self._heard[unit] = time.monotonic()
                self._cluster.submit(unit)
            events = self._cluster.events(LOOK)
            for event in events:
                since = self._heard[event.unit] = time.monotonic()
                self._take(event)
            if events and self._run.stop_reason:
                return
            _end_if_asked(session)
            self._give_up_silent_ones()
            if self._under_way:
                since = time.monotonic()
            elif time.monotonic() - since > IDLE:
                why = self._cluster.waiting() or "no worker gave a sign"
                self._stop(f"no case was under way for {IDLE:.0f} seconds: {why}: the run was ended")
                return

    def _give_up_silent_ones(self) -> None:
        """Replace workers that have a unit, but begin no test."""
        for unit, test in list(self._under_way.items()):
            if not test and time.monotonic() - self._heard[unit] > IDLE:
                self._heard[unit] = time.monotonic()
                self._cluster.lose(unit, f"it began no test for {IDLE:.0f} seconds")

    def _take(self, event: Event) -> None:
        unit = event.unit
        if event.message is not None:
            self._hear(unit, event.message)
        elif event.ended == "done":
            self._under_way.pop(unit, None)
        elif event.ended:
            self._lost(unit, event)
        if event.ended:
            del self._heard[unit]

    def _hear(self, unit: Unit, message: WorkerMessage) -> None:
        hook = self._config.hook
        if message.kind == "began":
            self._under_way[unit] = message.test
            hook.pytest_runtest_logstart(nodeid=message.test, location=self._locations[message.test])
        elif message.kind == "finished":
            self._under_way[unit] = ""
            self._save_files(message.files)
            for data in message.reports:
                report = hook.pytest_report_from_serializable(config=self._config, data=dict(data))
                hook.pytest_runtest_logreport(report=report)
            self._crashes.test_finished()
            self._ended(message.test)
        else:
            self._save_files(message.files)
        if message.kind == "stopped":
            self._stop(message.reason)

    def _save_files(self, files: Mapping[str, bytes]) -> None:
        try:
            put(self._run.folder, files)
        except HarnessTrouble as error:
            self._stop(f"what a worker sent can't be kept ({error.message}): the run was ended")

    def _ended(self, nodeid: str) -> None:
        if nodeid:
            self._finished.add(nodeid)
            no_longer_under_way(self._run.folder, self._cases[nodeid].case.id)
            self._config.hook.pytest_runtest_logfinish(nodeid=nodeid, location=self._locations[nodeid])

    def _lost(self, unit: Unit, event: Event) -> None:
        """A worker is lost. Another one plays what it had not finished."""
        at = self._under_way.pop(unit, "")
        if reason := self._crashes.worker_crashed():
            self._stop(f"{reason} ({event.reason}): the run was ended")
            return
        if at:
            no_longer_under_way(self._run.folder, self._cases[at].case.id)
            try:
                decision = self._crashes.decide(at, machine_lost=event.ended == "node lost")
            except (HarnessTrouble, OSError) as error:
                self._stop(f"a case whose worker died can't be written down ({error}): the run was ended")
                return
            if decision == "given up":
                self._tell_given_up(at)
        if unfinished := tuple(test for test in unit.tests if test not in self._finished):
            self._todo.appendleft(unfinished)

    def _tell_given_up(self, nodeid: str) -> None:
        """An error, like every invalid case, and not a failure."""
        result = self._crashes.given_up[nodeid]
        data = {
            "$report_type": "TestReport",
            "nodeid": nodeid,
            "location": self._locations[nodeid],
            "keywords": {},
            "outcome": "failed",
            "longrepr": result.reason,
            "when": "setup",
            "user_properties": [(PROPERTY, CaseLine.from_result(result).model_dump_json())],
            "sections": [],
            "duration": 0.0,
            "start": 0.0,
            "stop": 0.0,
        }
        report = self._config.hook.pytest_report_from_serializable(config=self._config, data=data)
        self._config.hook.pytest_runtest_logreport(report=report)
        self._ended(nodeid)

    def _stop(self, reason: str) -> None:
        with contextlib.suppress(HarnessTrouble):  # a full disk must not prevent the end
            self._run.stop(reason)
        session = self._config.pluginmanager.getplugin("session")
        session.shouldstop = session.shouldstop or reason


def _end_if_asked(session: Any) -> None:
    """Raise what ends the session if no more tests may run, because of `-x`, `--maxfail` or another plugin."""
    if session.shouldfail:
        raise session.Failed(session.shouldfail)
    if session.shouldstop:
        raise session.Interrupted(session.shouldstop)
