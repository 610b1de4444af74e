"""Engine: the protocol of what plays a session's cases. xdist's workers on this machine are one (`workers.Xdist`),
Ray's on a cluster another (`ray_engine.RayEngine`). A third (Dask, a Slurm array) is a module beside it, a flag, and a
line in `engines.py`.

xdist has a test loop of its own and writes into the run's folder. An engine for other machines is a `Cluster` besides:
the session (`session.py`) holds the plan and alone writes into the run's folder, and hands out units, one to a worker
that has nothing to do. A worker is a process anywhere that plays its units with a `RemoteWorker` (`worker.py`) and
sends messages. The cluster only carries `Setup`, `Unit` and `Message` to and fro, and says who is gone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from longtrail.llm.call_book import CallBook
from longtrail.options.run_options import Options
from longtrail.runs.store import Run
from longtrail.tasks.cases import Planned, case_name


@dataclass(frozen=True)
class ToPlay:
    """What a session is to play, once its plan is made and before anything is played."""

    config: Any
    """pytest's."""
    run: Run
    options: Options
    cases: Sequence[Planned]
    """All of the plan."""
    nodeids: Sequence[str]
    """Of the tests that carry a case."""

    def by_nodeid(self) -> dict[str, Planned]:
        """Of each test its case."""
        known = {planned.case.id: planned for planned in self.cases}
        return {nodeid: known[case_name(nodeid)] for nodeid in self.nodeids}


class Engine(Protocol):
    """Workers that play a session's cases."""

    @property
    def workers(self) -> int:
        """How many there are to be."""
        ...

    def check(self) -> None:
        """Raise UsageError, in one line, if it can't play: nothing is written yet."""

    def plugin(self, to_play: ToPlay) -> object:
        """Hooks of pytest's, by which it takes part in the session."""
        ...


@dataclass(frozen=True)
class Setup:
    """What a worker is told once."""

    args: tuple[str, ...]
    """The words of pytest's command."""
    root: str
    """The project's folder on the controller's machine; what is named is relative to it."""
    folder: str
    """Where pytest was started, seen from there."""
    run: str
    """Name of the run's folder."""
    files: Mapping[str, bytes]
    """The run's manifest: name of a file in the run's folder -> its bytes."""
    environment: Mapping[str, str]
    """Variables that workers need, keys of models among them."""
    versions: Mapping[str, str]
    """What workers must have, too."""


@dataclass(frozen=True, eq=False)
class Unit:
    """Tests that one worker plays one after the other, as they share a first part."""

    tests: tuple[str, ...]
    """Node ids, as the session names them."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """What the run's folder holds of earlier attempts at these cases."""


@dataclass(frozen=True)
class Message:
    """What a worker says of the unit that it plays."""

    kind: Literal["began", "progress", "finished", "stopped"]
    """A test began; something can be shown of it; it is over; the whole run is to end (`reason`)."""
    test: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """New files of the run's folder."""
    reports: Sequence[Mapping[str, Any]] = ()
    """A finished test's reports, as pytest makes plain data of them."""
    reason: str = ""


@dataclass(frozen=True)
class Event:
    """What a cluster tells the session."""

    unit: Unit
    message: Message | None = None
    """From the worker that plays the unit."""
    ended: Literal["", "done", "worker lost", "node lost"] = ""
    """All of the unit was played; or its worker ended, alone or with its machine."""
    told: str = ""
    """What is known of the loss."""


class Cluster(Engine, Protocol):
    """An engine for other machines. After `check` come `start`, the rest in any order, and `close`."""

    @property
    def idle(self) -> int:
        """How many workers are ready and have no unit."""
        ...

    def start(self, setup: Setup, calls: CallBook) -> None:
        """Begin to start workers. `calls`: the run's, in a file of this machine; workers are given a `CallStore` that
        leads to it."""

    def submit(self, unit: Unit) -> None:
        """Let a worker that has nothing to do play a unit."""

    def events(self, seconds: float) -> Sequence[Event]:
        """What happened meanwhile; waits so long at most. Raises UsageError for what ends the run: a worker with other
        versions."""
        ...

    def waiting(self) -> str:
        """In a few words what keeps workers from being ready; empty if nothing does."""
        ...

    def close(self, reason: str = "") -> Sequence[Message]:
        """End all workers, those that play because of this reason; what they had left to say."""
        ...
