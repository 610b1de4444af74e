"""Fork server: runs pytest many times, each time in a process forked from this one. This process has imported, read
and compiled what all runs need, which is most of the cost of a short run.

One server serves all workers of a test session: `pytest_process` starts it and connects to its socket. For each run it
reads one line of JSON, the arguments of `play`, and answers with one line: the run's exit code, negative for a signal.
The template of a run's workers (`-n 2`, with cases) is forked, too, before pytest begins.
"""

import atexit
import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import psutil

from longtrail.pytest_plugin import worker_template


def prepare() -> None:
    """Load what all runs have in common. Starts no thread and no browser, and imports no model library."""
    from longtrail.checks.hosts import registrable_domain
    from longtrail.noise.pool import shipped_pool
    from longtrail.report.template_page import templates
    from longtrail.runs.manifest import code_checksum, data_checksum

    shipped_pool().tokens  # noqa: B018 (counts and keeps them)
    registrable_domain("www.ikea.com")
    code_checksum()
    data_checksum()
    for name in templates().list_templates():
        templates().get_template(name)
    worker_template.prepare(markers="")


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
    sys.modules.pop("xdist.plugin", None)  # it keeps sys.path as it was when it was imported, for the workers
    if worker_template.AVAILABLE and any(arg.startswith("-n") for arg in args):
        fork_template()

    import pytest

    sys.argv = [pytest.__file__, *args]
    return int(pytest.main())


def fork_template() -> None:
    """From now on, the template of this process' workers is forked from a process that is as this one is now, and ends
    with it."""
    asked, asking = socket.socketpair(socket.AF_UNIX)
    if not os.fork():
        asking.close()
        descriptors = socket.recv_fds(asked, 1, 2)[1]
        if not descriptors:
            os._exit(0)
        listening, session = descriptors
        os.dup2(session, 0)
        os.close(session)
        asked.close()
        sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
        worker_template.fork_workers(socket.socket(fileno=listening))
        worker_template.work()
        end(0)
    asked.close()

    def start(listening: socket.socket, _: str) -> Callable[[], object]:
        read, write = os.pipe()
        socket.send_fds(asking, [b"1"], [listening.fileno(), read])
        os.close(read)
        return partial(os.close, write)

    worker_template.start = start


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
