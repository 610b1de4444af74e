"""Whole files: written completely or not at all, and on disk before the call returns; and read."""

import os
import threading
from contextlib import suppress
from pathlib import Path

from longtrail.errors import HarnessTrouble


def write_whole(path: Path, data: bytes) -> None:
    """Write a file completely or not at all; returns when it is on disk. Its folder is made if it is missing. Raises
    HarnessTrouble(storage)."""
    draft = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.tmp")
    try:
        path.parent.mkdir(exist_ok=True)
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
        with suppress(OSError):
            draft.unlink()
        raise HarnessTrouble("storage", f"{path} can't be written: {error.strerror}") from error


def read_whole(path: Path) -> bytes:
    """A file's bytes. Raises HarnessTrouble(storage): a process with too many open files learns nothing about it."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise HarnessTrouble("storage", f"{path} can't be read: {error.strerror}") from error
