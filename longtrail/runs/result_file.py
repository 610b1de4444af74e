"""Result file: a result stored with its episode, with a digest over both, the task and the data."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from longtrail.errors import DataError
from longtrail.records.result import Result
from longtrail.runs.atomic_file import read_whole, write_whole
from longtrail.runs.store import Run, intact_sha256

_HEAD = b'{"digest":"%s","task":"%s","result":'
_HEAD_LENGTH = len(_HEAD % (b"0" * 64, b"0" * 12))
_TASK = slice(_HEAD_LENGTH - len(b'","result":') - 12, _HEAD_LENGTH - len(b'","result":'))


@dataclass(frozen=True, slots=True)
class ResultFile:
    """The file stored with an episode."""

    result: Result
    task: str
    """Checksum of the task that it was scored with."""


def result_path(run: Run, episode: Path) -> Path:
    """The path of the result of an episode file."""
    return run.folder / "results" / episode.name


def read_body(written: bytes, episode_sha256: str, data: str) -> bytes:
    """The JSON in the bytes of a result's file; empty if it does not match the episode of this checksum and this
    data."""
    task, body = _parts(written)
    return body if written == _bytes(episode_sha256, task, data, body) else b""


def read_result(run: Run, episode: Path, data: str) -> tuple[ResultFile | None, bool]:
    """The result of an episode file of a run made with this data, and whether the two match. If the result is None, it
    was never written (True), or it does not match (False).
    """
    path = result_path(run, episode)
    if not path.exists():
        return None, True
    written = read_whole(path)
    task, body = _parts(written)
    try:
        result = Result.model_validate_json(body)
        fits = bool(read_body(written, intact_sha256(episode), data))
    except (ValueError, DataError):
        return None, False
    return (ResultFile(result, task), True) if fits else (None, False)


def write_result(run: Run, result: Result, task: str, data: str) -> None:
    """Write a result next to its episode. It was scored with a task of this checksum in a run made with this data.
    Raises DataError if the episode is incomplete or was changed.
    """
    episode = run.attempts_at(result.case.id)[result.attempt]
    path = result_path(run, episode)
    path.parent.mkdir(exist_ok=True)
    write_whole(path, _bytes(intact_sha256(episode), task, data, result.model_dump_json().encode()))


def _parts(written: bytes) -> tuple[str, bytes]:
    """The task's checksum and the result's JSON in the bytes of a result's file."""
    return written[_TASK].decode("ascii", "replace"), written[_HEAD_LENGTH:-2]


def _bytes(episode_sha256: str, task: str, data: str, body: bytes) -> bytes:
    """The file content for a result's JSON."""
    digest = hashlib.sha256("\n".join((episode_sha256, task, data, "")).encode() + body).hexdigest()
    return _HEAD % (digest.encode(), task.encode()) + body + b"}\n"
