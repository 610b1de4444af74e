"""Under way: the cases being played now, their steps so far and last screenshots, for the live view.

running/CASE.json stands in the run's folder while its worker plays the case; it is no part of the run's record.
"""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from longtrail.records.record import Record
from longtrail.runs.store import file_stem

FOLDER = "running"


class UnderWay(Record):
    """A case that is being played."""

    case: str
    steps: int = 0
    """Taken so far."""
    shot: str = ""
    """The last screenshot, below `shots/`; empty where none are taken."""


@dataclass
class CaseMark:
    """The mark of one case, while it is played."""

    path: Path
    now: UnderWay

    def step(self, steps: int) -> None:
        """So many steps are taken."""
        self._write(steps=steps)

    def shot(self, name: str) -> None:
        """A screenshot was kept."""
        self._write(shot=name)

    def _write(self, **told: object) -> None:
        """A disk that is full costs the watcher a step, not the agent its case."""
        self.now = self.now.model_copy(update=told)
        draft = self.path.with_suffix(f".{os.getpid()}")
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(exist_ok=True)
            draft.write_text(self.now.model_dump_json(), encoding="utf-8")
            draft.replace(self.path)


@contextlib.contextmanager
def under_way(folder: Path, case: str) -> Iterator[CaseMark]:
    """Mark a case while it is played."""
    mark = CaseMark(folder / FOLDER / f"{file_stem(case)}.json", UnderWay(case=case))
    mark.step(0)
    try:
        yield mark
    finally:
        mark.path.unlink(missing_ok=True)


def read_under_way(folder: Path) -> dict[str, UnderWay]:
    """Case -> what is known of it. A mark that is torn, or of a worker that died, may be among them."""
    found = {}
    for path in sorted((folder / FOLDER).glob("*.json")):
        with contextlib.suppress(OSError, ValueError):
            one = UnderWay.model_validate_json(path.read_bytes())
            found[one.case] = one
    return found
