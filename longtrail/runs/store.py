"""Store: a run's folder. One checksummed file for each attempt at a case, results, screenshots and traces.

run.json                      the manifest: options, planned cases, versions, checksum of the data
episodes/CASE.aATTEMPT.json   {"sha256": ..., "trajectory": {...}}, written completely or not at all
results/CASE.aATTEMPT.json    {"digest": ..., "result": {...}}: the worker's score of the attempt (`attempts`)
SHA256SUMS                    the sums of all of these at the end of the last session (`sums`)
results.jsonl                 one Result per line, by case id; can be computed again from the episodes
shots/, traces/               pictures, named by their content; pages that show an episode
calls/CASE.aATTEMPT.jsonl     the prompts and answers of the model (`model_calls`)
quarantine/                   incomplete or changed episode files
begun/CASE.N.json             attempts that had begun and have no episode, because worker or session ended (`under_way`)
stop                          why the run was ended early; all workers check it
lock, controller              lock of the controlling process; its id
"""

import hashlib
import io
import os
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from longtrail.errors import DataError, HarnessTrouble, UsageError
from longtrail.records.result import Result
from longtrail.records.trajectory import Trajectory
from longtrail.runs.atomic_file import write_whole
from longtrail.runs.attempts import (
    EPISODE_HEAD,
    DamagedEpisodeError,
    all_attempts,
    attempts_at,
    file_stem,
    is_intact,
    read_episode,
    write_result,
)
from longtrail.runs.manifest import Manifest, PlanEntry, read_manifest, write_manifest

PLAYED = ("episodes", "results", "quarantine", "begun", "steps", "shots", "calls", "files")
"""Parts of a run's folder that have files once an episode was begun."""
WEBP_QUALITY, WEBP_EFFORT = 60, 2
"""Of stored screenshots, which are two fifths smaller than the JPEG that an agent gets. A higher effort, up to 6, makes
them 4 % smaller and takes twice the time."""


class Run:
    """One run's folder. Workers `open` it and write episodes; the one controller `create`s it and aggregates."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.results_file = self.folder / "results.jsonl"
        self.traces, self.shots = self.folder / "traces", self.folder / "shots"
        self.quarantined: list[tuple[str, str]] = []
        """(file, its problem) of every episode file that this object moved to quarantine."""
        self._lock = FileLock(self.folder / "lock", thread_local=False)

    @classmethod
    def create(cls, folder: Path, manifest: Manifest) -> "Run":
        """A new run. Raises UsageError if there is one already, HarnessTrouble(storage) if it can't be written.

        A run that has ended without a single episode, because it was refused, is replaced.
        """
        run = cls(folder)
        try:
            for part in ("episodes", "results", "shots", "traces"):
                (run.folder / part).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise HarnessTrouble("storage", f"{run.folder} can't be made: {error.strerror}") from error
        run.lock()
        if (run.folder / "run.json").exists():
            if not run._ended_empty():
                run.close()
                raise UsageError(f"{run.folder} already has a run; choose another name")
            for old in ("results.jsonl", "checked.json", "gate.json", "stop"):
                (run.folder / old).unlink(missing_ok=True)
        write_manifest(run.folder, manifest)
        return run

    def _ended_empty(self) -> bool:
        """Whether the run's session has written its results, and no episode was ever played."""
        if not self.results_file.is_file() or self.results_file.stat().st_size:
            return False
        return not any(path.is_file() for part in PLAYED for path in (self.folder / part).glob("**/*"))

    @classmethod
    def open(cls, folder: Path) -> "Run":
        """An existing run, to write episodes to or to read. Raises UsageError if there is none."""
        run = cls(folder)
        if not (run.folder / "run.json").is_file():
            raise UsageError(f"{folder}: there is no run here (run.json is missing)")
        return run

    def lock(self) -> None:
        """Become the run's only controller until `close` or the process ends. Raises UsageError if there is one."""
        owner = self.folder / "controller"
        try:
            self._lock.acquire(timeout=0)
        except Timeout as error:
            process = owner.read_text(encoding="ascii", errors="replace").strip() if owner.exists() else "?"
            raise UsageError(f"{self.folder} is in use by process {process}") from error
        owner.write_text(f"{os.getpid()}\n", encoding="ascii")

    def close(self) -> None:
        self._lock.release()

    @property
    def manifest(self) -> Manifest:
        """The manifest in the file. Raises DataError."""
        return read_manifest(self.folder)

    @property
    def stop_reason(self) -> str:
        """Why every worker must end; empty while the run continues."""
        path = self.folder / "stop"
        return path.read_text(encoding="utf-8").strip() if path.exists() else ""

    def stop(self, reason: str) -> None:
        """Tell every worker of this run to end. Raises HarnessTrouble(storage)."""
        write_whole(self.folder / "stop", reason.encode() + b"\n")

    def go_on(self) -> None:
        """Clear the stop reason when the run is resumed."""
        (self.folder / "stop").unlink(missing_ok=True)

    def plan(self, cases: Iterable[str], planned: Iterable[PlanEntry] = (), whole: Iterable[str] = ()) -> None:
        """Record the planned cases, and the whole plan if they are a shard."""
        manifest, named = self.manifest, tuple(cases)
        if set(manifest.cases) != set(named):  # a resumed run has its plan
            update = {"cases": named, "planned": tuple(planned), "whole": tuple(whole)}
            manifest = manifest.model_copy(update=update)
            write_manifest(self.folder, manifest)

    def write_episode(self, trajectory: Trajectory) -> Path:
        """Save an attempt; it is completely on disk when this returns. Raises HarnessTrouble(storage)."""
        body = trajectory.model_dump_json().encode()
        head = EPISODE_HEAD % hashlib.sha256(body).hexdigest().encode()
        path = self._inside("episodes", f"{file_stem(trajectory.case.id)}.a{trajectory.attempt}.json")
        write_whole(path, head + body + b"}\n")
        return path

    def save_shot(self, image: bytes) -> str:
        """Store a screenshot under the checksum of its content, so equal pictures are stored once. Returns its file
        name in `shots/`. Raises HarnessTrouble(storage)."""
        path = self._inside("shots", f"{hashlib.sha256(image).hexdigest()[:20]}.webp")
        beside = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}")
        try:
            if not path.exists():
                beside.write_bytes(_webp(image))
                beside.replace(path)
        except OSError as error:
            raise HarnessTrouble("storage", f"{path} can't be written: {error.strerror}") from error
        return path.name

    def attempts(self) -> dict[str, list[Path]]:
        """Stem of a case -> its episode files, latest attempt first."""
        return all_attempts(self.folder / "episodes")

    def episode_files(self, case: str) -> dict[int, Path]:
        """Number of an attempt at this case -> its file, latest first."""
        return attempts_at(case, self.folder / "episodes")

    def valid_episode(self, case: str) -> Trajectory | None:
        """The latest valid attempt at a case, if there is one."""
        return next(
            (
                trajectory
                for path in self.episode_files(case).values()
                if (trajectory := self._read(path)) and trajectory.valid
            ),
            None,
        )

    def episodes(self) -> Iterator[Trajectory]:
        """One trajectory for each case, in the order of case ids: the latest valid attempt, else the latest at all.

        An incomplete or changed file is moved to `quarantine/` and listed in `quarantined`.
        """
        for files in self.attempts().values():
            latest = self.latest(files)
            if latest is not None:
                yield latest

    def latest(self, files: Iterable[Path]) -> Trajectory | None:
        """From one case's files, latest first: the latest valid attempt, otherwise the latest readable one."""
        latest: Trajectory | None = None
        for path in files:
            trajectory = self._read(path)
            if trajectory is not None and trajectory.valid:
                return trajectory
            latest = latest or trajectory
        return latest

    def missing(self) -> tuple[str, ...]:
        """Ids of planned cases without an intact attempt, in the plan's order."""
        recorded = {stem for stem, files in self.attempts().items() if any(map(is_intact, files))}
        return tuple(case for case in self.manifest.cases if file_stem(case) not in recorded)

    def write_result(self, result: Result, task: str) -> None:
        """Write a result next to its episode. `task`: checksum of the task that it was scored with. Raises DataError if
        the episode is incomplete or was changed."""
        write_result(self.episode_files(result.case.id)[result.attempt], result, task, self.manifest.data)

    def write_results(self, results: Iterable[Result]) -> None:
        """Write all results by case id; equal results give equal bytes."""
        lines = sorted((result.case.id, result.model_dump_json()) for result in results)
        write_whole(self.results_file, "".join(f"{line}\n" for _, line in lines).encode())

    def results(self) -> tuple[Result, ...]:
        """The written results. Raises DataError that names the invalid line."""
        return tuple(result for _, result in self.result_lines())

    def result_lines(self) -> Iterator[tuple[bytes, Result]]:
        """The written results, each with its line. Raises DataError that names the invalid line."""
        try:
            lines = self.results_file.read_bytes().splitlines()
        except OSError as error:
            raise DataError(self.results_file, "", f"can't be read: {error.strerror}") from error
        for number, line in enumerate(lines, 1):
            try:
                yield line, Result.model_validate_json(line)
            except ValueError as error:
                raise DataError(self.results_file, f"line {number}", str(error).splitlines()[0]) from error

    def _inside(self, part: str, name: str) -> Path:
        path = (self.folder / part / name).resolve()
        if path.parent != self.folder / part:
            raise HarnessTrouble("storage", f"{name!r} would lie outside of {self.folder / part}")
        return path

    def _read(self, path: Path) -> Trajectory | None:
        """An episode; None if its file is damaged, which is then in quarantine. An intact file that can't be read now,
        or not by this version, stays where it is, and the error is raised."""
        try:
            return read_episode(path)
        except DamagedEpisodeError as error:
            shelf = self.folder / "quarantine"
            shelf.mkdir(exist_ok=True)
            path.replace(shelf / path.name)
            self.quarantined.append((path.name, error.message))
            return None


def _webp(image: bytes) -> bytes:
    """Convert a picture of any format to WebP."""
    from PIL import Image, WebPImagePlugin

    assert WebPImagePlugin  # its import registers the format; otherwise Pillow imports all sixty
    out = io.BytesIO()
    Image.open(io.BytesIO(image)).save(out, "WEBP", quality=WEBP_QUALITY, method=WEBP_EFFORT)
    return out.getvalue()
