"""Attempts: the files of an attempt at a case, its episode and its result, and which of them a run has.

episodes/CASE.aATTEMPT.json   {"sha256": ..., "trajectory": {...}}
results/CASE.aATTEMPT.json    {"digest": ..., "task": ..., "result": {...}}; the digest covers episode, task and data
"""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from longtrail.errors import DataError
from longtrail.records.result import Result
from longtrail.records.trajectory import SCHEMA, Trajectory
from longtrail.runs.atomic_file import read_whole, write_whole

EPISODE_HEAD = b'{"sha256":"%s","trajectory":'
HEAD_LENGTH = len(EPISODE_HEAD % (b"0" * 64))
_RESULT_HEAD = b'{"digest":"%s","task":"%s","result":'
_RESULT_HEAD_LENGTH = len(_RESULT_HEAD % (b"0" * 64, b"0" * 12))
_RESULT_TASK = slice(_RESULT_HEAD_LENGTH - len(b'","result":') - 12, _RESULT_HEAD_LENGTH - len(b'","result":'))
LOOKED_AHEAD = 50
"""Numbers after the last known attempt that are looked for. Attempts are numbered without gaps; a file that was moved
to quarantine or lost leaves one."""
_SAFE = re.compile(r"[a-z0-9][a-z0-9_.-]{0,119}")
_NAME = re.compile(r"(.+)\.a(\d+)\.json")


def all_attempts(episodes: Path) -> dict[str, list[Path]]:
    """Stem of a case -> its episode files in a folder, latest attempt first."""
    files_of: dict[str, list[tuple[int, Path]]] = {}
    for path in episodes.glob("*.json"):
        if match := _NAME.fullmatch(path.name):
            files_of.setdefault(match[1], []).append((int(match[2]), path))
    return {stem: [path for _, path in sorted(files, reverse=True)] for stem, files in sorted(files_of.items())}


def attempts_at(case: str, episodes: Path) -> dict[int, Path]:
    """Number of an attempt at this case -> its file in a folder, latest first. The folder, which may have thousands of
    files, is not listed."""
    stem, number = file_stem(case), 0
    numbered: dict[int, Path] = {}
    while number <= max(numbered, default=-1) + LOOKED_AHEAD:
        if (path := episodes / f"{stem}.a{number}.json").exists():
            numbered[number] = path
        number += 1
    return dict(reversed(numbered.items()))


def file_stem(name: str) -> str:
    """A name as part of a file name: unchanged if safe, otherwise a slug with 10 digits of its sha256."""
    if _SAFE.fullmatch(name) and not name.endswith("."):
        return name
    slug = re.sub(r"[^a-z0-9_-]+", "-", name.lower())[:80].strip("-") or "x"
    return f"{slug}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"


class DamagedEpisodeError(DataError):
    """An episode file that is incomplete or was changed."""


def read_episode(path: Path) -> Trajectory:
    """One episode file, its checksum verified. Raises DamagedEpisodeError if it is incomplete or was changed, DataError
    if this version can't read its form, HarnessTrouble(storage) if the file can't be read now."""
    body = _checked(path)[0][HEAD_LENGTH:-2]
    try:
        trajectory = Trajectory.model_validate_json(body)
    except ValueError as error:
        raise DataError(path, "trajectory", " ".join(str(error).split())[:300]) from error
    if trajectory.form != SCHEMA:
        raise DataError(path, "trajectory.form", f"{trajectory.form} is not {SCHEMA}, which this version reads")
    return trajectory


def intact_sha256(path: Path) -> str:
    """The checksum in an episode file. Raises what `read_episode` raises for a file."""
    return _checked(path)[1]


def is_intact(path: Path) -> bool:
    """Whether an episode file is complete and was not changed."""
    try:
        return bool(_checked(path))
    except DamagedEpisodeError:
        return False


def _checked(path: Path) -> tuple[bytes, str]:
    """An episode file's bytes, and the checksum in it, verified."""
    data = read_whole(path)
    if sha256 := body_sha256(data):
        return data, sha256
    raise DamagedEpisodeError(path, "sha256", "does not match: the file is damaged or was changed")


def body_sha256(data: bytes) -> str:
    """The checksum in an episode file's bytes; empty if they are incomplete or were changed."""
    sha256 = hashlib.sha256(memoryview(data)[HEAD_LENGTH:-2]).hexdigest()
    return sha256 if data.startswith(EPISODE_HEAD % sha256.encode()) and data.endswith(b"}\n") else ""


@dataclass(frozen=True, slots=True)
class ResultFile:
    """The file stored with an episode."""

    result: Result
    task: str
    """Checksum of the task that it was scored with."""


def result_path(episode: Path) -> Path:
    return episode.parent.parent / "results" / episode.name


def read_body(written: bytes, episode_sha256: str, data: str) -> bytes:
    """The JSON in the bytes of a result's file; empty if it does not match the episode of this checksum and this
    data."""
    task, body = _result_parts(written)
    return body if written == _result_bytes(episode_sha256, task, data, body) else b""


def read_result(episode: Path, data: str) -> tuple[ResultFile | None, bool]:
    """The result of an episode file of a run made with this data, and whether the two match. If the result is None, it
    was never written (True), or it does not match (False)."""
    path = result_path(episode)
    if not path.exists():
        return None, True
    written = read_whole(path)
    task, body = _result_parts(written)
    try:
        result = Result.model_validate_json(body)
        fits = bool(read_body(written, intact_sha256(episode), data))
    except (ValueError, DataError):
        return None, False
    return (ResultFile(result, task), True) if fits else (None, False)


def write_result(episode: Path, result: Result, task: str, data: str) -> None:
    """Write the result of an episode file. It was scored with a task of this checksum in a run made with this data.
    Raises DataError if the episode is incomplete or was changed."""
    write_whole(
        result_path(episode), _result_bytes(intact_sha256(episode), task, data, result.model_dump_json().encode())
    )


def _result_parts(written: bytes) -> tuple[str, bytes]:
    """The task's checksum and the result's JSON in the bytes of a result's file."""
    return written[_RESULT_TASK].decode("ascii", "replace"), written[_RESULT_HEAD_LENGTH:-2]


def _result_bytes(episode_sha256: str, task: str, data: str, body: bytes) -> bytes:
    """The file content for a result's JSON."""
    digest = hashlib.sha256("\n".join((episode_sha256, task, data, "")).encode() + body).hexdigest()
    return _RESULT_HEAD % (digest.encode(), task.encode()) + body + b"}\n"
