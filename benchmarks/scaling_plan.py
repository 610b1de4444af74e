"""The cost of the session itself in a large run: `python -m benchmarks.scaling plan`.

Ten tasks are played once under each condition. Then they are planned with many repeats, and an engine without
workers returns the recorded episodes under each case's name, so the remaining cost is the session's own.
"""

import resource
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.scaling import ROOT, done, memory_mb, play
from longtrail.llm.call_book import CallBook
from longtrail.pytest_plugin import evaluation
from longtrail.pytest_plugin.remote.engine import Event, Setup, Unit, WorkerMessage
from longtrail.pytest_plugin.remote.outbox import Outbox
from longtrail.report.progress import PROPERTY, CaseLine
from longtrail.report.trace.page import write_steps
from longtrail.runs.rescore import ScoredCases
from longtrail.runs.store import Run
from longtrail.tasks.loading import load_tasks

WORKERS = 64
TASKS = tuple(word for number in range(20, 30) for word in ("--task", f"pw-0{number}"))


class Played:
    """An engine whose workers have played everything beforehand."""

    def __init__(self, recorded: Run, scratch: Path) -> None:
        self._episodes = {_without_repeat(episode.case.id): episode for episode in recorded.episodes()}
        self._tasks = load_tasks()
        self._scratch, self._recorded = scratch, recorded
        self._events: deque[Event] = deque()
        self.workers = self.idle = WORKERS
        self.seconds = self.cpu = 0.0
        """Of this engine's own work, which is no part of the session's."""

    def check(self) -> None:
        """Every run can be played here."""

    def start(self, setup: Setup, calls: CallBook) -> None:  # noqa: ARG002
        """A folder to write episodes in."""
        for part in ("episodes", "results"):
            (self._scratch / part).mkdir(parents=True)
        for name, data in setup.files.items():
            (self._scratch / name).write_bytes(data)
        self._run = Run.open(self._scratch)
        self._scored = ScoredCases(self._run, self._tasks)
        self._outbox = Outbox(self._scratch)

    def submit(self, unit: Unit) -> None:
        """Everything of it at once."""
        begin, cpu = time.perf_counter(), time.process_time()
        for test in unit.tests:
            name = test[test.rfind("[") + 1 : -1]  # the parameter at the end of the node id
            episode = self._episodes[_without_repeat(name)]
            case = episode.case.model_copy(update={"id": name, "repeat": int(name.rpartition("-r")[2])})
            episode = episode.model_copy(update={"case": case})
            self._run.write_episode(episode)
            write_steps(episode, self._run.folder)
            line = CaseLine.from_result(self._scored.score(episode)).model_dump_json()
            reports = tuple(_report(test, when, line) for when in ("setup", "call", "teardown"))
            self._events.append(Event(unit, WorkerMessage("began", test)))
            self._events.append(Event(unit, WorkerMessage("finished", test, self._outbox.all(), reports)))
        self._events.append(Event(unit, ended="done"))
        self.idle -= 1
        self.seconds += time.perf_counter() - begin
        self.cpu += time.process_time() - cpu

    def events(self, seconds: float) -> Sequence[Event]:  # noqa: ARG002
        """All that there are."""
        found = tuple(self._events)
        self._events.clear()
        self.idle = WORKERS
        return found

    def lose(self, unit: Unit, told: str) -> None:
        """No worker is silent."""

    def waiting(self) -> str:
        """What the engine waits for: nothing here."""
        return ""

    def close(self, reason: str = "") -> Sequence[WorkerMessage]:  # noqa: ARG002
        """Nothing is left."""
        return ()


def _without_repeat(case: str) -> str:
    return case.rpartition("-r")[0]


def _report(test: str, when: str, line: str) -> dict[str, Any]:
    return {
        "$report_type": "TestReport",
        "nodeid": test,
        "location": [test.partition("::")[0], 1, test],
        "keywords": {},
        "outcome": "passed",
        "longrepr": None,
        "when": when,
        "user_properties": [(PROPERTY, line)],
        "sections": [],
        "duration": 0.0,
        "start": 0.0,
        "stop": 0.0,
    }


class Watch:
    """Times the session's loop and its end."""

    def __init__(self) -> None:
        self.loop = self.end = self.cpu = self.end_cpu = 0.0
        self.played = self.ended = 0.0
        """Megabytes."""

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtestloop(self) -> Any:
        begin, cpu = time.perf_counter(), time.process_time()
        found = yield
        self.loop, self.cpu, self.played = time.perf_counter() - begin, time.process_time() - cpu, memory_mb()
        return found

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self) -> Any:
        begin, cpu = time.perf_counter(), time.process_time()
        found = yield
        self.end, self.end_cpu, self.ended = time.perf_counter() - begin, time.process_time() - cpu, memory_mb()
        return found


def plan(reports: Path, planned: int) -> int:
    """Print what the session takes for so many cases."""
    done(play(reports, "recorded", *TASKS))
    recorded = Run.open(reports / "runs" / "recorded")
    engine = Played(recorded, reports / "scratch")
    evaluation.engine_for = lambda *_: engine
    watch, begin = Watch(), time.perf_counter()
    repeats = planned // len(recorded.manifest.cases)
    words = ["benchmark_tests", "-q", *TASKS, "--repeats", str(repeats), "--no-shots", "-p", "no:html"]
    code = pytest.main([*words, f"--reports={reports}", "--run", "large"], plugins=[watch])
    whole = time.perf_counter() - begin
    each, cpu = 1000 * (watch.loop - engine.seconds) / planned, 1000 * (watch.cpu - engine.cpu) / planned
    print(f"{planned} cases, exit code {code:d}: {whole:.0f} s in all, {engine.seconds:.0f} s of them to make episodes")
    print(f"played: {each:.1f} ms a case in the session ({cpu:.1f} ms of CPU)")
    print(f"memory of the session: {watch.played:.0f} MB when the last case was over, {watch.ended:.0f} MB at the end")
    print(f"end: {watch.end:.0f} s to collect all results and write the run's pages ({watch.end_cpu:.0f} s of CPU)")
    large = str(reports / "runs" / "large")
    scores = str(reports / "scores.json")
    for command in (
        ("report", f"--reports={reports}"),
        ("baseline", large, "--out", scores),
        ("compare", large, large),
    ):
        begin, cpu = time.perf_counter(), _children()
        told = subprocess.run([sys.executable, "-m", "longtrail", *command], cwd=ROOT, capture_output=True, check=False)
        spent = f"{time.perf_counter() - begin:.1f} s ({_children() - cpu:.1f} s of CPU)"
        print(f"longtrail {command[0]}: {spent}, exit code {told.returncode}")
    return 0


def _children() -> float:
    """CPU seconds of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
