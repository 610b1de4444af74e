"""Ray actors: what runs in processes that Ray starts: workers, and the one that holds the run's call book."""

import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

from longtrail.errors import HarnessTrouble
from longtrail.llm.call_book import CallBook
from longtrail.llm.limits import Admission, CallEnd, CallRequest
from longtrail.pytest_plugin.remote.engine import Setup, Unit, WorkerMessage
from longtrail.pytest_plugin.remote.ray_cluster import one_line
from longtrail.pytest_plugin.remote.setup import CHROMIUM, chromium, versions
from longtrail.pytest_plugin.remote.worker import RemoteWorker


class RayWorker:
    """The actor in a Ray worker's process."""

    def __init__(self, name: str, calls: Any) -> None:
        self._name, self._calls = name, calls
        self._worker: RemoteWorker | None = None

    def ready(self, setup: Setup, root: str) -> tuple[str, str, dict[str, str]]:
        """Begin to collect. Returns address and id of this node, and its versions. An empty `root` means that the
        project was copied: this process was started in the copy."""
        import ray

        node_software = node_versions()
        if all(node_software[name] == version for name, version in setup.versions.items()) and node_software[CHROMIUM]:
            store = CallsElsewhere(self._calls, self._name)
            self._worker = RemoteWorker(setup, self._name, Path(root or os.getcwd()), store)
        context = ray.get_runtime_context()
        return os.environ.get("RAY_NODE_IP_ADDRESS", socket.gethostname()), context.get_node_id(), node_software

    def play(self, unit: Unit) -> Any:
        assert self._worker is not None
        yield from self._worker.play(unit)

    def stop(self, reason: str) -> None:
        if self._worker is not None:
            self._worker.stop(reason)

    def ping(self) -> bool:
        """Shows that the actor can be reached."""
        return True

    def close(self) -> WorkerMessage:
        return self._worker.close() if self._worker is not None else WorkerMessage("progress")


class SharedCalls:
    """The actor on the controller's machine that holds the run's call book."""

    def __init__(self, book: CallBook) -> None:
        self._book = book

    def admit(self, call: CallRequest, owner: str) -> Admission:
        return self._book.admit(call, owner)

    def end(self, ticket: int, end: CallEnd) -> None:
        self._book.end(ticket, end)

    def lose(self, owner: str) -> None:
        self._book.lose(owner)


class CallsElsewhere:
    """A `CallStore` that forwards to that actor."""

    def __init__(self, actor: Any, owner: str) -> None:
        self._actor, self._owner = actor, owner

    def admit(self, call: CallRequest) -> Admission:
        answer: Admission = _result_or_error(lambda: self._actor.admit.remote(call, self._owner))
        return answer

    def end(self, ticket: int, end: CallEnd) -> None:
        _result_or_error(lambda: self._actor.end.remote(ticket, end))


def _result_or_error(ask: Callable[[], Any]) -> Any:
    """The actor's answer. Raises HarnessTrouble: the agent that makes the call is not to blame for its loss."""
    import ray

    try:
        return ray.get(ask())
    except ray.exceptions.RayError as error:
        cause = getattr(error, "cause", None) or error
        message = cause.message if isinstance(cause, HarnessTrouble) else one_line(cause)
        raise HarnessTrouble("storage", f"the run's limits of model calls can't be reached: {message}") from error


def node_versions() -> dict[str, str]:
    return {**versions(), CHROMIUM: chromium()}
