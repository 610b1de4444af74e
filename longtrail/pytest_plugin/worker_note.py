"""Worker note: the file in which a worker lists its tests that play a case."""

import tempfile
from pathlib import Path
from typing import Any


def note_of(node: Any) -> Path:
    """The path of a worker's file. From xdist, the controller gets only the names of all tests."""
    return Path(tempfile.gettempdir()) / f"longtrail-{node.workerinput['testrunuid']}-{node.gateway.id}"
