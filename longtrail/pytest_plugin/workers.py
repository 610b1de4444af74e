"""Workers: how the controller of a session with xdist handles workers that crash or make no progress.

`crashes.py` decides what happens to the case that a crashed worker was playing. A run in which workers only crash, or
nothing happens, is ended with one line.
"""

import contextlib
import os
import signal
import threading
from dataclasses import dataclass
from typing import Any

from pluggy import HookimplMarker

from longtrail.errors import HarnessTrouble
from longtrail.options.plan import unit_of
from longtrail.pytest_plugin.crashes import CrashTracker
from longtrail.pytest_plugin.remote.engine import ToPlay
from longtrail.pytest_plugin.scheduling import CrashDecision, UnitScheduling
from longtrail.report.progress import PROPERTY, CaseLine
from longtrail.runs.under_way import end_session

hookimpl = HookimplMarker("pytest")
IDLE = 180
"""The run ends after this many seconds without a sign of any worker and without a running case."""


class RunEnded(KeyboardInterrupt):
    """The whole run ends: xdist's test loop is left."""


@dataclass(frozen=True)
class Xdist:
    """xdist's workers on this machine: see `Engine`."""

    workers: int

    def check(self) -> None:
        """xdist itself has started them."""

    def plugin(self, to_play: ToPlay) -> "Workers":
        """Does what xdist's own test loop doesn't."""
        return Workers(to_play, self.workers)


class Workers:
    """Hooks for one session's workers."""

    def __init__(self, to_play: ToPlay, workers: int) -> None:
        self._run, self._tests, self._workers = to_play.run, to_play.tests, workers
        self._max_failures: int = to_play.config.getoption("maxfail")
        self._crashes = CrashTracker(self._run, to_play.options, to_play.tests, workers)
        self._running: set[str] = set()
        self._finished: set[str] = set()
        self._failures = self._idle = 0
        self._pids: dict[Any, int] = {}
        self._manager: Any = None
        """What ends xdist's workers."""
        self._reason = ""
        """Why the run was ended here."""
        self._over = threading.Event()
        threading.Thread(target=self._watch, name="longtrail-watchdog", daemon=True).start()

    def scheduler(self) -> UnitScheduling:
        """How xdist gives tests to the workers of this session."""
        units = {nodeid: unit_of(planned) for nodeid, planned in self._tests.items()}
        return UnitScheduling(self._workers, units, self._decide)

    def collected(self, node: Any, pid: int) -> None:
        """A worker has collected. `pid`: of its process."""
        self._idle, self._manager = 0, node.nodemanager
        if node.gateway.spec.popen:
            self._pids[node] = pid

    @hookimpl(optionalhook=True)
    def pytest_testnodeready(self, node: Any) -> None:
        self._idle, self._manager = 0, node.nodemanager

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._running.add(nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """After `-x`, xdist lets every worker finish the tests that it has. Their cases would be played and paid for,
        so the workers are told that the session ends."""
        self._failures += report.failed
        if self._max_failures and self._failures >= self._max_failures:
            end_session(self._run.folder)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self._running.discard(nodeid)
        self._finished.add(nodeid)
        self._idle = 0
        self._crashes.test_finished()

    @hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        pid = self._pids.pop(node, None)
        if not error:
            return
        self._idle = 0
        _kill(pid)  # it may only have lost its connection
        if reason := self._crashes.worker_crashed():
            self._stop(reason)
        if reason := self._reason or self._run.stop_reason:
            raise RunEnded(reason)  # otherwise xdist starts another worker

    def _decide(self, nodeid: str) -> CrashDecision:
        """What happens to the test that a crashed worker was running."""
        begun = nodeid in self._running
        self._running.discard(nodeid)
        if nodeid in self._finished:
            return "finished"
        if nodeid not in self._tests:
            return "given up" if begun else "again"
        if not begun:
            return "again"
        try:
            return self._crashes.decide(nodeid)
        except (HarnessTrouble, OSError) as error:
            self._stop(f"the record of a case whose worker died can't be written ({error})")
            return "given up"

    @hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem: str, report: Any) -> None:
        """A case that was given up is an error, not a failure, like every invalid case."""
        result = self._crashes.given_up.get(crashitem)
        if result is not None:
            report.when, report.longrepr = "setup", result.reason
            report.user_properties.append((PROPERTY, CaseLine.from_result(result).model_dump_json()))

    def _watch(self) -> None:
        """It counts seconds instead of reading a clock, because a suspended machine is not idle."""
        while not self._over.wait(1.0):
            self._idle = 0 if self._running else self._idle + 1
            if self._idle >= IDLE:
                self._stop(f"no worker responded for {IDLE} seconds, and no case was running")
                self._manager.teardown_nodes()  # xdist then reports crashes, in the main thread
                return

    def _stop(self, reason: str) -> None:
        """End the run in every worker."""
        self._reason = f"{reason}: the run was ended"
        with contextlib.suppress(HarnessTrouble):  # a full disk must not prevent the end
            self._run.stop(self._reason)

    @hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """End the workers before anything collects what they wrote: after Ctrl-C they are still playing."""
        self._over.set()
        end_session(self._run.folder)
        if self._manager is not None:
            self._manager.teardown_nodes()


def _kill(pid: int | None) -> None:
    if pid is not None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
