"""Forked workers: with a model, xdist's workers are forked from one process that has imported what they all need.

Most of a worker's memory is code and data that never change: litellm, the vocabularies, the sites and their index. A
forked worker shares them with the others. Three processes take part, each of which runs this file:

- the controller starts the template and gives xdist, as the workers' interpreter, the starter;
- the template imports, and then forks a worker for each starter that asks;
- a starter (one per worker) hands its standard streams to the worker and ends with it. If there is no template, it
  becomes an ordinary interpreter.

The template ends with the controller, and the workers end with the template. Only on Linux: on other systems, workers
are started by xdist alone.
"""

import gc
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

SUPPORTED = hasattr(os, "pidfd_open")
"""Whether the template can wait for workers and starters at once."""
MODULES = (
    "longtrail.pytest_plugin.evaluation",
    "longtrail.episode.runner",
    "longtrail.web.sealed",
    "longtrail.scoring.score",
    "longtrail.browser.session",
    "playwright.async_api",
    "execnet.gateway_io",
    "xdist.remote",
    "pytest_html.plugin",
)
"""What workers import, without fixtures and other people's plugins, which pytest imports."""
MODEL_MODULES = (
    "openai.resources.chat",
    "litellm.llms.openai.openai",
    "litellm.proxy._types",
    "h2.connection",
    "httpcore",
)
"""What litellm imports with its first call."""
TAKEN = b"+"
"""The template's answer to a starter: a worker runs in its place."""
LONGEST_REQUEST = 1 << 20
"""Bytes of a starter's request: its folder, its environment and its command."""


def fork_workers(specs: Sequence[Any], calls_models: bool) -> Callable[[], None]:
    """Let xdist fork the workers on this machine, `specs` (execnet's). Returns what ends the template."""
    folder = tempfile.TemporaryDirectory(prefix="longtrail-workers-")
    address = f"{folder.name}/template"
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(address)  # in a folder that only this user can open
        listener.listen(128)
        descriptor = listener.fileno()
        command = [sys.executable, "-m", __name__, "template", str(descriptor), str(int(calls_models))]
        template = subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=[descriptor])  # noqa: S603 (our own)
    for spec in specs:
        if spec.popen and not spec.python:
            spec.python = f'"{sys.executable}" -I -S "{__file__}" starter "{address}"'

    def end() -> None:
        template.communicate()
        folder.cleanup()

    return end


def prepare(calls_models: bool) -> None:
    """Load what all workers have in common. Starts no thread: a fork would not have it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in MODULES:
            import_module(name)
    from longtrail.llm.tokens import count
    from longtrail.tasks.loading import load_tasks
    from longtrail.web.registry import all_sites
    from longtrail.web.sites.search.index import index
    from longtrail.web.world import Templates

    load_tasks()
    Templates(all_sites()).of("shopadmin")
    index()
    count("a text", "gpt-4o")
    count("a text")
    if calls_models:
        from longtrail.llm.litellm_client import import_litellm
        from longtrail.llm.models import facts

        facts("gpt-4o")
        import_litellm()
        for name in MODEL_MODULES:
            with suppress(ImportError):  # another version of litellm has other modules
                import_module(name)
    for name, module in sys.modules.items():
        if "." not in name:  # otherwise pytest warns of packages with plugins that it would have rewritten
            module.__doc__ = f"{module.__doc__} PYTEST_DONT_REWRITE"
    gc.collect()
    gc.freeze()  # a collection would write to all of these objects, and so copy them into each worker


class Template:
    """Forks workers until the controller ends."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener, self._waiting = listener, selectors.DefaultSelector()
        self._workers: dict[int, tuple[int, socket.socket]] = {}
        """Process id -> a descriptor that tells its end, and its starter."""

    def serve(self) -> list[str] | None:
        """In the template: None when the controller has ended. In each forked worker: the command that it runs."""
        self._waiting.register(0, selectors.EVENT_READ)
        self._waiting.register(self._listener, selectors.EVENT_READ)
        while True:
            for key, _ in self._waiting.select():
                if key.fileobj == 0:
                    return None
                if key.fileobj is self._listener:
                    starter, _ = self._listener.accept()
                    if command := self._fork(starter):
                        return command
                else:
                    self._end(key.data)

    def _fork(self, starter: socket.socket) -> list[str] | None:
        """Fork a worker in place of a starter; in the worker, its command."""
        request, streams, _, _ = socket.recv_fds(starter, LONGEST_REQUEST, 3)
        if not request:
            starter.close()  # it was killed
            return None
        worker = os.fork()
        if not worker:
            self._leave(starter)
            return become_worker(request, streams)
        for stream in streams:
            os.close(stream)
        starter.send(TAKEN)
        self._workers[worker] = os.pidfd_open(worker), starter
        for watched in self._workers[worker]:
            self._waiting.register(watched, selectors.EVENT_READ, worker)
        return None

    def _end(self, worker: int) -> None:
        """A worker has ended, or its starter was killed by xdist: end both."""
        if worker not in self._workers:
            return
        watched, starter = self._workers.pop(worker)
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)
        os.waitpid(worker, 0)
        self._waiting.unregister(watched)
        self._waiting.unregister(starter)
        os.close(watched)
        starter.close()

    def _leave(self, starter: socket.socket) -> None:
        """In a worker: close what belongs to the template."""
        self._waiting.close()
        self._listener.close()
        starter.close()
        for watched, other in self._workers.values():
            os.close(watched)
            other.close()


def become_worker(request: bytes, streams: Sequence[int]) -> list[str]:
    """Give this process the streams, folder and environment of a starter; returns the starter's command."""
    import longtrail.pytest_plugin

    for descriptor, stream in enumerate(streams):
        os.dup2(stream, descriptor)
        os.close(stream)
    folder, environment, command = json.loads(request)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    longtrail.pytest_plugin.PARENT = os.getppid()
    sys.argv = ["-c"]
    sys.path[0] = ""
    return [str(word) for word in command]


def run(line: str) -> None:
    """What `python -c LINE` does."""
    import code

    code.InteractiveInterpreter({"__name__": "__main__"}).runcode(compile(line, "<string>", "exec"))


def start(address: str, command: list[str]) -> None:
    """The starter: have a worker forked that gets these streams, and end with it."""
    request = json.dumps([os.getcwd(), dict(os.environ), command]).encode()
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as template, suppress(OSError):
        template.connect(address)
        socket.send_fds(template, [request], [0, 1, 2])
        if template.recv(1) == TAKEN:
            nowhere = os.open(os.devnull, os.O_RDWR)
            os.dup2(nowhere, 0)
            os.dup2(nowhere, 1)  # xdist notices the worker's end by the end of this stream
            template.recv(1)
            return
    os.execv(sys.executable, [sys.executable, *command])  # noqa: S606 (execnet's own command)


def main(role: str, place: str, *rest: str) -> None:
    """The template or a starter."""
    if role == "starter":
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the controller decides how the session ends
        return start(place, list(rest))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with socket.socket(fileno=int(place)) as listener:
        prepare(rest == ("1",))
        command = Template(listener).serve()
    if command is not None:
        run(command[-1])


if __name__ == "__main__":
    main(*sys.argv[1:])
