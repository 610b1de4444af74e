"""Own apps: opens the apps of a worker's tasks: starts each command once, and waits until the app answers."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from filelock import FileLock

from longtrail.episode.open_app import Hook, OpenApp, environment, filled
from longtrail.episode.webarena_log_in import KINDS, SITES, VERIFY_CERTIFICATES
from longtrail.errors import HarnessTrouble, UsageError
from longtrail.tasks.app_task import App, AppTask
from longtrail.tasks.loading import apps_of
from longtrail.tasks.task import Task

READY_SECONDS = 120.0
"""Time limit for an app to answer its first request."""
STOP_SECONDS = 5.0


@dataclass
class OwnApps:
    """The open apps of one worker. Always close it."""

    folder: Path
    """The folder to which the apps' paths are relative."""
    worker: str
    shared: Path
    """A folder that all workers of a run see."""
    find: Callable[[str], Hook]
    """Finds a function of the user's by its path."""
    _started: dict[str, tuple[OpenApp, "subprocess.Popen[bytes]", IO[bytes]]] = field(default_factory=dict)

    def site(self, suite: str, address: str) -> OpenApp:
        """A WebArena site at the user's own address, for a suite's tasks. Its hooks come from the app with the suite's
        name in `apps.yaml`, if there is one."""
        known = SITES[suite]
        named = apps_of(self.folder).get(suite)
        app = App(name=suite, address=address, login=known.kind) if named is None else named
        return replace(self._shared(app, address), home=known.home)

    def opened(self, app: App, fixture: Callable[[str], Any], address: str = "") -> OpenApp:
        """An app that is ready. `fixture` returns a fixture's value; `address`, if given, replaces the app's own.

        Raises UsageError for an app that can't be opened, HarnessTrouble(site_error) for one that does not answer.
        """
        if address:
            return self._shared(app, address)
        if app.fixture:
            given = fixture(app.fixture)
            return self._open(app, str(getattr(given, "url", given)), self._values())
        return self._shared(app, app.address) if app.address else self._running(app)

    def _shared(self, app: App, address: str) -> OpenApp:
        values = self._values()
        _wait(lambda: "", address, app.ready if app.address else "")
        opened = self._open(app, address, values)
        name = "".join(c if c.isalnum() else "-" for c in address)
        lock = nullcontext() if app.parallel else FileLock(self.shared / f".app-{name}.lock", thread_local=False)
        return replace(opened, turn=lock)

    def _open(self, app: App, address: str, values: Mapping[str, str]) -> OpenApp:
        if not address.startswith(("http://", "https://")):
            raise UsageError(f"app: expected an http or https address, got {address!r}")
        return OpenApp(app, address.rstrip("/"), self.folder, values, find=self.find)

    def _running(self, app: App) -> OpenApp:
        key = app.model_dump_json()
        if key in self._started and self._started[key][1].poll() is not None:
            self._end(key)
        if key not in self._started:
            self._started[key] = self._start(app)
        return self._started[key][0]

    def _start(self, app: App) -> tuple[OpenApp, "subprocess.Popen[bytes]", IO[bytes]]:
        values = {"port": str(_free_port()), **self._values()}
        log = (self.shared / f"app-{self.worker}.log").open("ab")
        command = [filled(word, values) for word in app.command]
        try:
            process = subprocess.Popen(  # noqa: S603 (the user's own command)
                command,
                cwd=self.folder / app.folder,
                env=environment(app, values),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            log.close()
            raise UsageError(f"app: {command[0]}: {error.strerror} (in {self.folder / app.folder})") from error
        address = f"http://127.0.0.1:{values['port']}"
        try:
            _wait(lambda: _ended(process, command, Path(log.name)), address, app.ready)
        except HarnessTrouble:
            _stop(process)
            log.close()
            raise
        return self._open(app, address, values), process, log

    def _values(self) -> dict[str, str]:
        return {"worker": self.worker, "python": sys.executable}

    def close(self) -> None:
        """Stop every command."""
        for key in list(self._started):
            self._end(key)

    def _end(self, key: str) -> None:
        _, process, log = self._started.pop(key)
        _stop(process)
        log.close()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def _ended(process: "subprocess.Popen[bytes]", command: list[str], log: Path) -> str:
    code = process.poll()
    if code is None:
        return ""
    said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:] or ["it said nothing"]
    return f"{command[0]} ended with {code}: {said[0][:300]} (all of it: {log})"


def _wait(ended: Callable[[], str], address: str, ready: str) -> None:
    """Wait until the app answers, with any status. Raises HarnessTrouble(site_error)."""
    deadline, problem = time.monotonic() + READY_SECONDS, ""
    while time.monotonic() < deadline:
        if problem := ended():
            raise HarnessTrouble("site_error", f"app: {problem}")
        if not (problem := answers(f"{address.rstrip('/')}{ready}")):
            return
        time.sleep(0.1)
    raise HarnessTrouble("site_error", f"app: {address} did not answer within {READY_SECONDS:g} seconds: {problem}")


def answers(url: str) -> str:
    """Why nothing answers at an address; empty if something answers, with any status."""
    import httpx

    try:
        with httpx.stream("GET", url, verify=VERIFY_CERTIFICATES, timeout=10, trust_env=False):
            return ""
    except httpx.HTTPError as error:
        return str(error) or type(error).__name__


def _stop(process: "subprocess.Popen[bytes]") -> None:
    try:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(STOP_SECONDS)
    except ProcessLookupError:
        process.wait()
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def check_sites(sites: Mapping[str, str], tasks: Iterable[Task]) -> None:
    """Raise UsageError, in one line, for an unknown name, a site or app that does not answer, or a refused account."""
    on_apps = [task for task in tasks if isinstance(task, AppTask)]
    apps = {task.app.name: task.app for task in on_apps if task.app.name}
    for name, address in sites.items():
        app = apps.get(name)
        if app is None and name in SITES:
            app = App(name=name, address=address, login=SITES[name].kind)
        if app is None:
            raise UsageError(
                f"--site {name}: no suite and no app has this name; known are {', '.join({**SITES, **apps})}"
            )
        if problem := answers(f"{address}{app.ready}"):
            raise UsageError(f"--site {name}: {address} does not answer: {problem}")
        if app.login in KINDS:
            OpenApp(app, address).storage()
    named = {task.app.address: task for task in reversed(on_apps) if task.app.address and task.app.name not in sites}
    for address, task in named.items():
        if problem := answers(f"{address.rstrip('/')}{task.app.ready}"):
            raise UsageError(f"{task.id}: app.address: {address} does not answer: {problem}; start the app first")
