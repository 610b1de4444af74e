"""Resource usage: CPU seconds and memory of a worker and its child processes, and its messages for the user."""

import contextlib
import os
import threading
from collections.abc import Iterable
from pathlib import Path

import psutil
from pydantic import ValidationError

from longtrail.records.record import Record

EVERY = 5.0
"""Seconds between two measurements of the memory."""


class WorkerUsage(Record):
    """The resource usage of one worker."""

    worker: str
    cpu_seconds: float
    """User and system time of all its processes."""
    peak_mb: float
    """Maximum memory in MB: shared pages counted once (PSS), or left out if the system can't tell (USS)."""
    notices: tuple[str, ...] = ()


def process_tree(pid: int) -> list[psutil.Process]:
    """A process and all of its descendants; empty if it has ended."""
    try:
        top = psutil.Process(pid)
        return [top, *top.children(recursive=True)]
    except psutil.Error:
        return []


def cpu_seconds(pid: int) -> float:
    """User and system time of the tree, and (on Linux) of those of its processes that have ended."""
    total = 0.0
    for process in process_tree(pid):
        with contextlib.suppress(psutil.Error):  # gone meanwhile
            total += sum(process.cpu_times()[:4])
    return total


def memory_mb(pid: int) -> float:
    """Memory of the tree in MB: proportional set size, or unique set size if the system has no other."""
    total = 0
    for process in process_tree(pid):
        with contextlib.suppress(psutil.Error):
            used = process.memory_full_info()
            total += getattr(used, "pss", used.uss)
    return total / 1024**2


class ResourceMeter:
    """Measures this process's tree from a separate thread. A context manager."""

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
        """The usage up to now."""
        self._peak = max(self._peak, memory_mb(os.getpid()))
        used = round(cpu_seconds(os.getpid()), 2)
        return WorkerUsage(worker=worker, cpu_seconds=used, peak_mb=round(self._peak, 1), notices=tuple(notices))

    def _watch(self) -> None:
        while not self._stop.wait(EVERY):
            self._peak = max(self._peak, memory_mb(os.getpid()))


def write_usage(folder: Path, use: WorkerUsage) -> None:
    """Write it to the run's folder; a write error is ignored."""
    try:
        (folder / "workers").mkdir(exist_ok=True)
        (folder / "workers" / f"{use.worker}.json").write_text(use.model_dump_json(), "utf-8")
    except OSError:
        return


def read_usage_lines(folder: Path) -> list[str]:
    """The usage of a run's workers, one line each, and their messages, each once."""
    uses = []
    for path in sorted((folder / "workers").glob("*.json")):
        try:
            uses.append(WorkerUsage.model_validate_json(path.read_bytes()))
        except (OSError, ValidationError):
            continue  # incomplete: it is for information only
    workers = [f"worker {use.worker}: {use.cpu_seconds:.0f} CPU seconds, at most {use.peak_mb:.0f} MB" for use in uses]
    return [*workers, *dict.fromkeys(notice for use in uses for notice in use.notices)]
