"""Fork server: runs pytest many times, each time in a process forked from this one. This process has imported, read
and compiled what all runs need, which is most of the cost of a short run.

One server serves all workers of a test session: `pytest_process` starts it and connects to its socket. For each run it
reads one line of JSON, the arguments of `play`, and answers with one line: the run's exit code, negative for a signal.
The workers of a run (`-n 2`) are forked, too: from a process that was forked before pytest began, so that they have
nothing of the run's controller.
"""

import atexit
import gc
import json
import os
import select
import signal
import socket
import sys
import threading
from contextlib import suppress
from importlib import import_module
from typing import Any

import psutil

MODULES = (
    "longtrail.pytest_plugin.evaluation",
    "longtrail.episode.runner",
    "longtrail.web.sealed",
    "longtrail.report.build",
    "pytest_playwright.pytest_playwright",
    "execnet.gateway_io",
)
"""These and their imports are all that a run needs, but for the plugin and the fixtures, which pytest must import."""
WORKERS = hasattr(os, "pidfd_open")
"""Only Linux can wait for the end of a process that is no child."""


def prepare() -> None:
    """Load what all runs have in common. Starts no thread and no browser, and imports no model library."""
    for wanted in MODULES:
        import_module(wanted)
    from longtrail.checks.hosts import registrable_domain
    from longtrail.noise.pool import shipped_pool
    from longtrail.report.template_page import templates
    from longtrail.runs.manifest import code_checksum, data_checksum
    from longtrail.tasks.loading import load_tasks
    from longtrail.web.registry import all_sites
    from longtrail.web.sites.search.app import index
    from longtrail.web.world import Templates

    load_tasks()
    Templates(all_sites()).of("shopadmin")
    index()
    shipped_pool().tokens  # noqa: B018 (counts and keeps them)
    registrable_domain("www.ikea.com")
    code_checksum()
    data_checksum()
    for name in templates().list_templates():
        templates().get_template(name)
    for name, module in sys.modules.items():
        if "." not in name:  # else pytest warns of packages with plugins that it would have rewritten
            module.__doc__ = f"{module.__doc__} PYTEST_DONT_REWRITE"
    gc.collect()
    gc.freeze()  # a collection would write to every page of memory, and so copy it


def play(args: list[str], folder: str, environment: dict[str, str], out: str, err: str, seconds: int) -> int:
    """In the forked process: what `python -m pytest ARGS` does in a folder. Ended by SIGALRM after so many seconds."""
    for descriptor, path in enumerate((os.devnull, out, err)):
        opened = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        os.dup2(opened, descriptor)
        os.close(opened)
    signal.alarm(seconds)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    if encoding := environment.get("PYTHONIOENCODING"):
        sys.stdout.reconfigure(encoding=encoding)  # type: ignore[union-attr]
    sys.path[:1] = [folder, *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
    if WORKERS and any(arg.startswith("-n") for arg in args):
        fork_workers()

    import pytest

    sys.argv = [pytest.__file__, *args]
    return int(pytest.main())


ONE_AT_A_TIME = threading.Lock()


class ForkedWorker:
    """What execnet needs of a `subprocess.Popen`."""

    def __init__(self, forking: socket.socket) -> None:
        (read, write), (answers, answer) = os.pipe(), os.pipe()
        begun = json.dumps([os.getcwd(), dict(os.environ)]).encode()
        with ONE_AT_A_TIME:
            socket.send_fds(forking, [begun], [read, answer, 2])
            self._process = os.pidfd_open(int(forking.recv(20)))
        os.close(read)
        os.close(answer)
        self.stdin, self.stdout = os.fdopen(write, "wb", 0), os.fdopen(answers, "rb", 0)

    def wait(self) -> int:
        select.select([self._process], [], [])
        return 0

    def kill(self) -> None:
        signal.pidfd_send_signal(self._process, signal.SIGKILL)


def fork_workers() -> None:
    """From now on, workers of this process are forked from a process that is as this one is now, and ends with it."""
    from execnet import gateway_base, gateway_io

    asked, forking = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if not os.fork():
        forking.close()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the run decides how it ends
        while True:
            begun, descriptors, _, _ = socket.recv_fds(asked, 1 << 20, 3)
            if not begun:
                os._exit(0)
            child = os.fork()
            if not child:
                asked.close()
                folder, environment = json.loads(begun)
                work(folder, environment, descriptors)
                end(0)
            for descriptor in descriptors:
                os.close(descriptor)
            asked.send(str(child).encode())
    asked.close()

    def start(self: Any, args: list[str], execmodel: Any) -> None:
        self.popen = worker = ForkedWorker(forking)
        gateway_base.Popen2IO.__init__(self, worker.stdin, worker.stdout, execmodel=execmodel)

    gateway_io.Popen2IOMaster.__init__ = start  # type: ignore[method-assign]


def work(folder: str, environment: dict[str, str], descriptors: list[int]) -> None:
    """In a forked worker: what `python -c` does with execnet's first line."""
    from execnet.gateway_io import popen_bootstrapline

    import longtrail.pytest_plugin

    for descriptor, given in enumerate(descriptors):
        os.dup2(given, descriptor)
        os.close(given)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    longtrail.pytest_plugin.PARENT = os.getppid()
    sys.argv = ["-c"]
    sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
    exec(popen_bootstrapline, {"__name__": "__main__"})


def end(code: int) -> None:
    """Ends this process as an interpreter does, but leaves its memory to the system: to clear it takes long."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def serve(client: socket.socket) -> None:
    """In a process of its own: the runs of one test process, one after the other."""
    with client.makefile("rw") as lines:
        for line in lines:
            child = os.fork()
            if not child:
                end(play(**json.loads(line)))
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=lines, flush=True)


def main(path: str, session: int) -> None:
    """Listen there until the process of the test session has ended. Whoever started it waits until it listens."""
    prepare()
    signal.signal(signal.SIGCHLD, reap)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen()
        listening.settimeout(1)
        if os.fork():
            os._exit(0)
        while psutil.pid_exists(session):
            with suppress(TimeoutError):
                client, _ = listening.accept()
                if not os.fork():
                    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                    listening.close()
                    client.settimeout(None)
                    serve(client)
                    os._exit(0)
                client.close()
    os.unlink(path)
    os.unlink(f"{path}.lock")


def reap(*_: object) -> None:
    """A test process has ended."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
