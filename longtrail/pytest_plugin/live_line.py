"""Live line: one line with a session's progress, redrawn on a terminal, printed at intervals elsewhere."""

import contextlib
import io
import os
import shutil
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pluggy import HookimplMarker

from longtrail.errors import HarnessTrouble
from longtrail.llm.call_book import FILE, CallBook
from longtrail.llm.limits import CallLimits
from longtrail.report.progress import CaseLine, RunProgress, limits_line, progress_line
from longtrail.report.text import clip, plain
from longtrail.runs.under_way import read_under_way

hookimpl = HookimplMarker("pytest")
EVERY_SECONDS = 10.0
"""How often the line is printed without a terminal."""
SILENCE = 60.0
"""After so many seconds in which no case ended, it is printed without a terminal, too."""
REDRAWN = 1.0
"""Seconds between two redraws on a terminal; steps change while no case ends."""


class LiveLine:
    """Hooks of one session. Other objects also read `progress`."""

    def __init__(self, run: Path, cases: Mapping[str, str], places: int, limits: CallLimits | None = None) -> None:
        """`run`: the run's folder, which shows running cases and model calls. `cases`: node id of each test that plays
        a case -> the case. `places`: how many cases may run at once."""
        self._limits = limits or CallLimits()
        self._cases = cases
        self.progress = RunProgress(workers=places)
        self._run = run
        self._running: dict[str, None] = {}
        self._started = self._printed = time.monotonic()
        self._writing = threading.Lock()
        self._over = threading.Event()
        self._out: Any = sys.__stdout__ or sys.stdout
        self._copies = contextlib.ExitStack()

    def begin(self, total: int) -> None:
        """Set the number of cases to play. A sequential run calls it again for each further repeat."""
        begins, self.progress.total = self._over.is_set() or not self.progress.total, total
        self._over.clear()
        if begins:
            with contextlib.suppress(io.UnsupportedOperation):
                self._out = self._copies.enter_context(_copy(self._out))
            threading.Thread(target=self._redraw, name="longtrail-live-line", daemon=True).start()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        if nodeid in self._cases:
            self._running[self._cases[nodeid]] = None

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self._running.pop(self._cases.get(nodeid, ""), None)

    def pytest_runtest_logreport(self, report: Any) -> None:
        line = CaseLine.of(report.user_properties)
        if line is not None and line.id not in self.progress.lines:
            self._running.pop(line.id, None)
            self.progress.add(line, time.monotonic() - self._started)
            self.show(last=len(self.progress.lines) == self.progress.total)

    @hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        self._over.set()
        with self._writing:
            self._copies.close()

    def show(self, *, last: bool = False) -> None:
        now = time.monotonic()
        with self._writing:
            if last:
                self._over.set()
            out = self._out
            if out.closed:
                return
            if out.isatty():
                width = shutil.get_terminal_size().columns - 1
                line = clip(self._text(now), width)
                out.write(f"\r\x1b[2K{line}" + ("\n" if last else ""))
            elif last or now - self._printed >= EVERY_SECONDS:
                self._printed = now
                out.write(f"\n{self._text(now)}\n")
            out.flush()

    def _text(self, now: float) -> str:
        steps = {case: mark.steps for case, mark in read_under_way(self._run).items()}
        running = {case: steps.get(case, 0) for case in list(self._running)}
        calls = ""
        with contextlib.suppress(HarnessTrouble):  # a damaged book is told by the calls that need it
            calls = limits_line(CallBook(self._run).state(), self._limits) if (self._run / FILE).exists() else ""
        return plain(progress_line(self.progress, now - self._started, running, calls))

    def _redraw(self) -> None:
        terminal = self._out.isatty()
        while not self._over.wait(REDRAWN):
            if terminal or time.monotonic() - self._printed >= SILENCE:
                self.show()


def _copy(out: Any) -> Any:
    """The same terminal: while a test runs, pytest points the descriptor of standard output elsewhere."""
    return os.fdopen(os.dup(out.fileno()), "w", encoding=out.encoding, errors=out.errors)
