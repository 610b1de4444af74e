"""Workers: how the controller of a session with xdist handles workers that die or make no progress.

The case that a dead worker was playing is recorded as invalid (`worker_crash`). It is played again, at most twice, if
the worker ran no code of the agent. Otherwise the agent may have ended the worker, and the case stays invalid. A run
with only crashes or without progress is ended with one line.
"""

import contextlib
import os
import signal
import threading
from collections import Counter
from collections.abc import Sequence
from typing import Any

from pluggy import HookimplMarker

from longtrail.agents.spec import AgentSpec
from longtrail.errors import HarnessTrouble
from longtrail.options.plan import contender_of
from longtrail.options.run_options import Options
from longtrail.pytest_plugin.crash_record import record_crash
from longtrail.pytest_plugin.scheduling import Fate, FirstPartsTogether, units
from longtrail.records.result import Result
from longtrail.report.case_line import PROPERTY, CaseLine
from longtrail.runs.store import Run
from longtrail.tasks.cases import Planned, case_name

hookimpl = HookimplMarker("pytest")
IDLE = 180
"""The run ends after this many seconds without a message from any worker and without a running case."""
CRASHES_IN_A_ROW = 12
"""The number of workers (or four times the number of workers, if that is more) that may die in a row without a
finished case."""
MAX_CRASHES = 3
"""A case whose workers died this many times is not played again in this session."""


class Workers:
    """Hooks for one session's workers."""

    def __init__(
        self, config: Any, run: Run, options: Options, cases: Sequence[Planned], nodeids: Sequence[str]
    ) -> None:
        """Called before any test is assigned. Sets the maximum number of worker restarts, unless the user set it, and
        our scheduling."""
        self._run, self._options = run, options
        known = {planned.case.id: planned for planned in cases}
        self._known = {nodeid: known[case_name(nodeid)] for nodeid in nodeids}
        self._under_way: set[str] = set()
        self._finished: set[str] = set()
        self._crashes: Counter[str] = Counter()
        self._given_up: dict[str, Result] = {}
        self._in_a_row = 0
        self._idle = 0
        self._pids: dict[Any, int] = {}
        self._session: Any = config.pluginmanager.getplugin("dsession")
        self._over = threading.Event()
        if not config.option.maxworkerrestart:
            self._session._max_worker_restart = None
        scheduler = FirstPartsTogether(config, self._session.log, units(cases), self._fate)
        for node in self._session.sched.nodes:
            scheduler.add_node(node)
            self._know(node)
        self._session.sched = scheduler
        threading.Thread(target=self._watch, name="longtrail-watchdog", daemon=True).start()

    @hookimpl(optionalhook=True)
    def pytest_testnodeready(self, node: Any) -> None:
        self._idle = 0
        self._know(node)

    def _know(self, node: Any) -> None:
        if node.gateway.spec.popen:
            self._pids[node] = int(node.gateway._rinfo().pid)

    @hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self) -> None:
        self._idle = 0

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._under_way.add(nodeid)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self._under_way.discard(nodeid)
        self._finished.add(nodeid)
        self._in_a_row = self._idle = 0

    @hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        pid = self._pids.pop(node, None)
        if not error:
            return
        self._idle = 0
        _kill(pid)  # it may only have lost its connection
        self._in_a_row += 1
        if self._in_a_row >= max(CRASHES_IN_A_ROW, 4 * len(self._session.config.option.tx)):
            self._end(f"{self._in_a_row} workers ended in a row without a finished case")

    def _fate(self, nodeid: str) -> Fate:
        """What happens to the test that a dead worker was playing."""
        begun = nodeid in self._under_way
        self._under_way.discard(nodeid)
        planned = self._known.get(nodeid)
        if nodeid in self._finished:
            return "finished"
        if planned is None:
            return "given up" if begun else "again"
        if not begun or self._run.recorded(planned.case.id) is not None:
            return "again"  # a worker that finds the record reports it and plays nothing
        self._crashes[nodeid] += 1
        contender = contender_of(planned, self._options)
        try:
            self._given_up[nodeid] = record_crash(planned, contender, self._run, self._options)
        except (HarnessTrouble, OSError) as error:
            self._end(f"the record of a case whose worker died can't be written ({error})")
            return "given up"
        spec = AgentSpec.parse(contender.agent)
        its_code = spec.trust() == "in-process" and not spec.built_in
        return "given up" if its_code or self._crashes[nodeid] >= MAX_CRASHES else "again"

    @hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem: str, report: Any) -> None:
        """Report a case that was given up as an error, not a failure, like every invalid case."""
        result = self._given_up.get(crashitem)
        if result is not None:
            report.when, report.longrepr = "setup", result.reason
            report.user_properties.append((PROPERTY, CaseLine.from_result(result).model_dump_json()))

    def _watch(self) -> None:
        """It counts seconds instead of reading a clock, because a suspended machine is not idle."""
        while not self._over.wait(1.0):
            self._idle = 0 if self._under_way else self._idle + 1
            if self._idle >= IDLE:
                self._end(f"no worker responded for {IDLE} seconds, and no case was running")
                for pid in list(self._pids.values()):
                    _kill(pid)
                return

    def _end(self, reason: str) -> None:
        """End the run in every worker, without replacements."""
        told = f"{reason}: the run was ended"
        with contextlib.suppress(HarnessTrouble):  # a full disk must not prevent the end
            self._run.stop(told)
        self._session.shouldstop = self._session.shouldstop or told
        self._session._max_worker_restart = 0

    @hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        self._over.set()


def _kill(pid: int | None) -> None:
    if pid is not None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
