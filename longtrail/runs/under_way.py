"""Under way: the cases being played now, and their last screenshots, for the live view.

running/CASE.json stands in the run's folder while its worker plays the case; it is no part of the run's record.
"""

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from longtrail.records.record import Record
from longtrail.runs.store import file_stem

FOLDER = "running"


class UnderWay(Record):
    """A case that is being played."""

    case: str
    shots: int = 0
    """Screenshots so far: about one a step."""
    shot: str = ""
    """The last one, below `shots/`."""


@contextlib.contextmanager
def under_way(folder: Path, case: str, save_shot: Callable[..., str] | None) -> Iterator[Callable[..., str] | None]:
    """Mark a case while it is played. Hands out what keeps its screenshots, and notes the last of them."""
    path = folder / FOLDER / f"{file_stem(case)}.json"
    count = 0

    def kept(*given: Any) -> str:
        nonlocal count
        assert save_shot is not None
        count, name = count + 1, save_shot(*given)
        _mark(path, UnderWay(case=case, shots=count, shot=name))
        return name

    _mark(path, UnderWay(case=case))
    try:
        yield kept if save_shot is not None else None
    finally:
        path.unlink(missing_ok=True)


def read_under_way(folder: Path) -> dict[str, UnderWay]:
    """Case -> what is known of it. A mark that is torn, or of a worker that died, may be among them."""
    found = {}
    for path in sorted((folder / FOLDER).glob("*.json")):
        with contextlib.suppress(OSError, ValueError):
            one = UnderWay.model_validate_json(path.read_bytes())
            found[one.case] = one
    return found


def _mark(path: Path, mark: UnderWay) -> None:
    """A full disk must not fail the case: only the live view lacks a picture."""
    draft = path.with_suffix(f".{os.getpid()}")
    with contextlib.suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        draft.write_text(mark.model_dump_json(), encoding="utf-8")
        draft.replace(path)
