"""Check cache: what was found when a finished run was checked, kept beside it until one of its files changes.

Pages are written at the end of each session; most runs in the folder are as they were. Their files are then not read
again, but asked for their size, times and place on the disk. Whoever must be sure (`longtrail report`, a gate, a
baseline) calls `check_run`.
"""

import contextlib
import hashlib
import os
from pathlib import Path

from longtrail.errors import DataError
from longtrail.records.record import Record
from longtrail.runs.checked import CheckedRun, check_run, lost_results
from longtrail.runs.store import Run
from longtrail.runs.sums import NAME

FILE = "checked.json"
_READ = ("run.json", "results.jsonl", NAME)
_FOLDERS = ("episodes", "results")


class _Kept(Record):
    """The file."""

    files: str
    """Digest over the files that the check read: names, sizes, times, places."""
    missing: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()


def check_again(run: Run) -> CheckedRun:
    """As `check_run`, from the last check of these files where none of them has changed since."""
    files = _digest(run.folder)
    with contextlib.suppress(OSError, ValueError, DataError):
        kept = _Kept.model_validate_json((run.folder / FILE).read_bytes())
        if kept.files == files:
            lost = lost_results(run.manifest, kept.missing)
            return CheckedRun(tuple(run.results()), kept.missing, kept.changed, "", kept.edited, lost)
    return checked_anew(run)


def checked_anew(run: Run) -> CheckedRun:
    """As `check_run`, and what it found is kept."""
    files = _digest(run.folder)
    found = check_run(run)
    if not found.torn:
        _keep(run, found, files)
    return found


def _keep(run: Run, found: CheckedRun, files: str) -> None:
    """A disk that is full costs the next check its time."""
    kept = _Kept(files=files, missing=found.missing, changed=found.changed, edited=found.edited)
    draft = run.folder / f".{FILE}.{os.getpid()}"
    with contextlib.suppress(OSError):
        draft.write_text(kept.model_dump_json(), encoding="utf-8")
        draft.replace(run.folder / FILE)


def _digest(folder: Path) -> str:
    told = hashlib.sha256()
    names = [folder / name for name in _READ]
    for part in _FOLDERS:
        with contextlib.suppress(OSError), os.scandir(folder / part) as found:
            names += sorted(Path(entry.path) for entry in found)
    for path in names:
        with contextlib.suppress(OSError):
            at = path.stat()
            told.update(f"{path.name} {at.st_size} {at.st_mtime_ns} {at.st_ctime_ns} {at.st_ino}\n".encode())
    return told.hexdigest()
