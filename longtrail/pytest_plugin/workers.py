"""Workers: how the controller of a session with xdist handles workers that crash or make no progress.

`CrashTracker` decides what happens to the case that a crashed worker was playing. A run in which workers only crash, or
nothing happens, is ended with one line.
"""

import contextlib
import os
import signal
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pluggy import HookimplMarker

from longtrail.agents.spec import AgentSpec
from longtrail.errors import HarnessTrouble
from longtrail.options.plan import contender_of, unit_of
from longtrail.options.run_options import Options
from longtrail.pytest_plugin.remote.engine import ToPlay
from longtrail.pytest_plugin.saved_case import save_result
from longtrail.pytest_plugin.scheduling import CrashDecision, Repeats, UnitScheduling
from longtrail.records.case import LONG
from longtrail.records.result import Result
from longtrail.records.trajectory import Contender, End, Provenance, Trajectory, Trouble
from longtrail.report.progress import PROPERTY, CaseLine
from longtrail.runs.store import Run
from longtrail.runs.under_way import end_session
from longtrail.tasks.cases import PlannedCase
from longtrail.tasks.loading import checksum

hookimpl = HookimplMarker("pytest")
IDLE = 180
"""The run ends after this many seconds without a sign of any worker and without a running case."""


class RunEnded(KeyboardInterrupt):
    """The whole run ends: xdist's test loop is left."""


@dataclass(frozen=True)
class Xdist:
    """xdist's workers on this machine: see `WorkerPool`."""

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
        self.repeats: Repeats | None = None
        """Of a sequential run."""
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
        return UnitScheduling(self._workers, units, self._decide, self.repeats)

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
        self._finished.discard(nodeid)  # it was held for a later repeat before

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


CRASHES_IN_A_ROW = 12
"""This many workers (or four times their number, if that is more) may crash without a finished case in between."""
MAX_CRASHES = 3
"""After this many crashes of its worker, a case is not played again in this session."""
CRASHED = "the worker ended while playing the case: it was killed, ran out of memory, or the agent's code ended it"


class CrashTracker:
    """The crashes of one session's workers."""

    def __init__(self, run: Run, options: Options, cases: Mapping[str, PlannedCase], workers: int) -> None:
        """`cases`: by node id of the tests that play them."""
        self._run, self._options, self._cases, self._workers = run, options, cases, workers
        self._crashes: Counter[str] = Counter()
        self._in_a_row = 0
        self.given_up: dict[str, Result] = {}
        """Node id of a test that is not run again -> its case's result."""

    def test_finished(self) -> None:
        """The run makes progress."""
        self._in_a_row = 0

    def worker_crashed(self) -> str:
        """Count a crash. Returns why the run must end, or an empty text."""
        self._in_a_row += 1
        if self._in_a_row < max(CRASHES_IN_A_ROW, 4 * self._workers):
            return ""
        return f"{self._in_a_row} workers ended one after the other, and no case was finished in between"

    def decide(self, nodeid: str, *, machine_lost: bool = False) -> CrashDecision:
        """What happens to the test that was running. Raises HarnessTrouble, OSError if the record can't be written."""
        planned = self._cases[nodeid]
        if machine_lost or self._run.valid_episode(planned.case.id) is not None:
            return "again"  # a worker that finds the record reports it, and plays nothing
        self._crashes[nodeid] += 1
        contender = contender_of(planned, self._options)
        self.given_up[nodeid] = record_crash(planned, contender, self._run, self._options)
        spec = AgentSpec.parse(contender.agent)
        ran_its_code = spec.trust() == "in-process" and not spec.built_in
        return "given up" if ran_its_code or self._crashes[nodeid] >= MAX_CRASHES else "again"


def record_crash(planned: PlannedCase, contender: Contender, run: Run, options: Options) -> Result:
    """Write an invalid attempt (`worker_crash`) after those that the worker wrote, and its result."""
    case, manifest = planned.case, run.manifest
    trajectory = Trajectory(
        case=case,
        contender=contender,
        attempt=1 + max(run.episode_files(case.id), default=-1),
        provenance=Provenance(
            longtrail=manifest.longtrail,
            data=manifest.data,
            task=checksum(planned.task),
            web=options.web,
            seed=options.seed,
        ),
        prompt="",
        ends=(End(reason="trouble", phase="a1" if case.suite in LONG else "main", detail=CRASHED),),
        trouble=Trouble(kind="worker_crash", message=CRASHED),
    )
    run.write_episode(trajectory)
    return save_result(trajectory, planned.task, run)
