"""Atomic file: written completely or not at all, and on disk before the call returns."""

import os
import threading
from pathlib import Path

from longtrail.errors import HarnessTrouble


def write_whole(path: Path, data: bytes) -> None:
    """Write a file completely or not at all; returns when it is on disk. Raises HarnessTrouble(storage)."""
    draft = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.tmp")
    try:
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise HarnessTrouble("storage", f"{path} can't be written: {error.strerror}") from error
