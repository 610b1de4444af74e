"""Remote worker: a process of a cluster that plays units with the code that plays cases everywhere.

It runs its own pytest session in a thread, as xdist's workers do: the same command, the same tests, the same fixtures.
The session writes into a temporary run folder; each message brings its new files to the controller. An engine makes
one worker in a process and calls it from other threads.
"""

import contextlib
import io
import itertools
import os
import queue
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import pytest

from longtrail.browser.engine import PREFIX
from longtrail.llm.limits import CallStore
from longtrail.options.flags import FLAGS
from longtrail.pytest_plugin.remote.engine import Setup, Unit, WorkerMessage
from longtrail.pytest_plugin.remote.outbox import Outbox
from longtrail.pytest_plugin.remote.setup import OF_THE_SESSION
from longtrail.pytest_plugin.xdist_start import CALLS, SETUP, WorkerSetup
from longtrail.runs.store import Run

UPDATE_INTERVAL = 2.0
"""Seconds between two updates about a running case."""
EXPECTED_WARNING = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
"""pytest's warning that our plugin was imported before it began is expected."""
_Ended = Literal["ended"]


class RemoteWorker:
    """The worker of one process."""

    def __init__(self, setup: Setup, name: str, root: Path, calls: CallStore) -> None:
        """`name`: unique among the run's workers. `root`: where the project's folder is here. Begins to collect."""
        os.environ.update(setup.environment)
        os.environ["PYTEST_XDIST_WORKER"] = name
        os.chdir(root / setup.folder)
        if os.getcwd() not in sys.path:
            sys.path.insert(0, os.getcwd())
        prefix = f"{PREFIX}{os.getpid()}-{name}-"  # if this process is killed, the next browser here removes it
        self._files = tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True)
        self.folder = Path(self._files.name) / "runs" / setup.run
        for part in ("episodes", "results", "shots", "traces"):
            (self.folder / part).mkdir(parents=True)
        for file, data in setup.files.items():
            (self.folder / file).write_bytes(data)
        self._outbox = Outbox(self.folder)
        self._messages: queue.SimpleQueue[WorkerMessage | _Ended] = queue.SimpleQueue()
        self._session = _InnerSession(setup, name, Path(self._files.name), calls, self._outbox, self._messages)
        words = [*setup.args, *EXPECTED_WARNING]
        self._thread = threading.Thread(target=self._run, args=(words,), name="longtrail-session", daemon=True)
        self._thread.start()

    def _run(self, words: list[str]) -> None:
        output = io.StringIO()
        try:
            # Nobody sees its terminal; pytest writes errors of the command line to the other stream.
            with (
                open(os.devnull, "w") as nobody,
                contextlib.redirect_stdout(nobody),
                contextlib.redirect_stderr(output),
            ):
                code = pytest.main(words, plugins=[self._session])
            lines = [line for line in output.getvalue().splitlines() if "error" in line.lower()]
            self._session.problem = self._session.problem or (lines or [f"exit code {code:d}"])[-1]
        finally:
            self._messages.put("ended")

    def play(self, unit: Unit) -> Iterator[WorkerMessage]:
        """Messages while the unit's tests are played; ends after the last test, or with a message `stopped`."""
        self._outbox.put_earlier(unit.files)
        self._session.todo.put(unit.tests)
        left = len(unit.tests)
        while left:
            try:
                message = self._messages.get(timeout=UPDATE_INTERVAL)
            except queue.Empty:
                if new_files := self._outbox.progress_files():
                    yield WorkerMessage("progress", files=new_files)
                continue
            if message == "ended":
                self._messages.put(message)  # for another call
                ended = f"worker {self._session.name} ended: {self._session.problem}"
                reason = Run(self.folder).stop_reason or ended
                yield WorkerMessage("stopped", files=self._outbox.all(), reason=reason)
                return
            if message.kind == "finished":
                left -= 1
            yield message

    def stop(self, reason: str) -> None:
        """Soon end the running unit."""
        Run(self.folder).stop(reason)

    def close(self) -> WorkerMessage:
        """End the session: browser, apps and the project's own fixtures are closed. Returns the last messages."""
        self._session.todo.put(None)
        self._thread.join()
        files = self._outbox.all()
        self._files.cleanup()
        return WorkerMessage("progress", files=files)


class _InnerSession:
    """Hooks of a worker's own pytest session."""

    def __init__(
        self,
        setup: Setup,
        name: str,
        reports: Path,
        calls: CallStore,
        outbox: Outbox,
        messages: "queue.SimpleQueue[WorkerMessage | _Ended]",
    ) -> None:
        self.name, self.problem = name, ""
        self.todo: queue.SimpleQueue[tuple[str, ...] | None] = queue.SimpleQueue()
        self._setup, self._reports, self._calls = setup, reports, calls
        self._outbox, self._messages = outbox, messages
        self._names: dict[str, str] = {}
        """Node id here -> the controller's: a package may lie elsewhere."""
        self._test_reports: list[Any] = []
        self._config: Any = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_cmdline_main(self, config: Any) -> None:
        """Before anything is configured: set that this is a worker, and its temporary run folder."""
        self._config = config
        setup = WorkerSetup(began="", root=str(config.rootpath), report=str(self._reports / "cases.json"))
        config.workerinput = {
            "workerid": self.name,
            "workercount": 1,
            "testrunuid": self._setup.run,
            "mainargv": list(self._setup.args),
            SETUP: setup.to_json(),
            CALLS: self._calls,
        }
        config.workeroutput = {}
        option = config.option
        option.usepdb = False
        for name, value in (("dist", "no"), ("tx", []), ("numprocesses", None)):
            if hasattr(option, name):
                setattr(option, name, value)
        for flag in FLAGS:
            if flag.name in OF_THE_SESSION:
                setattr(option, flag.pytest_option, flag.absent)
        option.longtrail_reports, option.longtrail_run = self._reports, self._setup.run

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Play units until there are no more. Session fixtures stay open in between."""
        items_by_id = {item.nodeid: item for item in session.items}
        while (tests := self.todo.get()) is not None:
            try:
                items = [items_by_id[local_id(test, items_by_id)] for test in tests]
            except LookupError as error:
                self.problem = str(error.args[0])
                return True
            self._names |= {item.nodeid: test for item, test in zip(items, tests, strict=True)}
            after: Sequence[Any] = [*items[1:], session]
            for item, following in zip(items, after, strict=True):
                session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        return True

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._test_reports = []
        self._messages.put(WorkerMessage("began", self._names[nodeid]))

    def pytest_runtest_logreport(self, report: Any) -> None:
        data = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        self._test_reports.append({**data, "nodeid": self._names[report.nodeid]})

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """In the playing thread: no file of the next test exists yet."""
        files = self._outbox.all()
        self._messages.put(
            WorkerMessage("finished", self._names[nodeid], files=files, reports=tuple(self._test_reports))
        )

    def pytest_internalerror(self, excrepr: object) -> None:
        self.problem = str(excrepr).strip().splitlines()[-1]

    def pytest_keyboard_interrupt(self, excinfo: Any) -> None:
        self.problem = str(excinfo.value)


def local_id(test: str, ids: Iterable[str]) -> str:
    """The node id by which a test of the controller is known here. Installed packages may lie in another folder: of the
    files with this name, the one with the most folders in common counts. Raises LookupError."""
    shared: dict[str, int] = {}
    file, _, name = test.partition("::")
    for nodeid in ids:
        if nodeid == test:
            return nodeid
        local_file, _, local_name = nodeid.partition("::")
        if local_name == name and (folders := _common_end(file.split("/"), local_file.split("/"))):
            shared[nodeid] = folders
    best = [nodeid for nodeid, folders in shared.items() if folders == max(shared.values())]
    if not best:
        raise LookupError(f"{test} is not among its tests")
    if len(best) > 1:
        raise LookupError(f"{test} may be any of {', '.join(sorted(best))}")
    return best[0]


def _common_end(first: Sequence[str], second: Sequence[str]) -> int:
    """How many parts at the end of two paths are equal."""
    pairs = zip(reversed(first), reversed(second), strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
