"""Resource usage: what a worker and everything that it started use (CPU seconds, memory), and what it has to tell
its user.
"""

import os
import re
import threading
from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from longtrail.records.record import Record

EVERY = 5.0
"""Seconds between two looks at the memory."""
PROC = Path("/proc")


class WorkerUsage(Record):
    """One worker's."""

    worker: str
    cpu_seconds: float | None
    """User and system time of all its processes; None where the system does not tell."""
    peak_mb: float | None
    """Most memory seen at once, shared pages counted once (PSS)."""
    notices: tuple[str, ...] = ()


def tree(pid: int) -> list[int]:
    """A process and all that descend from it."""
    below: dict[int, list[int]] = {}
    for entry in PROC.iterdir():
        if entry.name.isdigit() and len(fields := _stat(entry.name)) > 1:
            below.setdefault(int(fields[1]), []).append(int(entry.name))
    found = fresh = [pid]
    while fresh:
        fresh = [child for each in fresh for child in below.get(each, ())]
        found = found + fresh
    return found


def cpu_seconds(pid: int) -> float:
    """User and system time of the tree, and of those of its processes that have ended."""
    ticks = sum(sum(map(int, _stat(each)[11:15])) for each in tree(pid))
    return ticks / os.sysconf("SC_CLK_TCK")


def memory_mb(pid: int) -> float:
    """Proportional set size of the tree in megabytes."""
    total = 0
    for each in tree(pid):
        try:
            text = (PROC / str(each) / "smaps_rollup").read_text("ascii")
        except OSError:
            continue  # gone meanwhile
        total += int(found[1]) if (found := re.search(r"^Pss: +(\d+)", text, re.MULTILINE)) else 0
    return total / 1024


def _stat(pid: int | str) -> list[str]:
    """Fields of /proc/PID/stat from the state on; none if it is gone."""
    try:
        return (PROC / str(pid) / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return []


class ResourceMeter:
    """Watches this process' tree from a thread of its own. A context manager."""

    def __init__(self) -> None:
        self._told = (PROC / "self" / "smaps_rollup").exists()
        self._peak = 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="longtrail-usage", daemon=True)

    def __enter__(self) -> "ResourceMeter":
        if self._told:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._told:
            self._thread.join()

    def read(self, worker: str, notices: Iterable[str] = ()) -> WorkerUsage:
        """What has been used up to now."""
        if not self._told:
            return WorkerUsage(worker=worker, cpu_seconds=None, peak_mb=None, notices=tuple(notices))
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
    told = [
        f"worker {use.worker}: {use.cpu_seconds:.0f} CPU seconds, at most {use.peak_mb:.0f} MB"
        for use in uses
        if use.cpu_seconds is not None and use.peak_mb is not None
    ]
    return [*told, *dict.fromkeys(notice for use in uses for notice in use.notices)]
