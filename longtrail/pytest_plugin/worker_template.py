"""Worker template: the process from which the workers of a session that plays cases are forked. Only on Linux.

It has imported and read what all workers need, so that this takes processor time once, and the workers share its
memory. For each worker, xdist starts this file as a small program, which gives its standard input and output to the
template. The template forks the worker, which takes them. The program ends when its worker does; if it is killed, so is
the worker. Where no template answers, the program becomes an ordinary worker.
"""

import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

FORKED = b"1"
"""What a program gets when its worker has been forked."""
FRUGAL = {"MALLOC_ARENA_MAX": "2", "MALLOC_TRIM_THRESHOLD_": "1048576"}
"""Variables that make glibc give memory back sooner: 12 MB of each worker."""
AVAILABLE = hasattr(os, "pidfd_open") and sys.platform == "linux"


def use_template(config: Any, specs: Sequence[Any]) -> None:
    """In the controller: let xdist's plain workers be forked from a template that ends with the session. `config`:
    pytest's; `specs`: execnet's."""
    import shlex
    import shutil
    import tempfile

    from longtrail.pytest_plugin.xdist_start import LostWorker

    config.pluginmanager.register(LostWorker(), "longtrail-lost-worker")
    plain = [spec for spec in specs if spec.popen and not (spec.python or spec.chdir or spec.via)]
    if not (AVAILABLE and plain):
        return
    folder = tempfile.mkdtemp(prefix="longtrail-workers-")  # only this user may connect
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    with socket.socket(socket.AF_UNIX) as listening, suppress(OSError):  # a path can be too long for a socket
        listening.bind(f"{folder}/socket")
        listening.listen(len(plain))
        config.add_cleanup(start(listening, config.option.markexpr or ""))
        for spec in plain:
            spec.python = shlex.join([sys.executable, "-I", "-S", __file__, f"{folder}/socket"])


def start(listening: socket.socket, markers: str) -> Callable[[], object]:
    """Start the template; returns what ends it. It also ends if the session is killed. `markers`: of the session."""
    import subprocess

    command, pipe = [sys.executable, "-m", __name__, str(listening.fileno()), markers], subprocess.PIPE
    env = {**os.environ, **FRUGAL}
    process = subprocess.Popen(command, stdin=pipe, env=env, pass_fds=[listening.fileno()])  # noqa: S603 (our words)

    def end() -> None:
        process.kill()
        process.communicate()

    return end


def prepare(markers: str) -> None:
    """Import and read what workers need; starts no thread. A wrong guess at it costs time or memory, nothing else."""
    import gc
    import re
    from importlib import import_module

    for name in (
        "anyio.pytest_plugin",
        "charset_normalizer",
        "cryptography.hazmat.backends.openssl.backend",
        "PIL.WebPImagePlugin",
        "pytest_html.plugin",
        "pytest_playwright.pytest_playwright",
        "xdist.plugin",
        "longtrail.pytest_plugin.case_session",
        "longtrail.pytest_plugin.saved_case",
        "longtrail.pytest_plugin.model_calls",
        "longtrail.agents.webagent",
        "longtrail.browser.session",
        "longtrail.browser.set_of_marks",
        "longtrail.report.build",
        "longtrail.web.sealed",
    ):
        import_module(name)
    for name in ("json_pipe", "local_utils", "protocol_channels"):  # imported when a driver starts: 9 MB
        with suppress(ImportError):
            import_module(f"playwright._impl.{name}")
    from longtrail.llm.tokens import count
    from longtrail.tasks.loading import load_tasks
    from longtrail.web.registry import STORIES, all_sites
    from longtrail.web.sites.search.app import index
    from longtrail.web.world import initial_state

    load_tasks()
    count("")
    for site in all_sites():
        if site.name in STORIES:
            initial_state(site, "usual")
            initial_state(site, "hard")
    if not markers or re.search("long_context|noise|relocated", markers):
        index()
    for name, module in sys.modules.items():
        if "." not in name:  # pytest would warn that it can't rewrite assertions in packages with plugins
            module.__doc__ = f"{module.__doc__} PYTEST_DONT_REWRITE"
    gc.collect()
    gc.freeze()  # a collection would write to every page of memory, and so copy it


class ForkedWorker(NamedTuple):
    """A worker, as its template knows it."""

    pid: int
    ended: int
    """A file descriptor that can be read when the worker has ended."""
    program: socket.socket
    """The connection of its program."""


def fork_workers(listening: socket.socket) -> None:
    """Fork a worker for each program that connects. Returns in each worker; the template itself ends here, when its
    standard input is closed."""
    from multiprocessing.connection import wait

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the session decides how it ends
    workers: dict[Any, ForkedWorker] = {}
    while True:
        event = wait([0, listening, *workers])[0]
        if event == 0:
            for worker in workers.values():
                os.kill(worker.pid, signal.SIGKILL)
            os._exit(0)
        elif event is not listening:  # a worker has ended, or its program was killed
            worker = workers[event]
            os.kill(worker.pid, signal.SIGKILL)
            os.waitpid(worker.pid, 0)
            workers = {key: other for key, other in workers.items() if other is not worker}
            _forget(worker)
        else:
            program = listening.accept()[0]
            descriptors = socket.recv_fds(program, 1, 3)[1]
            pid = os.fork()
            if not pid:
                listening.close()
                program.close()
                for worker in set(workers.values()):
                    _forget(worker)
                for number, given in enumerate(descriptors):
                    os.dup2(given, number)
                    os.close(given)
                return
            for given in descriptors:
                os.close(given)
            with suppress(OSError):  # the program was killed
                program.send(FORKED)
            worker = ForkedWorker(pid, os.pidfd_open(pid), program)
            workers |= {worker.ended: worker, program: worker}


def _forget(worker: ForkedWorker) -> None:
    os.close(worker.ended)
    worker.program.close()


def work() -> None:
    """In a forked worker: what the line that execnet sends to a new interpreter does."""
    from execnet.gateway_base import get_execmodel, init_popen_io, serve

    import longtrail.pytest_plugin

    signal.signal(signal.SIGINT, signal.default_int_handler)
    longtrail.pytest_plugin.PARENT = os.getppid()
    sys.argv = ["-c"]
    sys.stdin.readline()
    io = init_popen_io(get_execmodel("main_thread_only"))
    io.write(FORKED)
    serve(io, id="forked-worker")  # type: ignore[arg-type] # as execnet itself does


def hand_over(address: str, *interpreter: str) -> None:
    """The small program. `interpreter`: the options that make Python an ordinary worker."""
    template = socket.socket(socket.AF_UNIX)
    try:
        template.connect(address)
        socket.send_fds(template, [FORKED], [0, 1, 2])
        forked = template.recv(1)
    except OSError:
        forked = b""
    if not forked:
        os.execv(sys.executable, [sys.executable, *interpreter])  # noqa: S606 (what xdist would start)
    os.dup2(template.fileno(), 0)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    with suppress(FileNotFoundError):
        os.execvp("cat", ["cat"])  # noqa: S606, S607 (it waits, too, in a tenth of the memory)
    template.recv(1)


if __name__ == "__main__":
    if sys.argv[1].isdecimal():
        prepare(sys.argv[2])
        fork_workers(socket.socket(fileno=int(sys.argv[1])))
        work()
    else:
        hand_over(*sys.argv[1:])
