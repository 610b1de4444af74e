"""Cases under way: their steps so far and last screenshots, for the live view; and attempts that never ended.

running/CASE.json    exists while a worker plays the case
running/over         the session ends: no other case begins

begun/CASE.N.json    an attempt that had begun and has no episode: its worker or session was ended

Files below `running/` are no part of the run's records. Those below `begun/` are: otherwise an agent could end its
session and be played again without a trace.
"""

import contextlib
import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from longtrail.records.grouping import grouped
from longtrail.records.record import Record
from longtrail.runs.attempts import file_stem

FOLDER = "running"
OVER = "over"
BEGUN = "begun"


class UnderWay(Record):
    """A case that is being played."""

    case: str
    steps: int = 0
    """Steps taken so far."""
    shot: str = ""
    """The last screenshot in `shots/`; empty without screenshots."""


@dataclass
class CaseMark:
    """The file of one running case."""

    path: Path
    now: UnderWay

    def step(self, steps: int) -> None:
        self._write(steps=steps)

    def shot(self, name: str) -> None:
        self._write(shot=name)

    def _write(self, **changes: object) -> None:
        """Write the file. A full disk is ignored here: only the live view misses a step."""
        self.now = self.now.model_copy(update=changes)
        draft = self.path.with_suffix(f".{os.getpid()}")
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(exist_ok=True)
            draft.write_text(self.now.model_dump_json(), encoding="utf-8")
            draft.replace(self.path)


@contextlib.contextmanager
def under_way(folder: Path, case: str) -> Iterator[CaseMark]:
    """Record that a case is running. The mark stays if the process is interrupted: the attempt has no other record."""
    mark = CaseMark(folder / FOLDER / f"{file_stem(case)}.json", UnderWay(case=case))
    mark.step(0)
    try:
        yield mark
    except Exception:
        mark.path.unlink(missing_ok=True)
        raise
    mark.path.unlink(missing_ok=True)


def no_longer_under_way(folder: Path, case: str) -> None:
    """Remove the mark of a case that has ended, or whose worker has."""
    (folder / FOLDER / f"{file_stem(case)}.json").unlink(missing_ok=True)


def record_begun_attempts(folder: Path) -> None:
    """At the start and at the end of a session: what is still marked as running had begun and was never ended. Such a
    mark becomes a record below `begun/`; all other marks are removed."""
    for path in sorted((folder / FOLDER).glob("*")):
        if path.suffix == ".json":
            _record_begun(folder / BEGUN, path)
        path.unlink(missing_ok=True)


def _record_begun(begun: Path, mark: Path) -> None:
    with contextlib.suppress(OSError):
        begun.mkdir(exist_ok=True)
        number = len(list(begun.glob(f"{mark.stem}.*.json")))
        mark.replace(begun / f"{mark.stem}.{number}.json")


def begun_attempts(folder: Path) -> dict[str, list[UnderWay]]:
    """Case -> its attempts that had begun and have no episode, with their steps so far."""
    return grouped(_read_marks(folder / BEGUN), lambda attempt: attempt.case)


def end_session(folder: Path) -> None:
    """Tell all workers that the session ends before all of its cases were played. Only the session's own process calls
    this."""
    _touch(folder / FOLDER / OVER)


def session_over(folder: Path) -> bool:
    return (folder / FOLDER / OVER).exists()


def _touch(path: Path) -> None:
    """A full disk is ignored here: the session ends later."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        path.touch()


def read_under_way(folder: Path) -> dict[str, UnderWay]:
    """Running case -> its state. Incomplete files and those of dead workers may be included."""
    return {mark.case: mark for mark in _read_marks(folder / FOLDER)}


def _read_marks(folder: Path) -> Iterator[UnderWay]:
    for path in sorted(folder.glob("*.json")):
        with contextlib.suppress(OSError, ValueError):
            yield UnderWay.model_validate_json(path.read_bytes())


def end_at_interrupts() -> None:
    """Let SIGINT end this process, as Ctrl-C does, if it is ignored, as in background jobs of a shell script. Other
    handlers stay."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
