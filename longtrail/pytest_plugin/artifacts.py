"""Artifacts: keeps the copy of a run at an address up to date during the run (`--reports s3://...`).

A thread of the controller sends new files after each case, one delivery at a time, so a slow store delays no case.
Failed deliveries are repeated; at the end of the session everything must be sent.
"""

import threading
from collections.abc import Generator
from typing import Any

from pluggy import HookimplMarker

from longtrail.errors import HarnessTrouble, UsageError
from longtrail.runs.object_store import Mirror

hookimpl = HookimplMarker("pytest")
PAUSE = 5.0
"""Seconds before a failed delivery is repeated."""


class Artifacts:
    """Hooks of one session's copy."""

    def __init__(self, mirror: Mirror) -> None:
        """Send the new or reopened run. Raises UsageError if the address can't be written."""
        self._mirror = mirror
        try:
            mirror.push()
        except HarnessTrouble as error:
            raise UsageError(error.message) from error
        self._more, self._over = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._keep_in_step, name="longtrail-artifacts", daemon=True)
        self._thread.start()

    def pytest_runtest_logfinish(self) -> None:
        self._more.set()

    def _keep_in_step(self) -> None:
        while not self._over.is_set():
            self._more.wait()
            self._more.clear()
            try:
                self._mirror.push()
            except (HarnessTrouble, OSError):
                self._over.wait(PAUSE)
                self._more.set()

    @hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: Any) -> Generator[None, Any, Any]:
        """The outermost wrapper: at this point results, pages and the gate's report are written."""
        done = yield
        self._over.set()
        self._more.set()
        self._thread.join()
        terminal = session.config.pluginmanager.getplugin("terminalreporter")
        try:
            self._mirror.push()
        except (HarnessTrouble, OSError) as error:
            session.exitstatus = 4
            again = f"--resume={self._mirror.folder.name} sends what is missing"
            terminal.write_line(f"\n{error}; the whole run is in {self._mirror.folder}: {again}", red=True)
        else:
            terminal.write_line(f"\ncopy:        {self._mirror.address}")
        return done
