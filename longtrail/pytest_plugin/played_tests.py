"""Played tests: hooks around each test that plays a case, in the process that plays it.

They end the session when its run ends, note which of our fixtures the project overrides, and remove API keys from
pytest's reports.
"""

import inspect
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from longtrail.errors import UsageError
from longtrail.gate.looks import open_repeats
from longtrail.llm.secrets import SecretFilter, redact
from longtrail.paths import shipped
from longtrail.pytest_plugin.playwright_options import CHANGED
from longtrail.runs.store import Run
from longtrail.runs.under_way import session_over

OVERRIDDEN = "longtrail_overridden"
"""The user property of a test's report that names a fixture of ours which the project overrides."""
CHAIN = frozenset(("prompt", "agent", "first_part", "history", "episode", "result"))
"""Our fixtures that may be overridden, besides those whose names begin with `longtrail_`."""
NOT_NEEDED = "this repeat is not needed: the gate's verdict stands"


class PlayedTests:
    """Hooks of a process that plays cases."""

    def __init__(self, folder: Path, tests: Collection[str]) -> None:
        """`folder`: of the run. `tests`: node ids of the tests that play a case."""
        self._folder, self._tests = folder, tests
        self._overridden: dict[str, None] = {}

    def pytest_fixture_setup(self, fixturedef: Any) -> None:
        """Note a fixture with one of our names that is not ours."""
        name: str = fixturedef.argname
        if may_be_overridden(name) and not _is_ours(fixturedef.func):
            self._overridden[name] = None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, object, object]:
        """The fixtures of a test play its case."""
        if item.nodeid not in self._tests:
            return (yield)
        self._overridden.clear()
        try:
            with self._ends_with_its_run(item.session):
                return (yield)
        finally:
            changed = item.config.stash.get(CHANGED, ())
            item.user_properties += [(OVERRIDDEN, name) for name in (*self._overridden, *changed)]

    @contextmanager
    def _ends_with_its_run(self, session: pytest.Session) -> Iterator[None]:
        """The only way in which a session ends early: one line and exit code 4, in every worker.

        The run's stop file signals it (`Run.stop` writes it, `Run.stop_reason` reads it). Agent loops and limits of
        model calls check it while they work and give up. This ends the process's session if the file exists before or
        after a case. A UsageError during a case concerns the whole run, so it is written to the file for all workers. A
        worker also ends if its session does (`-x`), without a line of its own.
        """
        run = Run.open(self._folder)
        self._end_if_stopped(session, run)
        try:
            yield
        except UsageError as error:
            run.stop(str(error))
        self._end_if_stopped(session, run)

    def _end_if_stopped(self, session: pytest.Session, run: Run) -> None:
        worker = hasattr(session.config, "workerinput")
        reason = run.stop_reason or ("the session ends" if worker and session_over(run.folder) else "")
        if reason:
            if worker:
                session.shouldstop = reason  # the controller reads from this why a worker ended
            pytest.exit(reason, returncode=4)


class NeededTests:
    """Hooks of a worker. xdist begins a test only when it knows the next one, so a worker has a test of the next repeat
    before it is known whether that is played."""

    def __init__(self, folder: Path, repeats: Mapping[str, int]) -> None:
        """`repeats`: node id of each test that plays a case -> the number of its repeat."""
        self._folder, self._repeats = folder, repeats

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if self._repeats.get(item.nodeid, 0) >= open_repeats(self._folder):
            pytest.skip(NOT_NEEDED)


class CaseReports:
    """Hooks of a session that plays cases; registered when that is known."""

    def __init__(self, nodeids: frozenset[str]) -> None:
        """`nodeids`: the ids of the tests that play a case. Reports of other tests are not changed."""
        self._nodeids = nodeids

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: Any) -> Generator[None, Any, Any]:
        """Remove keys from a report: from logs, output and variables in tracebacks."""
        report = yield
        if item.nodeid in self._nodeids:
            report.sections = [(name, redact(text)) for name, text in report.sections]
            if report.longrepr is not None and redact(text := str(report.longrepr)) != text:
                report.longrepr = redact(text)
        return report


def no_keys_in_reports(config: Any, nodeids: Iterable[str]) -> None:
    """Register the hooks for the tests that play a case. `config`: pytest's."""
    config.pluginmanager.register(CaseReports(frozenset(nodeids)), "longtrail-reports")


def no_keys_in_logs(config: Any) -> None:
    """Remove keys from the records that pytest's log handlers get."""
    logs = config.pluginmanager.getplugin("logging-plugin")
    for handler in (logs.caplog_handler, logs.report_handler, logs.log_file_handler, logs.log_cli_handler):
        handler.addFilter(SecretFilter())


def may_be_overridden(name: str) -> bool:
    """Whether a fixture of ours may have this name."""
    return name in CHAIN or name.startswith("longtrail_")


def _is_ours(function: Any) -> bool:
    try:
        return Path(inspect.getfile(inspect.unwrap(function))).parent == shipped("fixtures")
    except TypeError:  # no Python function
        return False
