"""The start of a session with xdist, before it is known whether its tests play cases.

xdist's controller does not collect: its workers do. So each worker writes its tests that play a case into a file, and
the choice of the scheduler waits until a worker has collected. Sessions without our cases load this module, too: it
imports next to nothing.
"""

import json
import os
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import longtrail.pytest_plugin
from longtrail.pytest_plugin.names import Asked

SETUP = "longtrail"
"""The key of a worker's `WorkerSetup`, as JSON, in xdist's `workerinput`."""
CALLS = "longtrail_calls"
"""The key of the `CallStore` of a worker on another machine, which makes its model calls itself."""


@dataclass(frozen=True)
class WorkerSetup:
    """What the controller tells a worker at its start."""

    began: str
    """The session's start time, part of the run's name."""
    root: str
    """The session's root folder."""
    report: str
    """The file into which the worker writes its `CollectedCases`."""
    asked: Asked = "all"
    """What the controller's command line asks for: a worker's has other paths."""
    calls: str = ""
    """The address of the session's `CallServer`; empty: the worker makes its model calls itself."""

    def to_json(self) -> str:
        """For `workerinput`."""
        return json.dumps(asdict(self))

    @classmethod
    def of(cls, config: Any) -> "WorkerSetup | None":
        """What this process was told; None if it is no worker. `config`: pytest's."""
        given = getattr(config, "workerinput", {}).get(SETUP)
        return None if given is None else cls(**json.loads(given))


@dataclass(frozen=True)
class CollectedCases:
    """What a worker collected: its tests that play a case, and those that were not asked for."""

    tests: Mapping[str, str] = field(default_factory=dict)
    """Node id -> id of its case."""
    whole: Sequence[str] = ()
    """With `--shard`: the cases of all shards."""
    refused: str = ""
    """Why its shard is impossible."""
    pid: int = 0
    """The worker's process."""
    uses_options: bool = False
    """Whether any of its tests uses options of ours, or it could not collect all tests."""
    not_asked: Sequence[str] = ()
    """Folders of tests that play cases, but that the command line doesn't ask for."""

    def write(self, path: Path) -> None:
        """In the worker."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")

    @classmethod
    def take(cls, path: Path) -> "CollectedCases | None":
        """In the controller, once; None: there is nothing of ours in the worker."""
        if not path.exists():
            return None
        given = json.loads(path.read_text(encoding="utf-8"))
        path.unlink()
        return cls(**given)


def report_file(node: Any) -> Path:
    """Where a worker writes its `CollectedCases`. `node`: xdist's."""
    return Path(tempfile.gettempdir()) / f"longtrail-{node.workerinput['testrunuid']}-{node.gateway.id}"


class LostWorker:
    """In the controller: ends the session in one line if a worker was killed while xdist started it."""

    def pytest_internalerror(self, excinfo: Any) -> None:
        """Raises pytest's Exit."""
        if excinfo.traceback[-1].frame.f_globals["__name__"].startswith("execnet."):
            import pytest

            from longtrail.options.gate_rules import INCOMPLETE

            pytest.exit("a worker ended while it was started: run the same command again", returncode=INCOMPLETE)


class DeferredScheduling:
    """Stands in for xdist's scheduler until a worker has collected; then it passes everything on to the chosen one."""

    def __init__(self, choose: Callable[[], Any]) -> None:
        self._choose = choose
        self._chosen: Any = None
        self._nodes: list[Any] = []

    @property
    def nodes(self) -> list[Any]:
        nodes: list[Any] = self._chosen.nodes if self._chosen else self._nodes
        return nodes

    def add_node(self, node: Any) -> None:
        if self._chosen:
            self._chosen.add_node(node)
        else:
            self._nodes.append(node)

    def remove_node(self, node: Any) -> Any:
        """A worker has ended. Raises KeyError for an unknown one, as xdist expects."""
        if self._chosen:
            return self._chosen.remove_node(node)
        if node not in self._nodes:
            raise KeyError(node)
        return self._nodes.remove(node)

    def add_node_collection(self, node: Any, collection: Sequence[str]) -> None:
        """A worker has collected. The first one decides about the scheduler."""
        if not self._chosen:
            self._chosen = self._choose()
            for each in self._nodes:
                self._chosen.add_node(each)
        self._chosen.add_node_collection(node, collection)

    def __getattr__(self, name: str) -> Any:
        if self._chosen is None:
            return False  # nothing is collected, pending or finished
        return getattr(self._chosen, name)


def end_with_parent(parent: int | None = None) -> None:
    """End a worker, from a daemon thread, when its parent is another process than `parent` (by default the one that
    it began with): at once if that has already ended."""
    expected = longtrail.pytest_plugin.PARENT if parent is None else parent
    threading.Thread(target=_watch, args=(expected,), name="longtrail-parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)
