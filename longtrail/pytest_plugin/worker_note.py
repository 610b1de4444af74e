"""Worker note: what a worker is told at its start, and the file in which it lists its tests that play a case."""

import json
import tempfile
from pathlib import Path
from typing import Any

SENT = "longtrail_sent"
"""What workers are told: when the session began, its root folder, where they list their tests with cases, and
(by xdist) how many episodes they play at the same time."""
CALLS = "longtrail_calls"
"""The `CallStore` that all workers share, unless it is the file in the run's folder."""


def note_of(node: Any) -> Path:
    """The path of a worker's file. From xdist, the controller gets only the names of all tests."""
    return Path(tempfile.gettempdir()) / f"longtrail-{node.workerinput['testrunuid']}-{node.gateway.id}"


def write_note(config: Any, told: dict[str, Any]) -> None:
    """In a worker. `config`: pytest's."""
    Path(config.workerinput[SENT][2]).write_text(json.dumps(told), encoding="utf-8")


def take_note(node: Any) -> dict[str, Any] | None:
    """In the controller, once: what a worker wrote, if anything."""
    note = note_of(node)
    if not note.exists():
        return None
    told: dict[str, Any] = json.loads(note.read_text(encoding="utf-8"))
    note.unlink()
    return told
