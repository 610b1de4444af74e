"""Resource usage: what a worker and everything that it started use (CPU seconds, memory), and what it has to tell
its user.
"""

import contextlib
import os
import threading
from collections.abc import Iterable
from pathlib import Path

import psutil
from pydantic import ValidationError

from longtrail.records.record import Record

EVERY = 5.0
"""Seconds between two looks at the memory."""


class WorkerUsage(Record):
    """One worker's."""

    worker: str
    cpu_seconds: float
    """User and system time of all its processes."""
    peak_mb: float
    """Most memory seen at once: shared pages counted once (PSS), or left out where the system can't tell (USS)."""
    notices: tuple[str, ...] = ()


def tree(pid: int) -> list[psutil.Process]:
    """A process and all that descend from it; none if it is gone."""
    try:
        top = psutil.Process(pid)
        return [top, *top.children(recursive=True)]
    except psutil.Error:
        return []


def cpu_seconds(pid: int) -> float:
    """User and system time of the tree, and (on Linux) of those of its processes that have ended."""
    total = 0.0
    for each in tree(pid):
        with contextlib.suppress(psutil.Error):  # gone meanwhile
            total += sum(each.cpu_times()[:4])
    return total


def memory_mb(pid: int) -> float:
    """Memory of the tree in megabytes: proportional set size, or unique set size where there is no other."""
    total = 0
    for each in tree(pid):
        with contextlib.suppress(psutil.Error):
            used = each.memory_full_info()
            total += getattr(used, "pss", used.uss)
    return total / 1024**2


class ResourceMeter:
    """Watches this process' tree from a thread of its own. A context manager."""

    def __init__(self) -> None:
        self._peak = 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="longtrail-usage", daemon=True)

    def __enter__(self) -> "ResourceMeter":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def read(self, worker: str, notices: Iterable[str] = ()) -> WorkerUsage:
        """What has been used up to now."""
        self._peak = max(self._peak, memory_mb(os.getpid()))
        used = round(cpu_seconds(os.getpid()), 2)
        return WorkerUsage(worker=worker, cpu_seconds=used, peak_mb=round(self._peak, 1), notices=tuple(notices))

    def _watch(self) -> None:
        while not self._stop.wait(EVERY):
            self._peak = max(self._peak, memory_mb(os.getpid()))


def keep(folder: Path, use: WorkerUsage) -> None:
    """Write it down in the run's folder; what can't be written is no reason to fail."""
    try:
        (folder / "workers").mkdir(exist_ok=True)
        (folder / "workers" / f"{use.worker}.json").write_text(use.model_dump_json(), "utf-8")
    except OSError:
        return


def lines(folder: Path) -> list[str]:
    """What the workers of a run used, a line each, and what they have to tell, once each."""
    uses = []
    for path in sorted((folder / "workers").glob("*.json")):
        try:
            uses.append(WorkerUsage.model_validate_json(path.read_bytes()))
        except (OSError, ValidationError):
            continue  # torn: it is only told
    told = [f"worker {use.worker}: {use.cpu_seconds:.0f} CPU seconds, at most {use.peak_mb:.0f} MB" for use in uses]
    return [*told, *dict.fromkeys(notice for use in uses for notice in use.notices)]
