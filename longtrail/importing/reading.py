"""Reading: the text and the JSON of published files, gzipped or not. They are large and untrusted."""

import gzip
import json
import zlib
from pathlib import Path
from typing import Any

from longtrail.errors import DataError

MAX_BYTES = 400_000_000
"""Maximum size of a file, and of the content of a gzipped one."""


def read_json(path: Path) -> Any:
    """The data of a JSON file. Raises DataError."""
    return parse_json(path, read_text(path))


def parse_json(path: Path, text: str) -> Any:
    """The data of a JSON text from this file. Raises DataError."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:  # also for a number with too many digits
        raise DataError(path, "", f"is not JSON: {error}") from error


def read_text(path: Path) -> str:
    """A file's text. Raises DataError."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise DataError(path, "", f"is larger than {MAX_BYTES} bytes")
        return _unzipped(path) if path.suffix == ".gz" else path.read_text(encoding="utf-8")
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(path, "", f"is an incomplete gzip file: {error}") from error
    except OSError as error:
        raise DataError(path, "", f"can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DataError(path, "", f"is not UTF-8 at byte {error.start}") from error


def _unzipped(path: Path) -> str:
    with gzip.open(path) as file:
        raw = file.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise DataError(path, "", f"has more than {MAX_BYTES} bytes")
    return raw.decode("utf-8")
