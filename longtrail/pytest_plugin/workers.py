"""Workers: how the controller of a session with xdist handles workers that die or make no progress.

`deaths.py` decides what happens to the case that a dead worker was playing. A run in which workers only die, or nothing
happens, is ended with one line.
"""

import contextlib
import os
import signal
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pluggy import HookimplMarker

from longtrail.errors import HarnessTrouble
from longtrail.pytest_plugin.deaths import Deaths, Fate
from longtrail.pytest_plugin.remote.engine import ToPlay
from longtrail.pytest_plugin.scheduling import FirstPartsTogether
from longtrail.pytest_plugin.units import units
from longtrail.report.progress import PROPERTY, CaseLine
from longtrail.runs.under_way import end_session, no_longer_under_way, play_alone, read_under_way

hookimpl = HookimplMarker("pytest")
IDLE = 180
"""The run ends after this many seconds without a sign of any worker and without a running case."""


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
        """The test loop has begun, and no test is assigned yet. We set how many workers may die, unless the user did,
        and how tests are assigned."""
        config, self._run = to_play.config, to_play.run
        self._known, self._episodes = to_play.by_nodeid(), to_play.options.episodes_per_worker
        self._deaths = Deaths(self._run, to_play.options, self._known, workers)
        self._under_way: set[str] = set()
        self._finished: set[str] = set()
        self._idle = 0
        self._several = False
        """Whether the last worker that died was playing several cases."""
        self._pids: dict[Any, int] = {}
        self._session: Any = config.pluginmanager.getplugin("dsession")
        self._over = threading.Event()
        if not config.option.maxworkerrestart:
            self._session._max_worker_restart = None
        scheduler = FirstPartsTogether(
            config,
            self._session.log,
            units(to_play.cases),
            self._fate,
            self._begun,
            self._session.handle_crashitem,
            self._episodes,
        )
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
        self._idle = 0
        self._deaths.case_finished()
        self._end_with_the_session()

    @hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        pid = self._pids.pop(node, None)
        if not error:
            return
        self._idle = 0
        _kill(pid)  # it may only have lost its connection
        if reason := self._deaths.worker_died():
            self._end(reason)

    def _begun(self, left: Sequence[str]) -> Sequence[str]:
        """Which of these tests a dead worker had begun. Cases that it played before their tests have a mark; the begun
        test may still have been waiting for its case to begin."""
        cases = {nodeid: planned.case.id for nodeid in left if (planned := self._known.get(nodeid))}
        marks = read_under_way(self._run.folder)
        playing = [nodeid for nodeid, case in cases.items() if case in marks] if self._episodes > 1 else []
        for nodeid in playing:
            no_longer_under_way(self._run.folder, cases[nodeid])
        waiting = [nodeid for nodeid in left if nodeid in self._under_way and nodeid not in playing]
        self._several = len(playing) > 1
        self._under_way.update(playing)
        if playing:
            self._under_way.difference_update(waiting)
        return playing or left[:1]

    def _fate(self, nodeid: str) -> Fate:
        """What happens to a test that a dead worker was playing."""
        begun = nodeid in self._under_way
        self._under_way.discard(nodeid)
        if nodeid in self._finished:
            return "finished"
        if nodeid not in self._known:
            return "given up" if begun else "again"
        if not begun:
            return "again"
        try:
            fate = self._deaths.fate(nodeid, several=self._several)
            if fate == "again" and self._several and self._deaths.suspected(nodeid):
                play_alone(self._run.folder, self._known[nodeid].case.id)
            return fate
        except (HarnessTrouble, OSError) as error:
            self._end(f"the record of a case whose worker died can't be written ({error})")
            return "given up"

    @hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem: str, report: Any) -> None:
        """A case that was given up is an error, not a failure, like every invalid case."""
        result = self._deaths.given_up.get(crashitem)
        if result is not None:
            report.when, report.longrepr = "setup", result.reason
            report.user_properties.append((PROPERTY, CaseLine.from_result(result).model_dump_json()))

    def _watch(self) -> None:
        """It counts seconds instead of reading a clock, because a suspended machine is not idle."""
        while not self._over.wait(1.0):
            self._end_with_the_session()
            self._idle = 0 if self._under_way else self._idle + 1
            if self._idle >= IDLE:
                self._end(f"no worker responded for {IDLE} seconds, and no case was running")
                for pid in list(self._pids.values()):
                    _kill(pid)
                return

    def _end_with_the_session(self) -> None:
        """After `-x`, xdist lets every worker finish the tests that it has. Their cases would be played and paid for,
        so workers are told."""
        if self._session.shouldstop:
            end_session(self._run.folder)

    def _end(self, reason: str) -> None:
        """End the run in every worker, without replacements."""
        told = f"{reason}: the run was ended"
        with contextlib.suppress(HarnessTrouble):  # a full disk must not prevent the end
            self._run.stop(told)
        self._session.shouldstop = self._session.shouldstop or told
        self._session._max_worker_restart = 0

    @hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """End the workers before anything collects what they wrote: after Ctrl-C they are still playing."""
        self._over.set()
        end_session(self._run.folder)
        self._session.nodemanager.teardown_nodes()


def _kill(pid: int | None) -> None:
    if pid is not None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
