"""Check cache: the result of checking a finished run, stored with the run until one of its files changes.

Every session writes pages at its end, when most runs in the folder are unchanged. The cache compares size, times and
inode of their files instead of reading them again. Code that must be certain (`longtrail report`, a gate, a baseline)
calls `check_run`.
"""

import contextlib
import hashlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from longtrail.errors import DataError
from longtrail.records.record import Record
from longtrail.records.result import Result
from longtrail.runs.checked import CheckedRun, check_run, check_written, lost_results
from longtrail.runs.store import Run
from longtrail.runs.sums import NAME

FILE = "checked.json"
_READ = ("run.json", "results.jsonl", NAME)
_FOLDERS = ("episodes", "results")


class _Kept(Record):
    """The file."""

    files: str
    """Digest over names, sizes, times and inodes of the files that the check read."""
    missing: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()


def check_again(run: Run) -> CheckedRun:
    """Like `check_run`, but returns the last result if no file has changed since."""
    files = _digest(run.folder)
    with contextlib.suppress(OSError, ValueError, DataError):
        kept = _Kept.model_validate_json((run.folder / FILE).read_bytes())
        if kept.files == files:
            lost = lost_results(run.manifest, kept.missing)
            return CheckedRun(tuple(run.results()), kept.missing, kept.changed, "", kept.edited, lost)
    return checked_anew(run)


def checked_anew(run: Run) -> CheckedRun:
    """Like `check_run`, and stores the result."""
    files = _digest(run.folder)
    found = check_run(run)
    if not found.torn:
        _keep(run, found, files)
    return found


def checked_as_written(run: Run, results: Sequence[Result], changed: Iterable[str]) -> CheckedRun:
    """Like `check_written`, and stores the result."""
    found = check_written(run, results, changed)
    _keep(run, found, _digest(run.folder))
    return found


def _keep(run: Run, found: CheckedRun, files: str) -> None:
    """Write the cache; if the disk is full, the next check reads all files again."""
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
