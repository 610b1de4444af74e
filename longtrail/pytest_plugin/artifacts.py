"""Artifacts: keeps the copy of a run at an address up to date during the run (`--reports s3://...`).

A thread of the controller sends new files after each case, one delivery at a time, so a slow store delays no case.
Failed deliveries are repeated; at the end of the session everything must be sent.
"""

import threading
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from pluggy import HookimplMarker

from longtrail.errors import HarnessTrouble, UsageError

if TYPE_CHECKING:
    from longtrail.runs.object_store import Mirror

hookimpl = HookimplMarker("pytest")
PAUSE = 5.0
"""Seconds before a failed delivery is repeated."""
DELIVERY_SECONDS = 300.0
"""Seconds without a delivery after which the end of the session no longer waits for the store."""


class Artifacts:
    """Hooks of one session's copy."""

    def __init__(self, mirror: "Mirror", patience: float = DELIVERY_SECONDS) -> None:
        """Send the new or reopened run. Raises UsageError if the address can't be written."""
        self._mirror, self._patience = mirror, patience
        self.unsent = f"{mirror.address}: sending ended unexpectedly"
        """Why the copy is not complete at the end of the session."""
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
            if self._problem():
                self._over.wait(PAUSE)
                self._more.set()
        self.unsent = self._problem()

    def _problem(self) -> str:
        """Send what is new. Returns why it could not be sent, or an empty text."""
        try:
            self._mirror.push()
        except (HarnessTrouble, OSError) as error:
            return str(error)
        return ""

    @hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: Any) -> Generator[None, Any, Any]:
        """An outer wrapper: at this point results, pages and the gate's report are written."""
        done = yield
        self._over.set()
        self._more.set()
        self._wait()
        terminal = session.config.pluginmanager.getplugin("terminalreporter")
        if self.unsent:
            session.exitstatus = 4
            again = f"--resume={self._mirror.folder.name} sends what is missing"
            terminal.write_line(f"\n{self.unsent}; the whole run is in {self._mirror.folder}: {again}", red=True)
        else:
            terminal.write_line(f"\ncopy:        {self._mirror.address}")
        return done

    def _wait(self) -> None:
        """Until everything is sent, or the store has taken nothing for a while."""
        while self._thread.is_alive():
            before = self._mirror.deliveries
            self._thread.join(self._patience)
            if self._thread.is_alive() and self._mirror.deliveries == before:
                self.unsent = f"{self._mirror.address} has not answered for {self._patience:g} s"
                return
