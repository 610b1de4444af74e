"""Manifest file: a run's `run.json`. Each process reads it once: with thousands of planned cases it has megabytes."""

import threading
from collections import OrderedDict
from pathlib import Path

from longtrail.errors import DataError
from longtrail.records.old_form import upgraded
from longtrail.runs.atomic_file import write_whole
from longtrail.runs.manifest import Manifest

NAME = "run.json"
KEPT = 4
"""Number of manifests that are kept: pages about many runs read each only once."""
_READ: OrderedDict[Path, tuple[tuple[int, int, int], Manifest]] = OrderedDict()
_READING = threading.Lock()


def read_manifest(folder: Path) -> Manifest:
    """The manifest in a run's folder. It is read again if the file has been replaced or changed. Raises DataError."""
    path = folder / NAME
    with _READING:
        try:
            now = path.stat()
            state = (now.st_mtime_ns, now.st_size, now.st_ino)
            if path not in _READ or _READ[path][0] != state:
                _READ[path] = (state, Manifest.model_validate_json(upgraded(path.read_bytes())))
        except (OSError, ValueError) as error:
            _READ.pop(path, None)
            raise DataError(path, "", f"is not the manifest of a run: {str(error).splitlines()[0]}") from error
        _READ.move_to_end(path)
        while len(_READ) > KEPT:
            _READ.popitem(last=False)
        return _READ[path][1]


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write it. Raises HarnessTrouble(storage)."""
    with _READING:
        _READ.pop(folder / NAME, None)
        write_whole(folder / NAME, manifest.model_dump_json(indent=2).encode() + b"\n")
