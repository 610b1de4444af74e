"""Engine: the protocol of a cluster that plays a session's cases on other machines; Ray's is one
(`ray_engine.RayEngine`). Another (Dask, a Slurm array) is a module beside it, a flag, and a line in `evaluation.py`.

The session (`session.py`) holds the plan, gives each free worker one unit, and is the only one that writes into the
run's folder. A worker is a process on any machine that plays its units with a `RemoteWorker` (`worker.py`) and sends
messages. The cluster only carries `Setup`, `Unit` and `WorkerMessage`, and reports lost workers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from longtrail.llm.call_book import CallBook


@dataclass(frozen=True)
class Setup:
    """What a worker is told at its start."""

    args: tuple[str, ...]
    """The words of pytest's command."""
    root: str
    """The project's folder on the controller's machine; named files are relative to it."""
    folder: str
    """Where pytest was started, relative to that folder."""
    run: str
    """Name of the run's folder."""
    files: Mapping[str, bytes]
    """The run's manifest: name of a file in the run's folder -> its bytes."""
    environment: Mapping[str, str]
    """Variables that workers need, keys of models among them."""
    versions: Mapping[str, str]
    """The versions that workers must have."""


@dataclass(frozen=True, eq=False)
class Unit:
    """Tests that one worker plays one after the other, as they share a first part."""

    tests: tuple[str, ...]
    """Node ids, as the session names them."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """The run's records of earlier attempts at these cases."""


@dataclass(frozen=True)
class WorkerMessage:
    """A worker's message about the unit that it plays."""

    kind: Literal["began", "progress", "finished", "stopped"]
    """A test began; there is progress to show; it is over; the whole run must end (`reason`)."""
    test: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """New files of the run's folder."""
    reports: Sequence[Mapping[str, Any]] = ()
    """A finished test's reports, serialized by pytest."""
    reason: str = ""


@dataclass(frozen=True)
class Event:
    """An event that a cluster reports to the session."""

    unit: Unit
    message: WorkerMessage | None = None
    """From the worker that plays the unit."""
    ended: Literal["", "done", "worker lost", "node lost"] = ""
    """The whole unit was played; or its worker was lost, alone or with its machine."""
    reason: str = ""
    """What is known about the loss."""


class Cluster(Protocol):
    """Workers on other machines. Call `check`, then `start`, then the others in any order, then `close`."""

    @property
    def workers(self) -> int:
        """The intended number of workers."""
        ...

    def check(self) -> None:
        """Raise UsageError, in one line, if it can't play. Nothing is written yet."""

    @property
    def idle(self) -> int:
        """How many workers are ready and have no unit."""
        ...

    def start(self, setup: Setup, calls: CallBook) -> None:
        """Begin to start workers. `calls`: the run's call book, a file on this machine; workers get a `CallStore` that
        forwards to it."""

    def submit(self, unit: Unit) -> None:
        """Give a unit to a free worker."""

    def events(self, seconds: float) -> Sequence[Event]:
        """The events since the last call; waits at most this long. Raises UsageError for an event that ends the run,
        such as a worker with other versions."""
        ...

    def lose(self, unit: Unit, reason: str) -> None:
        """End the worker that plays this unit, because it gives no sign; an event `worker lost` follows."""
        ...

    def waiting(self) -> str:
        """What keeps workers from being ready, in a few words; empty if nothing does."""
        ...

    def close(self, reason: str = "") -> Sequence[WorkerMessage]:
        """End all workers, playing ones for this reason; returns their last events."""
        ...
