"""Worker note: the file in which a worker lists its tests that carry a case."""

import tempfile
from pathlib import Path
from typing import Any


def note_of(node: Any) -> Path:
    """A worker's file. xdist gives a controller only the names of all tests."""
    return Path(tempfile.gettempdir()) / f"longtrail-{node.workerinput['testrunuid']}-{node.gateway.id}"
